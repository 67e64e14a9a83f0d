// What a search asks of an evaluation.
//
// An evaluator follows the search down and up (`play`, `undo`), so that it can keep its sums up to date
// instead of counting the board again. The last ply needs neither: `value_after` values a leaf from its
// parent. Values are for the side to move unless a comment says otherwise.
//
// Some evaluations weigh the two sides differently (the searcher's chances and the opponent's threats).
// `reset` names the side that the search thinks for: the side to move at the root.
#pragma once

#include <span>

#include "../game.hpp"

namespace mossa {

/// The positions after the moves of a position. An evaluation that must make the moves to rank them keeps
/// the positions here, so that the search need not make them again.
template <Game G>
class Successors {
 public:
  using Position = typename G::Position;

  void make(const G& game, const Position& position, const MoveList<G::max_moves>& moves) {
    const auto count = static_cast<std::size_t>(moves.size());
    if (positions_.size() < count) positions_.resize(count);
    for (int i = 0; i < moves.size(); ++i) {
      Position& next = positions_[static_cast<std::size_t>(i)];
      next = position;
      game.play(next, moves[i]);
    }
    made_ = true;
  }
  void clear() { made_ = false; }

  /// What the move at this place among the legal ones leads to, if it was made.
  const Position* find(int place) const {
    return made_ ? &positions_[static_cast<std::size_t>(place)] : nullptr;
  }
  const Position& operator[](int place) const { return positions_[static_cast<std::size_t>(place)]; }

 private:
  std::vector<Position> positions_;  // room that is used again
  bool made_ = false;
};

template <Game G>
class Evaluator {
 public:
  using Position = typename G::Position;
  using Moves = MoveList<G::max_moves>;

  virtual ~Evaluator() = default;

  virtual void reset(const Position& root, Side searcher) = 0;
  virtual void play(const Position& before, Move move) = 0;
  /// Takes back the last `play`.
  virtual void undo() = 0;

  virtual int value(const Position& position) = 0;
  /// The value of `after`, which `move` makes of `before`, for the side to move in `after`.
  virtual int value_after(const Position& before, Move move, const Position& after) = 0;
  /// The value of the position after each move, for the side that makes it. May make the successors.
  virtual void rank(const Position& position, const Moves& moves, Successors<G>& successors,
                    std::span<int> ranks) = 0;
};

}  // namespace mossa
