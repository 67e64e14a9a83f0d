#include "solver.hpp"

#include "book.hpp"
#include "end_tables.hpp"

namespace mossa {

namespace {
constexpr double seconds_per_report = 0.1;
}  // namespace

SolverWork::SolverWork(const AnySolver& solver, const SolveTask& task)
    : solver_(solver),
      task_(task),
      budget_(task.limits, task.poll),
      nodes_before_(solver.nodes()),
      next_report_(seconds_per_report) {}

std::uint64_t SolverWork::nodes() const { return solver_.nodes() - nodes_before_; }

std::uint64_t SolverWork::nodes_left() const {
  const std::uint64_t most = task_.limits.nodes.value_or(~std::uint64_t{0});
  return most - std::min(most, nodes());
}

void SolverWork::check() {
  budget_.check();
  if (task_.limits.nodes && nodes() >= *task_.limits.nodes) budget_.stop();
}

bool SolverWork::is_time_to_tell() {
  const double now = seconds();
  if (now < next_report_) return false;
  next_report_ = now + seconds_per_report;
  return true;
}

void AnySolver::check(const AnyPosition& position) const {
  if (position.game()->name() != game_->name())
    throw GameError("this solver is for " + game_->name() + ", but the position is from " +
                    position.game()->name());
  position.check_open("solve");
}

Solution AnySolver::solve(const AnyPosition& position, const SolveTask& task) {
  const Exclusive::Hold hold(in_use_, task.poll);
  check(position);
  SolverWork work(*this, task);
  return prove(position, work);
}

std::vector<Move> AnySolver::line(const AnyPosition& position, int most, const SolveTask& task) {
  const Exclusive::Hold hold(in_use_, task.poll);
  check(position);
  SolverWork work(*this, task);
  return best_line(position, most, work);
}

std::optional<Defence> AnySolver::defend(std::string_view state, const std::vector<int>& avoid,
                                         const SolveTask& task) {
  const Exclusive::Hold in_use(in_use_, task.poll);
  SolverWork work(*this, task);
  return hold(state, avoid, work);
}

std::optional<Defence> AnySolver::hold(std::string_view, const std::vector<int>&, SolverWork&) {
  throw GameError("this solver writes no certificates");
}

std::optional<CellPairs> AnySolver::pairs(std::string_view state) {
  const Exclusive::Hold hold(in_use_, {});
  return find_pairs(state);
}

std::optional<CellPairs> AnySolver::find_pairs(std::string_view) {
  throw GameError("this solver looks for no pairs");
}

void AnySolver::clear() {
  const Exclusive::Hold hold(in_use_, {});
  forget();
}

std::string AnySolver::findings() {
  const Exclusive::Hold hold(in_use_, {});
  return take_findings();
}

void AnySolver::learn(std::string_view findings) {
  const Exclusive::Hold hold(in_use_, {});
  take_in(findings);
}

std::unique_ptr<AnySolver> make_solver(std::shared_ptr<const AnyGame> game, const SolverSettings& settings) {
  if (settings.book && settings.book->game()->name() != game->name())
    throw GameError("this solver is for " + game->name() + ", but the book is for " +
                    settings.book->game()->name());
  if (settings.tables && settings.tables->game()->name() != game->name())
    throw GameError("this solver is for " + game->name() + ", but the end-game tables are for " +
                    settings.tables->game()->name());
  MakeSolver* const make = game->info().solver;
  return make ? make(std::move(game), settings) : nullptr;
}

}  // namespace mossa
