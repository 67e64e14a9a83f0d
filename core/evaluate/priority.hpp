// Priorities, the candidate moves of the MNK report: 1 wins at once, 2 blocks a win, 3 makes two wins
// at once (a dead end for the opponent), 4 blocks such a double threat; the rest by the longest own
// alignment it makes, then the longest of the opponent's it blocks.
//
// Moves of priority 1 to 4 are critical: where there are any, a search needs to try only those of the best
// priority. With exact=yes a run that is too long neither wins nor threatens anything.
#pragma once

#include "../games/lines.hpp"
#include "evaluator.hpp"

namespace mossa {

enum class Priority { win = 1, block, double_threat, block_double_threat, other };

/// What a stone on a cell does for the side to move.
struct Merit {
  static constexpr int critical = 1 << 20;  // ranks from here on are of priority 1 to 4

  Priority priority = Priority::other;
  int aligned = 0;  // own stones in the best way to win through the cell, this one included
  int blocked = 0;  // the same of the opponent's, were the stone its own

  /// Priority p of 1 to 4 is rank (5 - p) x critical; the others rank below, by what they align.
  int rank() const {
    if (priority != Priority::other) return (5 - static_cast<int>(priority)) * critical;
    return aligned * 256 + blocked;
  }
};

/// A move that is worth a search, and why.
struct Candidate {
  Move move;
  Merit merit;
};

/// The cells on which one more stone of `side` makes k in a row, if it can be put there: occupied cells
/// and bits that are no cells may be among them. With exact=yes the run may be too long.
template <Game G>
auto completing_cells(const G& game, const typename G::Position& position, Side side) {
  const auto& own = position.stones[index(side)];
  auto cells = own.without(own);
  if (own.count() < game.k() - 1) return cells;
  for (const int step : game.grid().steps()) cells = cells | completing(own, step, game.k());
  return cells;
}

template <Game G>
class Priorities {
 public:
  explicit Priorities(const G&) {}
};

template <LineGame G>
class Priorities<G> {
 public:
  using Position = typename G::Position;
  using Moves = MoveList<G::max_moves>;
  static constexpr int critical = Merit::critical;

  explicit Priorities(const G& game) : game_(game) {}

  void rank(const Position& position, const Moves& moves, std::span<int> ranks) const {
    for (int i = 0; i < moves.size(); ++i)
      ranks[static_cast<std::size_t>(i)] = rank(position, game_.landing(position, moves[i]));
  }
  int rank(const Position& position, int bit) const { return merit(position, bit).rank(); }

  /// True if the side to move wins with a stone on this cell.
  bool wins(const Position& position, int bit) const {
    return has_run_through(position.stones[index(game_.side(position))], game_.grid().steps(), game_.k(),
                           game_.exact(), bit);
  }

  Merit merit(const Position& position, int bit) const {
    const Side side = game_.side(position);
    const Reach own = reach(position, bit, side);
    const Reach opposing = reach(position, bit, other(side));
    const Priority priority = own.wins                ? Priority::win
                              : opposing.wins         ? Priority::block
                              : own.threats >= 2      ? Priority::double_threat
                              : opposing.threats >= 2 ? Priority::block_double_threat
                                                      : Priority::other;
    return {priority, own.aligned, opposing.aligned};
  }

 private:
  /// What a stone of a side on a cell makes.
  struct Reach {
    bool wins = false;
    int threats = 0;  // cells that would then win
    int aligned = 0;  // stones in the best window of k through the cell, this one included
  };

  Reach reach(const Position& position, int bit, Side side) const {
    const auto& own = position.stones[index(side)];
    const auto& opposing = position.stones[index(other(side))];
    const Cell cell = game_.grid().cell(bit);
    const int k = game_.k();
    Reach reach;
    constexpr std::array<std::array<int, 2>, 4> directions{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
    std::array<Cell, 2> winning{};  // two different ones are enough
    for (const auto [up, right] : directions) {
      // The stretch of up to k - 1 cells on either side that the opponent has not blocked.
      int low = 0, high = 0;
      const auto open = [&](int i) {
        const int row = cell.row + i * up, col = cell.col + i * right;
        return game_.grid().contains(row, col) && !opposing.test(game_.grid().bit(row, col));
      };
      while (low > 1 - k && open(low - 1)) --low;
      while (high < k - 1 && open(high + 1)) ++high;
      if (high - low + 1 < k) continue;
      const auto stone = [&](int i) {
        return i == 0 || own.test(game_.grid().bit(cell.row + i * up, cell.col + i * right));
      };
      const auto beside = [&](int i) {
        const int row = cell.row + i * up, col = cell.col + i * right;
        return game_.grid().contains(row, col) && own.test(game_.grid().bit(row, col));
      };
      int count = 0, empty_sum = 0;  // with one empty cell in the window, the sum is its place
      for (int i = low; i <= high; ++i) {
        stone(i) ? void(++count) : void(empty_sum += i);
        if (i - low + 1 < k) continue;
        const int leaving = i - k + 1;
        const bool too_long = game_.exact() && (beside(leaving - 1) || beside(i + 1));
        if (!too_long) {
          reach.aligned = std::max(reach.aligned, count);
          if (count == k) reach.wins = true;
          if (count == k - 1 && reach.threats < 2) {
            const Cell wins{cell.row + empty_sum * up, cell.col + empty_sum * right};
            if (reach.threats == 0 || winning[0] != wins)
              winning[static_cast<std::size_t>(reach.threats++)] = wins;
          }
        }
        stone(leaving) ? void(--count) : void(empty_sum -= leaving);
      }
    }
    return reach;
  }

  const G& game_;
};

}  // namespace mossa
