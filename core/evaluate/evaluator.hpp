// What a search asks of an evaluation.
//
// An evaluator follows the search down and up (`play`, `undo`), so that it can keep its sums up to date
// instead of counting the board again. The last ply needs neither: `value_after` values a leaf from its
// parent. Values are for the side to move unless said otherwise.
//
// Some evaluations weigh the two sides differently (the searcher's chances and the opponent's threats).
// `reset` tells on whose behalf the search is made: the side to move at the root.
#pragma once

#include <span>

#include "../game.hpp"

namespace mossa {

template <Game G>
class Evaluator {
 public:
  using Position = typename G::Position;
  using Moves = MoveList<G::max_moves>;

  virtual ~Evaluator() = default;

  virtual void reset(const Position& root) = 0;
  virtual void play(const Position& before, Move move) = 0;
  /// Takes back the last `play`.
  virtual void undo() = 0;

  virtual int value(const Position& position) = 0;
  /// The value of `after`, which `move` makes of `before`, for the side to move in `after`.
  virtual int value_after(const Position& before, Move move, const Position& after) = 0;
  /// The value of the position after each move, for the side that makes it.
  virtual void rank(const Position& position, const Moves& moves, std::span<int> ranks) = 0;
};

}  // namespace mossa
