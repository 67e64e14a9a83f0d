// What a quiet position of a game in which stones fall is worth: nobody can win at once.
//
// Nobody plays below the other side's winning cell. So columns fill up to the cell two below the lowest
// winning cell, and then somebody must give way. Who that is follows from the number of cells that can be
// filled before: `forced_end` plays it out. The rule of odd and even rows (Allis 1988, chapter 3) comes out
// of it for boards of every size.
#pragma once

#include "gravity_board.hpp"

namespace mossa {

/// What the value is made of, each as the side to move has it less what the other has.
struct GravityTerms {
  enum Term {
    turn,        // whose it is: always 1
    near_own,    // winning cells just above a cell that can be played, at the owner's parity
    near_other,  // the same, at the other's parity
    far_own,     // winning cells higher up
    far_other,
    stacked,   // two winning cells on top of each other, the lowest of their column
    end_soon,  // who wins when all columns are filled, by the cells that are left until then
    end_later,
    end_late,
    end_last,
    count
  };
  std::array<int, count> of{};
};

/// Points of the value with which the odds of a win grow e-fold.
inline constexpr int gravity_logarithm = 100;

inline constexpr std::array<int, GravityTerms::count> gravity_weights{
    1,                   // turn: most of it is in how the sums of windows are averaged
    37,  33,  37,  48,   // winning cells
    295,                 // stacked
    235, 193, 138, 112,  // the end
};

/// What a window is worth, in the same unit. A window in a row of its side's parity is worth most, for its
/// last cell will be that side's to fill.
inline WindowWeights gravity_window_weights(int k) {
  constexpr int most_missing = 6;
  constexpr std::array<std::array<int, most_missing + 1>, lies> by_missing{{
      {0, 0, 5, 3, 1, 1, 1},    // upright
      {0, 0, 32, 16, 6, 2, 1},  // in a row of its own parity
      {0, 0, 8, 1, 1, 0, 0},    // in another row
      {0, 0, 21, 10, 3, 1, 1},  // diagonal
  }};
  WindowWeights weights;
  for (std::size_t lie = 0; lie < lies; ++lie) {
    weights[lie].resize(static_cast<std::size_t>(k) + 1);
    for (int n = 1; n < k; ++n)
      if (k - n <= most_missing)
        weights[lie][static_cast<std::size_t>(n)] = by_missing[lie][static_cast<std::size_t>(k - n)];
  }
  return weights;
}

class GravityValue {
 public:
  explicit GravityValue(const GravityBoard& board) : board_(board) {}

  GravityTerms terms() {
    GravityTerms terms;
    look(terms);
    return terms;
  }

  /// For the side to move.
  int value() {
    const GravityTerms terms = this->terms();
    const Side side = board_.side();
    int sum =
        (board_.sum(side) - board_.sum(other(side)) + board_.last_sum(side) - board_.last_sum(other(side))) /
        2;
    for (std::size_t i = 0; i < GravityTerms::count; ++i) sum += terms.of[i] * gravity_weights[i];
    return sum;
  }

 private:
  /// A column with winning cells.
  struct Hot {
    int col;
    int stop;            // the row of the lowest of them
    bool first, second;  // whose it is
  };

  void look(GravityTerms& terms) {
    const Side side = board_.side();
    terms.of[GravityTerms::turn] = 1;
    int free = board_.empty();
    hot_count_ = 0;
    board_.hot().for_each([&](int col) {
      const int height = board_.height(col);
      const Places first = board_.winning(Side::first, col), second = board_.winning(Side::second, col);
      const Places both = first | second;
      const int stop = both.first();
      hots_[hot_count_++] = {col, stop, first.test(stop), second.test(stop)};
      free -= board_.rows() - height - std::max(0, stop - 1 - height);
      if (first.test(stop) && second.test(stop)) return;
      const bool is_first = first.test(stop);
      const int sign = (is_first == (side == Side::first)) ? 1 : -1;
      const bool own = (board_.parity(stop) == Side::first) == is_first;
      const bool near = stop - height <= 1;
      terms.of[near ? (own ? GravityTerms::near_own : GravityTerms::near_other)
                    : (own ? GravityTerms::far_own : GravityTerms::far_other)] += sign;
      const Places& owner = is_first ? first : second;
      const Places& opponent = is_first ? second : first;
      if (stop + 1 < board_.rows() && owner.test(stop + 1) && !opponent.test(stop + 1))
        terms.of[GravityTerms::stacked] += sign;
    });
    const int left = free;
    if (hot_count_ > 0)
      if (const int end = forced_end(side, free)) {
        const auto term = left <= 10   ? GravityTerms::end_soon
                          : left <= 24 ? GravityTerms::end_later
                          : left <= 50 ? GravityTerms::end_late
                                       : GravityTerms::end_last;
        terms.of[term] = end;
      }
  }

  /// Who wins, 1 for the side to move, if both fill the free cells and then whatever costs them least.
  int forced_end(Side side, int free) {
    int sign = 1;
    while (true) {
      if (free % 2) {
        side = other(side);
        sign = -sign;
      }
      if (hot_count_ == 0) return 0;
      // Nothing is free: the side to move must give way. Below its own winning cell it loses only that.
      std::size_t best = hot_count_;
      int best_free = 0;
      for (std::size_t i = 0; i < hot_count_; ++i) {
        const Hot& hot = hots_[i];
        const bool mine = side == Side::first ? hot.first : hot.second;
        const bool theirs = side == Side::first ? hot.second : hot.first;
        if (!mine || theirs) continue;
        if (hot.stop + 1 < board_.rows() && board_.winning(side, hot.col).test(hot.stop + 1)) return sign;
        const int opened = opens(hot, side).free;
        if (best == hot_count_ || (opened % 2 == 1 && best_free % 2 == 0)) {
          best = i;
          best_free = opened;
        }
      }
      if (best == hot_count_) return -sign;
      const Opened opened = opens(hots_[best], side);
      free = opened.free;
      if (opened.next)
        hots_[best] = *opened.next;
      else
        hots_[best] = hots_[--hot_count_];
    }
  }

  struct Opened {
    int free;
    std::optional<Hot> next;
  };
  /// What becomes free when the side plays below its own winning cell and the other takes that.
  Opened opens(const Hot& hot, Side) const {
    const Places& first = board_.winning(Side::first, hot.col);
    const Places& second = board_.winning(Side::second, hot.col);
    for (int row = hot.stop + 1; row < board_.rows(); ++row)
      if (first.test(row) || second.test(row)) {
        if (row == hot.stop + 1) continue;  // it is taken at once
        return {row - 1 - (hot.stop + 1), Hot{hot.col, row, first.test(row), second.test(row)}};
      }
    return {board_.rows() - hot.stop - 1, {}};
  }

  const GravityBoard& board_;
  std::array<Hot, 128> hots_;
  std::size_t hot_count_ = 0;
};

}  // namespace mossa
