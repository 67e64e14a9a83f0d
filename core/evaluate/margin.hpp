// The margin so far: Kalah's store difference. With nothing to sum, it is read from the position.
#pragma once

#include "evaluator.hpp"

namespace mossa {

template <Game G>
class Margin final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  explicit Margin(const G& game) : game_(game) {}

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
    return side == Side::first ? game_.value(position) : -game_.value(position);
  }

  const G& game_;
};

}  // namespace mossa
