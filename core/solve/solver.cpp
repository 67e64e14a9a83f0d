#include "solver.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_solver(std::shared_ptr<const AnyGame> game, const SolverSettings& settings) {
  if (game->spec().kind == "connect") return make_connect_solver(std::move(game), settings);
  return nullptr;
}

}  // namespace mossa
