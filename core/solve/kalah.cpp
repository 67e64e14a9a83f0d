// The choice of a kalah solver: by the number of pits and the seeds that one may hold.
#include "kalah.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_kalah_solver(std::shared_ptr<const AnyGame> game,
                                             const SolverSettings& settings) {
  using namespace baseline;
  const KalahRules rules = kalah_rules(*game);
  const auto make = [&]<class Board, class Bits>() -> std::unique_ptr<AnySolver> {
    return std::make_unique<KalahSolver<Board, Bits>>(std::move(game), Board(rules), settings);
  };
  using Narrow = KalahBoard<std::uint64_t>;
  using Five = KalahBoard<std::uint64_t, 5>;
  if (rules.pits == 5 && !rules.majority && Five::fits(rules))
    return make.template operator()<Five, std::uint64_t>();
  if (Narrow::fits(rules)) return make.template operator()<Narrow, std::uint64_t>();
#ifdef MOSSA_HAS_WIDE_BITS
  // Five bits a pit: more seeds than that in one pit are so rare that a wider board can help out.
  using Six = KalahBoard<std::uint64_t, 6>;
  using Wide = KalahBoard<WideBits>;
  if (rules.pits == 6 && !rules.majority) return make.template operator()<Six, std::uint64_t>();
  if (Wide::fits(rules)) return make.template operator()<Wide, WideBits>();
#endif
  return nullptr;
}

}  // namespace mossa
