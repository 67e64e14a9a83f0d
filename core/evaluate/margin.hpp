// The margin so far, from the view of the side to move: Kalah's store difference.
#pragma once

#include "../game.hpp"

namespace mossa {

template <Game G>
class Margin {
 public:
  explicit Margin(const G&) {}

  int operator()(const G& game, const typename G::Position& position) const {
    const int margin = game.value(position);
    return game.side(position) == Side::first ? margin : -margin;
  }
};

}  // namespace mossa
