// The connect solver for every processor, and the choice of the one for this.
#include "connect.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_connect_solver(std::shared_ptr<const AnyGame> game,
                                               const SolverSettings& settings) {
  const auto& sizes = game->spec().sizes;
  const int bits = (sizes[0] + 1) * sizes[1];
  if (bits <= 64) {
#ifdef MOSSA_AVX2_TOO
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        !baseline::ConnectParams(settings).portable)
      return make_connect_solver_avx2(std::move(game), settings);
#endif
    return baseline::make_narrow_connect_solver(std::move(game), settings);
  }
#ifdef MOSSA_HAS_WIDE_BITS
  using Board = baseline::ConnectBoard<WideBits>;
  if (bits <= 128)
    return std::make_unique<baseline::ConnectSolver<Board, WideBits>>(
        std::move(game), Board(sizes[0], sizes[1], sizes[2]), settings);
#endif
  return nullptr;
}

}  // namespace mossa
