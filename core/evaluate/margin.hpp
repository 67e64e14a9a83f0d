// Evaluations that ask the game itself and keep nothing up to date: the margin so far (the difference of the
// stores), and the estimate of a game that makes one.
#pragma once

#include "evaluator.hpp"

namespace mossa {

/// What `Read` says of a position, for the first side.
template <Game G, int (G::*Read)(const typename G::Position&) const>
class ReadOff final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  explicit ReadOff(const G& game) : game_(game) {}

  void reset(const Position&, Side) override {}
  void play(const Position&, Move) override {}
  void undo() override {}

  int value(const Position& position) override { return seen_by(game_.side(position), position); }
  int value_after(const Position&, Move, const Position& after) override { return value(after); }

  void rank(const Position& position, const Moves& moves, Successors<G>& successors,
            std::span<int> ranks) override {
    successors.make(game_, position, moves);
    for (int i = 0; i < moves.size(); ++i)
      ranks[static_cast<std::size_t>(i)] = seen_by(game_.side(position), successors[i]);
  }

 private:
  int seen_by(Side side, const Position& position) const {
    return side == Side::first ? (game_.*Read)(position) : -(game_.*Read)(position);
  }

  const G& game_;
};

template <MarginGame G>
using Margin = ReadOff<G, &G::value>;

/// A game that says what a position is worth to first while the game goes on.
template <class G>
concept EstimatedGame = Game<G> && requires(const G& game, const typename G::Position& position) {
  { game.estimate(position) } -> std::same_as<int>;
};

template <EstimatedGame G>
using Estimate = ReadOff<G, &G::estimate>;

}  // namespace mossa
