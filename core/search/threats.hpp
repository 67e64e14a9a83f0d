// The search by threats (threat_search.hpp) as a search of the game.
#pragma once

#include "search.hpp"
#include "threat_search.hpp"

namespace mossa {

template <Game G>
Stones stones_of(const G& game, const typename G::Position& position) {
  Stones stones;
  for (std::size_t s = 0; s < 2; ++s)
    position.stones[s].for_each([&](int bit) { stones[s].push_back(game.grid().cell(bit)); });
  return stones;
}

template <Game G>
class ThreatSearch {
 public:
  using Position = typename G::Position;
  static constexpr bool plays = LineGame<G> && !FallingGame<G>;

  static std::vector<Option> options(const Traits&) { return AnyThreatSearch::options(); }

  ThreatSearch(const G& game, const Options& options, const NetworkPointer& network = {}) : game_(game) {
    if constexpr (plays)
      search_ = std::make_unique<AnyThreatSearch>(
          MnkRules{game.grid().rows, game.grid().cols, game.k(), game.exact()}, options, network);
    else
      throw InvalidPlayerError("threats is for mnk only: in no other game may a stone go on any cell");
  }

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    if constexpr (plays) return search_->run(stones_of(game_, root), game_.side(root), task);
    return {};
  }

 private:
  const G& game_;
  std::unique_ptr<AnyThreatSearch> search_;
};

}  // namespace mossa
