// Adjacency, the evaluation of the ConnectX report: how many of the searcher's stones touch the stone played
// last, whoever played it.
//
// The report makes a float in [0, 1) of it, never less than 0 for the searcher. Values here are whole
// numbers: the count itself, 0 to 8, which orders positions in the same way.
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

  void reset(const Position&, Side searcher) override {
    searcher_ = searcher;
    counts_.assign(1, 0);
  }
  void play(const Position& before, Move move) override { counts_.push_back(touching(before, move)); }
  void undo() override { counts_.pop_back(); }

  int value(const Position& position) override { return seen_by(game_.side(position), counts_.back()); }
  int value_after(const Position& before, Move move, const Position& after) override {
    return seen_by(game_.side(after), touching(before, move));
  }

  void rank(const Position& position, const Moves& moves, Successors<G>&, std::span<int> ranks) override {
    for (int i = 0; i < moves.size(); ++i)
      ranks[static_cast<std::size_t>(i)] = seen_by(game_.side(position), touching(position, moves[i]));
  }

 private:
  int seen_by(Side side, int count) const { return side == searcher_ ? count : -count; }

  int touching(const Position& before, Move move) const {
    const auto& stones = before.stones[index(searcher_)];
    const Cell cell = game_.grid().cell(game_.landing(before, move));
    int count = 0;
    for (int up = -1; up <= 1; ++up)
      for (int right = -1; right <= 1; ++right)
        if ((up || right) && game_.grid().contains(cell.row + up, cell.col + right))
          count += stones.test(game_.grid().bit(cell.row + up, cell.col + right));
    return count;
  }

  const G& game_;
  Side searcher_ = Side::first;
  std::vector<int> counts_;  // by ply
};

}  // namespace mossa
