// mossa._core: the core for Python. The files in bindings/ bind its parts; the solvers are bound here.
#include "bindings/bindings.hpp"

#include "solve/solver.hpp"

using namespace mossa;

namespace {

Solution run_solver(AnySolver& solver, const AnyPosition& position, const Limits& limits,
                    const std::optional<nb::callable>& report, StopToken* stop) {
  SolveTask task;
  task.limits = limits;
  if (report)
    task.report = [&](const Solution& solution) {
      const nb::gil_scoped_acquire lock;
      (*report)(solution);
    };
  return unlocked([&](const Poll& poll) {
    task.poll = [&] { return (stop && stop->stopped.load()) || poll(); };
    return solver.solve(position, task);
  });
}

void bind_solve(nb::module_& m) {
  nb::class_<Proven>(m, "Proven").def_ro("value", &Proven::value).def_ro("distance", &Proven::distance);
  nb::class_<Solution>(m, "CoreSolution", "What a solver has proven; mossa.solve makes a Solution of it.")
      .def_ro("low", &Solution::low)
      .def_ro("high", &Solution::high)
      .def_prop_ro("solved", &Solution::solved)
      .def_ro("nodes", &Solution::nodes)
      .def_ro("time", &Solution::time)
      .def_ro("memory", &Solution::memory);
  nb::class_<AnySolver>(m, "CoreSolver", "An exact solver of one game; see mossa.solve.Solver.")
      .def("solve", &run_solver, "position"_a, "limits"_a, "report"_a = nb::none(), "stop"_a = nb::none(),
           nb::sig("def solve(self, position: Position, limits: Limits, report: "
                   "collections.abc.Callable[[CoreSolution], object] | None = None, "
                   "stop: StopToken | None = None) -> CoreSolution"))
      .def(
          "solve_all",
          [](AnySolver& solver, const std::vector<PositionPointer>& positions, StopToken* stop) {
            return unlocked([&](const Poll& poll) {
              SolveTask task;
              task.poll = [&] { return (stop && stop->stopped.load()) || poll(); };
              std::vector<Solution> solutions;
              for (const PositionPointer& position : positions)
                solutions.push_back(solver.solve(*position, task));
              return solutions;
            });
          },
          "positions"_a, "stop"_a = nb::none(), "Many positions in one call, without Python between them.")
      .def(
          "line",
          [](AnySolver& solver, const AnyPosition& position, int most, const Limits& limits) {
            return unlocked([&](const Poll& poll) {
              SolveTask task;
              task.limits = limits;
              task.poll = poll;
              return solver.line(position, most, task);
            });
          },
          "position"_a, "most"_a, "limits"_a, "Best play for both sides, up to `most` moves.")
      .def("clear", &AnySolver::clear, "Forgets what has been proven.");
  m.def(
      "make_solver",
      [](const AnyGame& game, std::size_t memory, int threads,
         const std::vector<std::pair<std::string, int>>& tuning) {
        return std::shared_ptr<AnySolver>(make_solver(game.shared_from_this(), {memory, threads, tuning}));
      },
      "game"_a, "memory"_a, "threads"_a, "tuning"_a,
      nb::sig("def make_solver(game: Game, memory: int, threads: int, tuning: Sequence[tuple[str, int]]) -> "
              "CoreSolver | None"),
      "The solver that knows this game at this size; None if there is none.");
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The C++ core of mossa: rules, positions, searches.";
  // Objects that outlive the interpreter (in modules' globals, in a thread that still thinks) are no bug.
  nb::set_leak_warnings(false);
  bind_errors(m);
  bind_values(m);
  bind_games(m);
  bind_positions(m);
  bind_evaluations(m);
  bind_search(m);
  bind_solve(m);
}
