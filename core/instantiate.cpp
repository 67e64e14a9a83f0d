// One family of games with every search for it: the slow part of the build, compiled once per family
// (MOSSA_FAMILY counts them in the order of games.hpp) so that the families build side by side.
#include "engine_of.hpp"

namespace mossa {

template std::shared_ptr<const AnyGame> make_any<std::tuple_element_t<MOSSA_FAMILY, Families>>(
    const GameSpec&);

}  // namespace mossa
