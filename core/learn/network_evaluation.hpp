// Evaluation: what a network says (network.hpp).
//
// On line games the value is in thousandths of the logarithm of the odds, where margins are played for it is
// the expected margin.
#pragma once

#include "../evaluate/seeds.hpp"
#include "line_network_board.hpp"
#include "own_value.hpp"

namespace mossa {

/// What a network must know of a game; nothing where there is no network for such a game. `rules` are the
/// options that differ from their default.
template <Game G>
std::optional<NetworkGame> network_game(const G& game, const std::string& rules) {
  if constexpr (LineGame<G>)
    return NetworkGame{NetworkKind::lines, game.k(), G::traits.falls, rules};
  else if constexpr (StoreGame<G>)
    return NetworkGame{NetworkKind::pits, game.rules().pits, false, rules};
  else
    return {};
}

/// A game that there can be a network for.
template <class G>
concept LearntGame = LineGame<G> || StoreGame<G>;

template <Game G>
class NetworkEvaluation;

template <LineGame G>
class NetworkEvaluation<G> final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  NetworkEvaluation(const G& game, NetworkPointer network)
      : game_(game), board_(network, game.grid().rows, game.grid().cols) {
    if (network->beside()) own_ = OwnValue::of(network->game(), game.grid().rows, game.grid().cols);
  }

  void reset(const Position& root, Side) override {
    std::vector<std::uint8_t> stones(static_cast<std::size_t>(board_.cells()));
    for (std::size_t s = 0; s < 2; ++s)
      root.stones[s].for_each(
          [&](int bit) { stones[static_cast<std::size_t>(cell(bit))] = static_cast<std::uint8_t>(s + 1); });
    board_.set_up(stones);
    if (own_) own_->set_up(stones, game_.side(root), {});
  }
  void play(const Position& before, Move move) override {
    const int to = cell(game_.landing(before, move));
    board_.put(to, game_.side(before));
    if (own_) own_->put(to, game_.side(before));
  }
  void undo() override {
    board_.take();
    if (own_) own_->take();
  }

  int value(const Position& position) override { return value(game_.side(position)); }
  int value_after(const Position& before, Move move, const Position&) override {
    play(before, move);
    const int found = value(other(game_.side(before)));
    undo();
    return found;
  }
  void rank(const Position& position, const Moves& moves, Successors<G>&, std::span<int> ranks) override {
    for (int i = 0; i < moves.size(); ++i)
      ranks[static_cast<std::size_t>(i)] = -value_after(position, moves[i], position);
  }

 private:
  int value(Side to_move) { return board_.value(to_move, own_ ? own_->value(to_move) : 0); }
  int cell(int bit) const {
    const Cell at = game_.grid().cell(bit);
    return at.row * game_.grid().cols + at.col;
  }

  const G& game_;
  LineNetworkBoard board_;
  std::unique_ptr<OwnValue> own_;  // of a network that corrects it
};

template <StoreGame G>
class NetworkEvaluation<G> final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  NetworkEvaluation(const G& game, NetworkPointer network)
      : game_(game), network_(std::move(network)), order_(game) {}

  void reset(const Position&, Side) override {}
  void play(const Position&, Move) override {}
  void undo() override {}

  int value(const Position& position) override {
    const Side side = game_.side(position);
    const int pits = game_.rules().pits;
    const auto own = game_.row(position, side), opposing = game_.row(position, other(side));
    return network_->pits()
        .estimate({own, opposing, pits}, {opposing, own, pits}, own[pits] - opposing[pits],
                  network_->kernels())
        .margin;
  }
  int value_after(const Position&, Move, const Position& after) override { return value(after); }
  /// By the margin so far: that is quicker, and the order is as good.
  void rank(const Position& position, const Moves& moves, Successors<G>& successors,
            std::span<int> ranks) override {
    order_.rank(position, moves, successors, ranks);
  }

 private:
  const G& game_;
  NetworkPointer network_;
  Seeds<G> order_;
};

}  // namespace mossa
