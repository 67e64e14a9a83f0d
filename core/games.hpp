// The list of games. To add one, write its header under games/ and put its family here.
//
// A family names the kind, its sizes and options, and makes the rules object of the right type for a
// size: `make(spec, use)` calls `use` with it. The family of games/name.hpp is called NameFamily.
#pragma once

#include <tuple>

#include "games/breakthrough.hpp"
#include "games/connect.hpp"
#include "games/kalah.hpp"
#include "games/mnk.hpp"
#include "games/oware.hpp"

namespace mossa {

/// The build compiles games/name.hpp for each NameFamily in this line.
using Families = std::tuple<MnkFamily, ConnectFamily, KalahFamily, OwareFamily, BreakthroughFamily>;

/// The kinds of all games, in the order of the list.
inline std::vector<KindInfo> kinds() {
  return std::apply([](auto... family) { return std::vector<KindInfo>{family.info()...}; }, Families{});
}

}  // namespace mossa
