#include "solver.hpp"

#include "book.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_solver(std::shared_ptr<const AnyGame> game, const SolverSettings& settings) {
  if (settings.book && settings.book->game()->name() != game->name())
    throw GameError("a solver of " + game->name() + " was given a book of " + settings.book->game()->name());
  if (game->spec().kind == "connect") return make_connect_solver(std::move(game), settings);
  if (game->spec().kind == "mnk") return make_mnk_solver(std::move(game), settings);
  return nullptr;
}

}  // namespace mossa
