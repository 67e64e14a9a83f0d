// What the seeds in the pits are worth, for games that sow into a store of one's own.
//
// The margin so far says little in the middle of a game. The seeds that still lie in the pits belong to
// somebody in the end, and five counts tell to whom. A regression of the final margin on them, over 190,000
// positions of 4,200 games on seven boards from 5x6 to 8x6, gave their weights:
//
// - Pits with seeds: who has moves left can wait, and nobody takes what moves in time.
// - Seeds that reach no further than the own store. They count the more, the fewer seeds are left: an early
//   one travels round the board, a late one stays and falls to its owner, under rules that give it to the
//   owner.
// - Pits whose last seed falls into the own store: another turn.
// - The largest capture that the side to move has, and the largest that threatens it.
#pragma once

#include "evaluator.hpp"

namespace mossa {

/// A game of pits in rows, each with a store at its end that its side sows into.
template <class G>
concept StoreGame =
    MarginGame<G> && requires(const G& game, const typename G::Position& position, Side side) {
      { game.row(position, side)[0] } -> std::same_as<int>;  // its pits from the left, then its store
      { game.rules().pits } -> std::convertible_to<int>;
      { game.owner_keeps() } -> std::same_as<bool>;  // whoever owns a pit gets what is left in it at the end
    };

template <StoreGame G>
class Seeds final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  explicit Seeds(const G& game) : game_(game), pits_(game.rules().pits), total_(game.rules().total()) {}

  void reset(const Position&, Side) override {}
  void play(const Position&, Move) override {}
  void undo() override {}

  int value(const Position& position) override {
    const Side side = game_.side(position);
    const auto own = game_.row(position, side), opposing = game_.row(position, other(side));
    const Counts mine = count(own, opposing), theirs = count(opposing, own);
    const int margin = own[pits_] - opposing[pits_];
    const int gathered = own[pits_] + opposing[pits_];
    int parts = move_weight * (mine.moves - theirs.moves) + extra_weight * mine.extra_turns -
                extra_threat * theirs.extra_turns + capture_weight * mine.capture -
                capture_threat * theirs.capture;
    if (game_.owner_keeps())
      parts += unit * (mine.kept - theirs.kept) * gathered * gathered / (total_ * total_);
    return margin + rounded(parts);
  }
  int value_after(const Position&, Move, const Position& after) override { return value(after); }

  /// By the margin alone, and another turn is worth one seed: that is quicker, and the order is as good.
  void rank(const Position& position, const Moves& moves, Successors<G>& successors,
            std::span<int> ranks) override {
    successors.make(game_, position, moves);
    const Side side = game_.side(position);
    for (int i = 0; i < moves.size(); ++i) {
      const int margin = game_.value(successors[i]);
      ranks[static_cast<std::size_t>(i)] =
          (side == Side::first ? margin : -margin) + (game_.side(successors[i]) == side);
    }
  }

 private:
  // In parts of a seed.
  static constexpr int unit = 8, move_weight = 8, extra_weight = 12, extra_threat = 2, capture_weight = 6,
                       capture_threat = 3;

  struct Counts {
    int moves = 0, kept = 0, extra_turns = 0, capture = 0;
  };

  template <class Row>
  Counts count(const Row& own, const Row& opposing) const {
    Counts counts;
    for (int pit = 0; pit < pits_; ++pit) {
      const int seeds = own[pit], to_store = pits_ - pit;
      if (seeds == 0) continue;
      ++counts.moves;
      counts.kept += std::min(seeds, to_store);
      counts.extra_turns += seeds == to_store;
      if (const int last = pit + seeds; last < pits_ && own[last] == 0)
        if (const int captured = opposing[pits_ - 1 - last])
          counts.capture = std::max(counts.capture, captured + 1);
    }
    return counts;
  }

  /// To the nearest seed, alike for both sides.
  static int rounded(int parts) { return (parts + (parts > 0 ? unit / 2 : -unit / 2)) / unit; }

  const G& game_;
  int pits_, total_;
};

}  // namespace mossa
