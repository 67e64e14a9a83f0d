// The list of games. To add one, write its header under games/ and put its family here.
//
// A family names the kind, its sizes and options, and makes the rules object of the right type for a
// size: `make(spec, use)` calls `use` with it.
#pragma once

#include <tuple>

#include "games/connect.hpp"
#include "games/kalah.hpp"
#include "games/mnk.hpp"

namespace mossa {

using Families = std::tuple<MnkFamily, ConnectFamily, KalahFamily>;

static_assert(Game<Mnk<1>> && Game<Connect<1>> && Game<Kalah<1>>);

/// The kinds of all games, in the order of the list.
inline std::vector<KindInfo> kinds() {
  return std::apply([](auto... family) { return std::vector<KindInfo>{family.info()...}; }, Families{});
}

}  // namespace mossa
