#include "solver.hpp"

#include "book.hpp"
#include "end_tables.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_solver(std::shared_ptr<const AnyGame> game, const SolverSettings& settings) {
  if (settings.book && settings.book->game()->name() != game->name())
    throw GameError("a solver of " + game->name() + " was given a book of " + settings.book->game()->name());
  if (settings.tables && settings.tables->game()->name() != game->name())
    throw GameError("a solver of " + game->name() + " was given end-game tables of " +
                    settings.tables->game()->name());
  const MakeSolver make = game->info().solver;
  return make ? make(std::move(game), settings) : nullptr;
}

}  // namespace mossa
