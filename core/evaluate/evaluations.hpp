// The list of evaluations. To add one, write its header here and put it into `make_evaluator`.
#pragma once

#include <memory>

#include "../games.hpp"
#include "adjacency.hpp"
#include "margin.hpp"
#include "sequences.hpp"
#include "threats.hpp"

namespace mossa {

/// Line games have a grid and count the plies to a win; Kalah counts seeds.
template <class G>
concept LineGame = Game<G> && requires(const G& game) { game.grid(); };

inline Option evaluation_option() {
  return Option::choice(
      "evaluate",
      {"default", "windows", "scenarios", "sequences", "sequences-3", "sequences-4", "squares", "stones",
       "open-lines", "adjacency", "threats", "margin", "none"},
      "what a leaf is worth: windows of k, ways to win, sequences (and what led to them), stones around the "
      "last one, threats by parity (connect), the margin of the stores; default: windows on line games, "
      "margin on kalah");
}

/// Worth nothing unless the game is over.
template <Game G>
class NoEvaluation final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  void reset(const Position&, Side) override {}
  void play(const Position&, Move) override {}
  void undo() override {}
  int value(const Position&) override { return 0; }
  int value_after(const Position&, Move, const Position&) override { return 0; }
  void rank(const Position&, const Moves&, Successors<G>&, std::span<int> ranks) override {
    std::ranges::fill(ranks, 0);
  }
};

/// Throws InvalidPlayerError if the game has no such evaluation.
template <Game G>
std::unique_ptr<Evaluator<G>> make_evaluator(const G& game, const std::string& name) {
  if (name == "none") return std::make_unique<NoEvaluation<G>>();
  if constexpr (LineGame<G>) {
    if (name == "default" || name == "windows") return std::make_unique<Windows<G>>(game);
    if (name == "scenarios") return std::make_unique<Scenarios<G>>(game);
    if (const auto worth = sequence_worth(name))
      return std::make_unique<Sequences<G>>(game, SequenceShape(game.k(), *worth));
    if (name == "adjacency") return std::make_unique<Adjacency<G>>(game);
    if (name == "threats") {
      if constexpr (FallingGame<G>) return std::make_unique<Threats<G>>(game);
      throw InvalidPlayerError("evaluate=threats is for connect only, where stones fall");
    }
    throw InvalidPlayerError("evaluate=" + name +
                             " is not for line games: they have windows, scenarios, sequences, sequences-3, "
                             "sequences-4, squares, stones, open-lines, adjacency");
  } else {
    if (name == "default" || name == "margin") return std::make_unique<Margin<G>>(game);
    throw InvalidPlayerError("evaluate=" + name + " is for line games only: kalah has margin");
  }
}

}  // namespace mossa
