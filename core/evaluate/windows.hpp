// Windows of k: every stretch of k cells in a line that only one side has stones in counts for that
// side, the more the more stones it holds.
//
// A window with n stones is worth 4^(n-1): one stone more outweighs any three windows below it, which
// is about how many a single stone opens up. A line is read once with a sliding count, so the cost does
// not depend on k.
#pragma once

#include <vector>

#include "../game.hpp"

namespace mossa {

template <Game G>
class Windows {
 public:
  explicit Windows(const G& game) : k_(game.k()) {
    const auto& grid = game.grid();
    constexpr std::array<std::array<int, 2>, 4> directions{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
    for (const auto [down, right] : directions)
      for (int row = 0; row < grid.rows; ++row)
        for (int col = 0; col < grid.cols; ++col) {
          if (grid.contains(row - down, col - right)) continue;  // not the first cell of its line
          int length = 0;
          while (grid.contains(row + length * down, col + length * right)) ++length;
          if (length >= k_) lines_.push_back({grid.bit(row, col), grid.bit(down, right), length});
        }
    weights_.push_back(0);
    for (int n = 1; n <= k_; ++n) weights_.push_back(1 << std::min(2 * (n - 1), max_weight_bits));
  }

  int operator()(const G& game, const typename G::Position& position) const {
    const auto& own = position.stones[index(game.side(position))];
    const auto& opposing = position.stones[index(other(game.side(position)))];
    int value = 0;
    for (const Line& line : lines_) {
      int own_count = 0, opposing_count = 0;
      for (int i = 0; i < line.length; ++i) {
        const int bit = line.begin + i * line.step;
        own_count += own.test(bit);
        opposing_count += opposing.test(bit);
        if (i + 1 < k_) continue;
        if (opposing_count == 0) value += weights_[static_cast<std::size_t>(own_count)];
        if (own_count == 0) value -= weights_[static_cast<std::size_t>(opposing_count)];
        const int leaving = bit - (k_ - 1) * line.step;
        own_count -= own.test(leaving);
        opposing_count -= opposing.test(leaving);
      }
    }
    return value;
  }

 private:
  static constexpr int max_weight_bits = 14;  // 40,000 windows of a 100x100 board stay below 2^30

  struct Line {
    int begin, step, length;
  };
  int k_;
  std::vector<Line> lines_;
  std::vector<int> weights_;  // by number of stones
};

}  // namespace mossa
