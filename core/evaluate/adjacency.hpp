// Adjacency, the evaluation of the ConnectX report: how many own stones touch the last one played.
//
// The report gives a float in [0, 1); here it is the count, 0 to 8, for the side that moved last.
#pragma once

#include <vector>

#include "evaluator.hpp"

namespace mossa {

template <Game G>
class Adjacency final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  explicit Adjacency(const G& game) : game_(game) {}

  void reset(const Position&) override { counts_.assign(1, 0); }
  void play(const Position& before, Move move) override { counts_.push_back(touching(before, move)); }
  void undo() override { counts_.pop_back(); }

  int value(const Position&) override { return -counts_.back(); }
  int value_after(const Position& before, Move move, const Position&) override {
    return -touching(before, move);
  }

  void rank(const Position& position, const Moves& moves, Successors<G>&, std::span<int> ranks) override {
    for (int i = 0; i < moves.size(); ++i) ranks[static_cast<std::size_t>(i)] = touching(position, moves[i]);
  }

 private:
  int touching(const Position& before, Move move) const {
    const auto& stones = before.stones[index(game_.side(before))];
    const Cell cell = game_.grid().cell(game_.landing(before, move));
    int count = 0;
    for (int up = -1; up <= 1; ++up)
      for (int right = -1; right <= 1; ++right)
        if ((up || right) && game_.grid().contains(cell.row + up, cell.col + right))
          count += stones.test(game_.grid().bit(cell.row + up, cell.col + right));
    return count;
  }

  const G& game_;
  std::vector<int> counts_;  // by ply
};

}  // namespace mossa
