// Positions as planes of numbers, and moves as numbers: what programs see that learn from games.
//
// An action is the number of a move. A game has one range of them, the same in every position:
//
//     moves are   action                                                  how many
//     numbers     number - 1; swap, where the game has it, comes last     columns or pits, and 1 for swap
//     cells       row * cols + col                                        rows * cols
//     steps       (row * cols + col of the source) * 8 + direction        rows * cols * 8
//
// A step goes to a neighbouring cell; its direction is 0 to 7: 5 6 7   with row 0 at the bottom.
//                                                              3 . 4
//                                                              0 1 2
// Planes show the board as the side to move sees it:
//
//     grid   own, other: 1 where a stone is, by row and column, row 0 at the bottom. Where lines do not win,
//            the sides may go different ways: a third plane is 1 everywhere if second is to move.
//     pits   own, other: the seeds in the pits from the side's left, then those in its store.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "game.hpp"

namespace mossa {

class Encoding {
 public:
  /// Of a game with these traits, from its first position and the moves there.
  Encoding(const Traits& traits, const Cells& start, const std::vector<Move>& moves, bool swaps)
      : shape_(traits.shape),
        rows_(static_cast<int>(start.size())),
        cols_(static_cast<int>(start[0].size())),
        planes_(traits.shape == Shape::grid && !traits.lines ? 3 : 2) {
    if (shape_ == Shape::pits || traits.falls) {
      const int numbers = shape_ == Shape::pits ? cols_ - 1 : cols_;
      for (int number = 1; number <= numbers; ++number) moves_.push_back(Move::number(number));
      if (swaps) moves_.push_back(Move::swap());
    } else {
      const bool steps = !moves.empty() && moves[0].is_step();
      for (int row = 0; row < rows_; ++row)
        for (int col = 0; col < cols_; ++col)
          if (steps)
            for (const Cell& way : ways) moves_.push_back(step({row, col}, way));
          else
            moves_.push_back(Move::cell(row, col));
    }
  }

  /// How many actions there are.
  int actions() const { return static_cast<int>(moves_.size()); }
  /// The move of an action from 0 to actions() - 1. Of a step off the board: one that no rule allows.
  Move move(int action) const { return moves_[static_cast<std::size_t>(action)]; }
  /// The inverse, for moves of this game.
  int action(Move move) const {
    if (move.is_number()) return move.number() - 1;
    if (move.is_swap()) return actions() - 1;
    if (move.is_cell()) return move.row() * cols_ + move.col();
    const Cell source = move.source(), target = move.target();
    const int up = target.row - source.row, right = target.col - source.col;
    if (up < -1 || up > 1 || right < -1 || right > 1)
      throw GameError("the move " + quote(move.text()) +
                      " has no action: only steps to a neighbouring cell have one");
    const int way = (up + 1) * 3 + right + 1;
    return (source.row * cols_ + source.col) * 8 + way - (way > 4);
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  Shape shape() const { return shape_; }
  /// Planes, rows and columns; or sides, and pits with the store.
  std::vector<std::size_t> plane_shape() const {
    if (shape_ == Shape::pits) return {2, static_cast<std::size_t>(cols_)};
    return {static_cast<std::size_t>(planes_), static_cast<std::size_t>(rows_),
            static_cast<std::size_t>(cols_)};
  }
  /// Numbers in all planes together.
  std::size_t plane_numbers() const {
    std::size_t numbers = 1;
    for (const std::size_t length : plane_shape()) numbers *= length;
    return numbers;
  }

  /// Writes the planes of a position.
  template <class Number>
  void write(const Cells& cells, Side side, Number* to) const {
    if (shape_ == Shape::pits) {
      for (const Side whose : {side, other(side)})
        for (const int seeds : cells[index(whose)]) *to++ = static_cast<Number>(seeds);
      return;
    }
    for (const Side whose : {side, other(side)})
      for (const std::vector<int>& row : cells)
        for (const int stone : row) *to++ = stone == static_cast<int>(index(whose)) + 1;
    if (planes_ == 3) std::fill_n(to, rows_ * cols_, static_cast<Number>(index(side)));
  }

 private:
  static constexpr std::array<Cell, 8> ways{
      {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

  Move step(Cell source, Cell way) const {
    const Cell target{source.row + way.row, source.col + way.col};
    const bool inside = target.row >= 0 && target.row < rows_ && target.col >= 0 && target.col < cols_;
    return inside ? Move::step(source, target) : Move();
  }

  Shape shape_;
  int rows_, cols_;  // of the cells; of pits: two rows, the stores in the last column
  int planes_;
  std::vector<Move> moves_;  // by action
};

}  // namespace mossa
