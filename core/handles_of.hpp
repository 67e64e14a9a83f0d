// Games, positions and searches with their types: what stands behind the handles of handles.hpp.
//
// The build writes one file for each game that includes this. Nothing else does: it is slow to compile.
#pragma once

#include "handles.hpp"
#include "perft.hpp"
#include "searches.hpp"

namespace mossa {

template <Game G>
class PositionOf;

template <Game G, template <class> class Algorithm>
class SearchOf;

template <Game G>
class GameOf final : public AnyGame {
 public:
  GameOf(GameSpec spec, KindInfo info, G rules)
      : AnyGame(std::move(spec), std::move(info)), rules_(std::move(rules)) {}

  const G& rules() const { return rules_; }
  std::shared_ptr<const GameOf> shared() const {
    return std::static_pointer_cast<const GameOf>(shared_from_this());
  }

  const Traits& traits() const override { return G::traits; }
  std::vector<std::string> evaluations() const override { return evaluation_names<G>(); }
  std::optional<NetworkGame> network_game() const override {
    return mossa::network_game(rules_, rules_text());
  }

  std::shared_ptr<const AnyPosition> start() const override {
    return std::make_shared<PositionOf<G>>(shared(), rules_.start());
  }

  std::shared_ptr<const AnyPosition> from_text(std::string_view text) const override {
    const typename G::Position position = rules_.parse(text);
    return std::make_shared<PositionOf<G>>(shared(), position, Past{rules_.text(position)});
  }

 private:
  std::unique_ptr<AnySearch> make_search(std::string_view algorithm, const Options& options,
                                         const NetworkPointer& network) const override {
    std::unique_ptr<AnySearch> made;
    with_search(algorithm, [&]<template <class> class Algorithm>() {
      if constexpr (SearchOf<G, Algorithm>::learns)
        made = std::make_unique<SearchOf<G, Algorithm>>(shared(), options, network);
      else if (network)
        throw InvalidPlayerError(std::string(algorithm) + " does not use networks");
      else
        made = std::make_unique<SearchOf<G, Algorithm>>(shared(), options);
    });
    return made;
  }

  std::string accepted_moves() const override { return rules_.accepted_moves(); }
  std::size_t move_length(std::string_view word) const override { return rules_.move_length(word); }

  G rules_;
};

template <Game G>
class PositionOf final : public AnyPosition {
 public:
  PositionOf(std::shared_ptr<const GameOf<G>> game, const typename G::Position& position, Past past = {})
      : AnyPosition(game, std::move(past)), rules_(game->rules()), position_(position) {}

  const typename G::Position& plain() const { return position_; }

  Side side() const override { return rules_.side(position_); }

  std::vector<Move> moves() const override {
    const auto list = rules_.moves(position_);
    return {list.begin(), list.end()};
  }

  std::optional<Outcome> outcome() const override {
    if (!rules_.is_over(position_)) return {};
    return rules_.outcome(position_);
  }

  int left_to_play() const override { return rules_.left_to_play(position_); }

  std::vector<std::uint64_t> key() const override { return words_of(rules_.key(position_)); }
  std::vector<std::uint64_t> canonical_key() const override {
    return words_of(rules_.canonical_key(position_));
  }
  Cells cells() const override { return rules_.cells(position_); }
  std::vector<Cell> winning_cells() const override { return rules_.winning_cells(position_); }
  std::string text() const override { return rules_.text(position_); }

  std::unique_ptr<Alignments> alignments() const override {
    if constexpr (LineGame<G>)
      return std::make_unique<Alignments>(rules_.cells(position_), rules_.k(), rules_.exact());
    else
      throw none_here("alignments", for_lines);
  }

  std::vector<Candidate> candidates() const override {
    if constexpr (LineGame<G>)
      return mossa::candidates(rules_, position_);
    else
      throw none_here("candidates", for_lines);
  }

  int evaluate(const std::string& evaluation, Side searcher) const override {
    const auto evaluator = make_evaluator(rules_, evaluation);
    check_open("evaluate");
    if (history().empty()) {
      evaluator->reset(position_, searcher);
    } else {
      // The last move is played once more: some evaluations look around its stone.
      auto before = start_text() ? rules_.parse(*start_text()) : rules_.start();
      for (std::size_t i = 0; i + 1 < history().size(); ++i) rules_.play(before, history()[i]);
      evaluator->reset(before, searcher);
      evaluator->play(before, history().back());
    }
    const int value = evaluator->value(position_);
    return side() == searcher ? value : -value;
  }

  std::vector<Threat> threats(Move move) const override {
    check(move);
    if constexpr (LineGame<G> && !FallingGame<G>) {
      const Grid& grid = rules_.grid();
      return threats_made({grid.rows, grid.cols, rules_.k(), rules_.exact()}, stones_of(rules_, position_),
                          {move.row(), move.col()}, side());
    } else {
      throw none_here("threats", "for mnk, where a stone may go anywhere");
    }
  }

  std::uint64_t perft(int depth, const Poll& poll) const override {
    const Limits no_limits;
    Budget budget(no_limits, poll);
    return mossa::perft(rules_, position_, depth, budget);
  }

  std::array<std::uint64_t, 3> play_outs(std::uint64_t count, std::uint64_t seed,
                                         const Poll& poll) const override {
    const Limits no_limits;
    Budget budget(no_limits, poll);
    return mossa::play_outs(rules_, position_, count, seed, budget);
  }

  std::optional<std::uint64_t> count_states(std::uint64_t limit, const Poll& poll) const override {
    const Limits no_limits;
    Budget budget(no_limits, poll);
    return mossa::count_states(rules_, position_, limit, budget);
  }

 private:
  static constexpr std::string_view for_lines = "for mnk and connect, whose games are won by k in a row";

  std::optional<std::string> refusal(Move move) const override { return rules_.refusal(position_, move); }
  std::optional<Cell> source_of(Move move) const override { return rules_.source(position_, move); }
  std::optional<Cell> target_of(Move move) const override { return rules_.target(position_, move); }

  std::shared_ptr<const AnyPosition> after(Move move, Past past) const override {
    typename G::Position next = position_;
    rules_.play(next, move);
    return std::make_shared<PositionOf>(std::static_pointer_cast<const GameOf<G>>(game()), next,
                                        std::move(past));
  }

  template <std::size_t N>
  static std::vector<std::uint64_t> words_of(const std::array<std::uint64_t, N>& key) {
    return {key.begin(), key.end()};
  }

  const G& rules_;  // lives as long as the game, which the base class holds
  typename G::Position position_;
};

template <Game G, template <class> class Algorithm>
class SearchOf final : public AnySearch {
 public:
  /// True if the algorithm takes a network.
  static constexpr bool learns =
      std::constructible_from<Algorithm<G>, const G&, const Options&, const NetworkPointer&>;

  /// `network` is there if the algorithm takes one.
  template <class... MaybeNetwork>
  SearchOf(const std::shared_ptr<const GameOf<G>>& game, const Options& options,
           const MaybeNetwork&... network)
      : AnySearch(game), search_(game->rules(), options, network...) {}

 private:
  Info search(const AnyPosition& position, const Task& task) override {
    return search_.run(static_cast<const PositionOf<G>&>(position).plain(), task);
  }

  Algorithm<G> search_;
};

/// The game of this family that `spec` describes.
template <class Family>
std::shared_ptr<const AnyGame> make_any(const GameSpec& spec) {
  const KindInfo& info = Family::info();
  check_sizes(spec, info);
  const Options options = Options::check<InvalidGameError>(spec.options, info.options, info.name);
  const GameSpec complete{spec.kind, spec.sizes, options.all()};
  return Family::make(spec, options, [&](auto rules) -> std::shared_ptr<const AnyGame> {
    return std::make_shared<GameOf<decltype(rules)>>(complete, info, std::move(rules));
  });
}

}  // namespace mossa
