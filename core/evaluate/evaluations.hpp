// The list of evaluations. To add one, write its header here and put one entry into `evaluations`.
#pragma once

#include <memory>
#include <tuple>

#include "../learn/network_evaluation.hpp"
#include "../options.hpp"
#include "adjacency.hpp"
#include "margin.hpp"
#include "parity.hpp"
#include "seeds.hpp"
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

template <Game G>
using MadeEvaluator = std::unique_ptr<Evaluator<G>>;

/// An evaluation: its name in texts such as "alphabeta:evaluate=windows", what it counts, and how it is made.
/// A game has it if `make` takes the game; one that takes a network too is there only with a network.
template <class Make>
struct NamedEvaluation {
  std::string_view name;
  std::string_view summary;  // empty: told with the one before it
  Make make;
};

struct MakeSequences {
  SequenceWorth worth{};

  template <LineGame G>
  MadeEvaluator<G> operator()(const G& game) const {
    return std::make_unique<LineSums<G>>(game, std::make_unique<SequenceShape>(game.k(), worth));
  }
};

/// The list. A game's default is the first that it has.
inline constexpr std::tuple evaluations{
    NamedEvaluation{"windows", "windows of k cells",
                    []<LineGame G>(const G& game) -> MadeEvaluator<G> {
                      return std::make_unique<LineSums<G>>(window_sums(game));
                    }},
    NamedEvaluation{
        "scenarios", "ways to win",
        []<LineGame G>(const G& game) -> MadeEvaluator<G> { return std::make_unique<Scenarios<G>>(game); }},
    NamedEvaluation{"sequences", "sequences (and what led to them)", MakeSequences{}},
    NamedEvaluation{"sequences-3", "", MakeSequences{{2, 3, true}}},
    NamedEvaluation{"sequences-4", "", MakeSequences{{2, 4, true}}},
    NamedEvaluation{"squares", "", MakeSequences{{2, 2, false}}},
    NamedEvaluation{"stones", "", MakeSequences{{1, 1, false}}},
    NamedEvaluation{"open-lines", "", MakeSequences{{0, 0, false}}},
    NamedEvaluation{
        "adjacency", "stones around the last one",
        []<LineGame G>(const G& game) -> MadeEvaluator<G> { return std::make_unique<Adjacency<G>>(game); }},
    NamedEvaluation{
        "parity", "threats by parity (connect)",
        []<FallingGame G>(const G& game) -> MadeEvaluator<G> { return std::make_unique<Parity<G>>(game); }},
    NamedEvaluation{"estimate", "the game's own estimate",
                    []<EstimatedGame G>(const G& game) -> MadeEvaluator<G> {
                      return std::make_unique<Estimate<G>>(game);
                    }},
    NamedEvaluation{
        "margin", "the margin so far",
        []<MarginGame G>(const G& game) -> MadeEvaluator<G> { return std::make_unique<Margin<G>>(game); }},
    NamedEvaluation{
        "seeds", "what the seeds in the pits are worth (kalah)",
        []<StoreGame G>(const G& game) -> MadeEvaluator<G> { return std::make_unique<Seeds<G>>(game); }},
    NamedEvaluation{"net", "a network",
                    []<LearntGame G>(const G& game, NetworkPointer network) -> MadeEvaluator<G> {
                      return std::make_unique<NetworkEvaluation<G>>(game, std::move(network));
                    }},
    NamedEvaluation{
        "none", "",
        []<Game G>(const G& game) -> MadeEvaluator<G> { return std::make_unique<NoEvaluation<G>>(game); }},
};

/// All of them, whatever the game.
Option evaluation_option();

/// Those that a game has without a network, its default first.
template <Game G>
std::vector<std::string> evaluation_names() {
  std::vector<std::string> names;
  const auto add = [&]<class Make>(const NamedEvaluation<Make>& each) {
    if constexpr (std::invocable<const Make&, const G&>) names.emplace_back(each.name);
  };
  std::apply([&](const auto&... each) { (add(each), ...); }, evaluations);
  return names;
}

InvalidPlayerError no_such_evaluation(const std::string& name, const std::vector<std::string>& names);

/// An evaluation that lacks its network, or a network that the evaluation has no use for.
InvalidPlayerError lacks_network(const std::string& name);
InvalidPlayerError ignores_network(const std::string& name);

/// Throws InvalidPlayerError if the game has no such evaluation. A network, which must be for the game, makes
/// `net` the default.
template <Game G>
MadeEvaluator<G> make_evaluator(const G& game, const std::string& given_name,
                                const NetworkPointer& network = {}) {
  const std::string name = network && given_name == "default" ? "net" : given_name;
  MadeEvaluator<G> made;
  const auto try_to_make = [&]<class Make>(const NamedEvaluation<Make>& each) {
    if (made || (name != each.name && name != "default")) return;
    if constexpr (std::invocable<const Make&, const G&>) {
      if (network) throw ignores_network(name);
      made = each.make(game);
    } else if constexpr (std::invocable<const Make&, const G&, NetworkPointer>) {
      if (!network) throw lacks_network(name);
      made = each.make(game, network);
    }
  };
  std::apply([&](const auto&... each) { (try_to_make(each), ...); }, evaluations);
  if (!made) throw no_such_evaluation(name, evaluation_names<G>());
  return made;
}

}  // namespace mossa
