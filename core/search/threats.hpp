// The search for mnk that knows threats: threat_engine.hpp, asked about positions of the game.
#pragma once

#include "search.hpp"
#include "threat_engine.hpp"

namespace mossa {

template <Game G>
class ThreatSearch {
 public:
  using Position = typename G::Position;
  static constexpr bool plays = LineGame<G> && !FallingGame<G>;

  static std::vector<Option> options() { return ThreatEngine::options(); }

  ThreatSearch(const G& game, const Options& options) : game_(game) {
    if constexpr (plays)
      engine_ = std::make_unique<ThreatEngine>(game.grid().rows, game.grid().cols, game.k(), game.exact(),
                                               options);
    else
      throw InvalidPlayerError("threats is for mnk only, where a stone may go anywhere");
  }

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    std::array<std::vector<Cell>, 2> stones;
    if constexpr (plays)
      for (std::size_t s = 0; s < 2; ++s)
        root.stones[s].for_each([&](int bit) { stones[s].push_back(game_.grid().cell(bit)); });
    return engine_->run(stones, game_.side(root), task);
  }

 private:
  const G& game_;
  std::unique_ptr<ThreatEngine> engine_;
};

}  // namespace mossa
