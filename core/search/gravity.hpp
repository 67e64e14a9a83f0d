// The search for games in which stones fall (gravity_search.hpp) as a search of the game.
#pragma once

#include "gravity_search.hpp"
#include "search.hpp"

namespace mossa {

template <Game G>
class GravitySearch {
 public:
  using Position = typename G::Position;
  static constexpr bool plays = FallingGame<G>;

  static std::vector<Option> options(const Traits&) { return AnyGravitySearch::options(); }

  GravitySearch(const G& game, const Options& options, const NetworkPointer& network = {}) : game_(game) {
    if constexpr (plays)
      search_ = std::make_unique<AnyGravitySearch>(GravityRules{game.grid().rows, game.grid().cols, game.k()},
                                                   options, network);
    else
      throw InvalidPlayerError("gravity is for connect only: in no other game do stones fall");
  }

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    if constexpr (plays) {
      Columns columns(static_cast<std::size_t>(game_.grid().cols));
      for (int col = 0; col < game_.grid().cols; ++col)
        for (int row = 0; row < game_.height(root, col); ++row)
          columns[static_cast<std::size_t>(col)].push_back(
              root.stones[0].test(game_.grid().bit(row, col)) ? Side::first : Side::second);
      return search_->run(columns, game_.side(root), task);
    }
    return {};
  }

 private:
  const G& game_;
  std::unique_ptr<AnyGravitySearch> search_;
};

}  // namespace mossa
