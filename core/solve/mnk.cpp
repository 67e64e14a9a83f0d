// The choice of an mnk solver: by the size of the board.
#include "mnk.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_mnk_solver(std::shared_ptr<const AnyGame> game,
                                           const SolverSettings& settings) {
  const GameSpec& spec = game->spec();
  if (spec.options.at("exact") == "yes") return nullptr;
  const int cells = spec.sizes[0] * spec.sizes[1];
  if (cells <= 64) return std::make_unique<MnkSolver<std::uint64_t>>(std::move(game), settings);
#ifdef MOSSA_HAS_WIDE_BITS
  if (cells <= 128) return std::make_unique<MnkSolver<WideBits>>(std::move(game), settings);
#endif
  return nullptr;
}

}  // namespace mossa
