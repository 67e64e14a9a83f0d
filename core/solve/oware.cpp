// The choice of an oware solver: by the number of pits and seeds.
#include "oware.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_oware_solver(std::shared_ptr<const AnyGame> game,
                                             const SolverSettings& settings) {
  constexpr int most_seeds = 120;
  const OwareRules rules = solvable_oware(*game);
  if (rules.majority || rules.total() > most_seeds) return nullptr;
  const auto make = [&]<class Board, class Bits>() -> std::unique_ptr<AnySolver> {
    return std::make_unique<OwareSolver<Board, Bits>>(std::move(game), Board(rules), settings);
  };
  using Narrow = OwareBoard<std::uint64_t>;
  if (Narrow::fits(rules)) return make.template operator()<Narrow, std::uint64_t>();
#ifdef MOSSA_HAS_WIDE_BITS
  using Wide = OwareBoard<WideBits>;
  if (Wide::fits(rules)) return make.template operator()<Wide, WideBits>();
#endif
  return nullptr;
}

}  // namespace mossa
