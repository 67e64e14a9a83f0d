// Windows of k and who will be forced to fill which cell: an evaluation for boards on which stones fall.
//
// A threat is an empty cell on which one more stone wins. Nobody plays below the other side's threat, so
// columns with threats are filled last, and then whoever must play there loses. Who that is depends on
// the parity of the cells: when everything else is full, the first player gets the cells of a column that
// have an even number of cells before them, the second player the others. On a board with an even number
// of rows those are the odd and the even rows (Allis 1988, chapter 3):
//
// - A threat of the first player on a cell of its own decides in its favour, unless the second player has
//   as many threats on such cells in other columns.
// - If there is none, a threat of the second player on a cell of its own decides.
//
// How threats compare with each other comes from a regression of the outcome on these counts, over 4,000
// solved positions of three board sizes with 4 in a row. How much they count beside the windows was found by
// playing games.
#pragma once

#include "windows.hpp"

namespace mossa {

/// What a window is worth here: as elsewhere for up to four in a row; where it takes more, one stone more
/// only doubles it, as games on 10x10 and 15x15 told (benchmarks/RESULTS.md).
inline int falling_weight(int stones, int k) {
  constexpr int most = 14;  // as there
  if (k <= 4) return stone_weight(stones, k);
  return stones == 0 ? 0 : 1 << std::min(stones + 1, most);
}

template <FallingGame G>
class Parity final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  explicit Parity(const G& game)
      : game_(game),
        windows_(window_sums(game, falling_weight)),
        unit_(falling_weight(std::max(1, game.k() - 1), game.k())) {}

  void reset(const Position& root, Side searcher) override { windows_.reset(root, searcher); }
  void play(const Position& before, Move move) override { windows_.play(before, move); }
  void undo() override { windows_.undo(); }

  int value(const Position& position) override { return windows_.value(position) + seen(position); }
  int value_after(const Position& before, Move move, const Position& after) override {
    return windows_.value_after(before, move, after) + seen(after);
  }
  void rank(const Position& position, const Moves& moves, Successors<G>& successors,
            std::span<int> ranks) override {
    windows_.rank(position, moves, successors, ranks);
  }

 private:
  /// Threats by whose they are and who gets the cell in the end. The lowest of every column counts, the less
  /// the higher it is above the stones: up to `near` for each.
  using Counts = std::array<std::array<int, 2>, 2>;

  Counts count(const Position& position) const {
    Counts counts{};
    const auto occupied = position.occupied();
    const auto first = completing_cells(game_, position, Side::first).without(occupied);
    const auto second = completing_cells(game_, position, Side::second).without(occupied);
    const Grid& grid = game_.grid();
    int settled = -1;  // the column whose lowest threat has been seen
    (first | second).for_each([&](int bit) {
      const Cell cell = grid.cell(bit);
      if (cell.row >= grid.rows || cell.col >= grid.cols || cell.col == settled) return;
      if (cell.row == game_.height(position, cell.col)) return;  // at once: the search sees it
      settled = cell.col;
      const bool both = first.test(bit) && second.test(bit);
      if (both) return;  // nobody plays below it, and nobody gains
      const std::size_t owner = first.test(bit) ? 0 : 1;
      const int before = grid.rows * (grid.cols - 1) + cell.row;
      const int above = cell.row - game_.height(position, cell.col);
      counts[owner][static_cast<std::size_t>(before % 2)] += std::max(0, near - above);
    });
    return counts;
  }

  int seen(const Position& position) const {
    const Counts counts = count(position);
    const int first_own = counts[0][0], second_there = counts[1][0];
    const int first_there = counts[0][1], second_own = counts[1][1];
    const bool first_decides = first_own > second_there;
    const bool second_decides = !first_decides && second_own > 0;
    const int balance = first_own - second_own - second_there + near * (first_decides - second_decides);
    const int points = 11 * balance + 4 * first_there;
    const int value = unit_ * points / (10 * near);
    return game_.side(position) == Side::first ? value : -value;
  }

  static constexpr int near = 8;

  const G& game_;
  LineSums<G> windows_;
  int unit_;  // a window that lacks one stone
};

}  // namespace mossa
