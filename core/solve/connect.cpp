// The connect solver at the sizes it is compiled for.
#include "connect.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_connect_solver(std::shared_ptr<const AnyGame> game,
                                               const SolverSettings& settings) {
  const auto& sizes = game->spec().sizes;
  const int rows = sizes[0], cols = sizes[1], k = sizes[2];
  const auto make = [&]<class Bits, class Board>(const Board& board) -> std::unique_ptr<AnySolver> {
    return std::make_unique<ConnectSolver<Board, Bits>>(std::move(game), board, settings);
  };
  using Narrow = std::uint64_t;
  if (rows == 6 && cols == 7 && k == 4)
    return make.template operator()<Narrow>(ConnectBoard<Narrow, 6, 7, 4>(rows, cols, k));
  const int bits = (rows + 1) * cols;
  if (bits <= 64) return make.template operator()<Narrow>(ConnectBoard<Narrow>(rows, cols, k));
#ifdef MOSSA_HAS_WIDE_BITS
  if (bits <= 128) return make.template operator()<WideBits>(ConnectBoard<WideBits>(rows, cols, k));
#endif
  return nullptr;
}

}  // namespace mossa
