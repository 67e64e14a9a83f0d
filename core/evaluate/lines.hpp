// Evaluations that are sums over the lines of a board (rows, columns, diagonals), kept up to date.
//
// A stone changes the four lines through its cell and nothing else. For each line we keep its value and,
// for every empty cell, how much a stone of either side would add: so a move costs the length of four
// lines, and the value after any possible move is known without making it. What a line is worth is the
// business of a `LineShape`.
#pragma once

#include <vector>

#include "../games/lines.hpp"
#include "evaluator.hpp"

namespace mossa {

/// What a line is worth.
class LineShape {
 public:
  virtual ~LineShape() = default;
  /// Fills in the value of a line for the searcher, and for each cell the change that a stone there would
  /// make: of the searcher in gains[0], of the opponent in gains[1]. `cells` holds 0 for an empty cell, 1 for
  /// a stone of the searcher, 2 for one of the opponent.
  virtual void line(const std::uint8_t* cells, int length, int& value, std::array<int*, 2> gains) const = 0;
};

/// The sums, for any game of lines: stones are put on bits of the grid.
class LineTotals {
 public:
  LineTotals(const Grid& grid, int k, std::unique_ptr<LineShape> shape);

  /// Empties the board: `put` the stones of the root, then `refresh` all.
  void clear(Side searcher);
  void put(int bit, Side side);
  void refresh();

  void play(int bit, Side side);
  /// Takes back the last `play`.
  void undo();

  /// What the board is worth to a side.
  int value(Side side) const { return seen_by(side, total_); }
  /// The same after a stone of `mover` on an empty cell.
  int value_with(int bit, Side mover, Side side) const {
    return seen_by(side, total_ + gains_[role(mover)][static_cast<std::size_t>(bit)]);
  }

 private:
  struct Line {
    int offset, length;  // of its cells among all lines' cells
    int begin, step;     // of its bits
  };
  struct LineAt {
    int line = -1, position = 0;
  };
  struct Step {
    int bit;
    int total;
    std::size_t saved;
  };

  std::size_t role(Side side) const { return side == searcher_ ? 0 : 1; }
  int seen_by(Side side, int total) const { return side == searcher_ ? total : -total; }

  void save(std::size_t index);
  void refresh(std::size_t index);
  void change_gains(const Line& line, std::size_t role, const int* now);

  std::unique_ptr<LineShape> shape_;
  Side searcher_ = Side::first;
  std::vector<Line> lines_;
  std::vector<std::array<LineAt, 4>> lines_at_;  // by bit
  std::vector<std::uint8_t> cells_;              // of all lines, one after the other
  std::vector<int> values_;                      // of each line
  std::array<std::vector<int>, 2> line_gains_;   // by role, like cells_
  std::array<std::vector<int>, 2> gains_;        // by role and bit: the sum over the lines there
  int total_ = 0;
  std::vector<Step> undo_;
  std::vector<int> saved_;
};

template <Game G>
class LineSums final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  LineSums(const G& game, std::unique_ptr<LineShape> shape)
      : game_(game), totals_(game.grid(), game.k(), std::move(shape)) {}

  void reset(const Position& root, Side searcher) override {
    totals_.clear(searcher);
    for (const Side side : {Side::first, Side::second})
      root.stones[index(side)].for_each([&](int bit) { totals_.put(bit, side); });
    totals_.refresh();
  }
  void play(const Position& before, Move move) override {
    totals_.play(game_.landing(before, move), game_.side(before));
  }
  void undo() override { totals_.undo(); }

  int value(const Position& position) override { return totals_.value(game_.side(position)); }

  int value_after(const Position& before, Move move, const Position& after) override {
    return totals_.value_with(game_.landing(before, move), game_.side(before), game_.side(after));
  }

  void rank(const Position& position, const Moves& moves, Successors<G>&, std::span<int> ranks) override {
    const Side side = game_.side(position);
    for (int i = 0; i < moves.size(); ++i)
      ranks[static_cast<std::size_t>(i)] = totals_.value_with(game_.landing(position, moves[i]), side, side);
  }

 private:
  const G& game_;
  LineTotals totals_;
};

}  // namespace mossa
