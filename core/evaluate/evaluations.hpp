// The list of evaluations. To add one, write its header here and put it into `evaluations`, and its
// name into `evaluation_option`.
#pragma once

#include <functional>
#include <memory>

#include "../games/lines.hpp"
#include "adjacency.hpp"
#include "margin.hpp"
#include "parity.hpp"
#include "sequences.hpp"

namespace mossa {

/// Worth nothing unless the game is over.
template <Game G>
class NoEvaluation final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  explicit NoEvaluation(const G&) {}

  void reset(const Position&, Side) override {}
  void play(const Position&, Move) override {}
  void undo() override {}
  int value(const Position&) override { return 0; }
  int value_after(const Position&, Move, const Position&) override { return 0; }
  void rank(const Position&, const Moves&, Successors<G>&, std::span<int> ranks) override {
    std::ranges::fill(ranks, 0);
  }
};

/// An evaluation by the name it has in texts such as "alphabeta:evaluate=windows".
template <Game G>
struct NamedEvaluation {
  std::string_view name;
  std::function<std::unique_ptr<Evaluator<G>>(const G&)> make;
};

template <class Evaluation, Game G>
NamedEvaluation<G> named(std::string_view name) {
  return {name, [](const G& game) { return std::make_unique<Evaluation>(game); }};
}

/// The list: the evaluations that a game has, its default first.
template <Game G>
std::vector<NamedEvaluation<G>> evaluations() {
  std::vector<NamedEvaluation<G>> list;
  if constexpr (LineGame<G>) {
    list = {named<Windows<G>, G>("windows"), named<Scenarios<G>, G>("scenarios")};
    for (const auto& [name, worth] : sequence_worths)
      list.push_back({name, [worth](const G& game) {
                        return std::make_unique<Sequences<G>>(game, SequenceShape(game.k(), worth));
                      }});
    list.push_back(named<Adjacency<G>, G>("adjacency"));
  }
  if constexpr (FallingGame<G>) list.push_back(named<Parity<G>, G>("parity"));
  if constexpr (EstimatedGame<G>) list.push_back(named<Estimate<G>, G>("estimate"));
  if constexpr (!OutcomeGame<G>) list.push_back(named<Margin<G>, G>("margin"));
  list.push_back(named<NoEvaluation<G>, G>("none"));
  return list;
}

/// The names above, of all games together.
inline Option evaluation_option() {
  return Option::choice(
      "evaluate",
      {"default", "windows", "scenarios", "sequences", "sequences-3", "sequences-4", "squares", "stones",
       "open-lines", "adjacency", "parity", "estimate", "margin", "none"},
      "what a leaf is worth: windows of k, ways to win, sequences (and what led to them), stones around the "
      "last one, threats by parity (connect), the game's own estimate, the margin so far; default: the first "
      "of these that the game has");
}

template <Game G>
std::vector<std::string> evaluation_names() {
  std::vector<std::string> names;
  for (const NamedEvaluation<G>& each : evaluations<G>()) names.emplace_back(each.name);
  return names;
}

/// Throws InvalidPlayerError if the game has no such evaluation.
template <Game G>
std::unique_ptr<Evaluator<G>> make_evaluator(const G& game, const std::string& name) {
  for (const NamedEvaluation<G>& each : evaluations<G>())
    if (name == each.name || name == "default") return each.make(game);
  throw InvalidPlayerError("evaluate=" + name + " is not for this game, which has " +
                           join(evaluation_names<G>(), ", "));
}

}  // namespace mossa
