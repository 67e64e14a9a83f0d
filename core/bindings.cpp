// mossa._core: the core for Python. The files in bindings/ bind its parts; the solvers are bound here.
#include "bindings/bindings.hpp"

#include <nanobind/stl/tuple.h>

#include <span>

#include "solve/book.hpp"
#include "solve/end_tables.hpp"

using namespace mossa;

namespace {

Solution run_solver(AnySolver& solver, const AnyPosition& position, const Limits& limits,
                    const std::optional<nb::callable>& report, StopToken* stop,
                    const std::optional<std::pair<int, std::optional<int>>>& at_least) {
  SolveTask task;
  task.limits = limits;
  if (at_least) task.at_least = Proven{at_least->first, at_least->second};
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

/// The bytes of a Python object, which is kept while they are used.
std::shared_ptr<const std::span<const unsigned char>> bytes_of(nb::handle memory) {
  struct View {
    ~View() {
      const nb::gil_scoped_acquire lock;
      PyBuffer_Release(&buffer);
    }
    Py_buffer buffer{};
    std::span<const unsigned char> bytes;
  };
  const auto view = std::make_shared<View>();
  if (PyObject_GetBuffer(memory.ptr(), &view->buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
  view->bytes = {static_cast<const unsigned char*>(view->buffer.buf),
                 static_cast<std::size_t>(view->buffer.len)};
  return {view, &view->bytes};
}

void bind_books(nb::module_& m) {
  nb::class_<Book>(m, "CoreBook", "The scores of an opening book; see mossa.solving.book.")
      .def(nb::new_([](const AnyGame& game, int plies, int lowest, int width, nb::handle memory) {
             return std::make_shared<const Book>(game.shared_from_this(), plies, lowest, width,
                                                 bytes_of(memory));
           }),
           "game"_a, "plies"_a, "lowest"_a, "width"_a, "memory"_a)
      .def("get", &Book::get, "position"_a, "The score of a position; None if it is not in the book.");
  m.def("book_numbers", &book_numbers, "game"_a, "plies"_a,
        "How many scores a book has room for; 2**64 - 1 if no book has.");

  nb::class_<BookScores>(m, "CoreBookScores", "What CoreBook is made of.")
      .def_ro("plies", &BookScores::plies)
      .def_ro("lowest", &BookScores::lowest)
      .def_ro("width", &BookScores::width)
      .def_ro("positions", &BookScores::positions, "How many positions have a score.")
      .def_prop_ro("data",
                   [](const BookScores& book) { return nb::bytes(book.data.data(), book.data.size()); });
  nb::class_<BookBuilder>(m, "CoreBookBuilder", "Makes a book; see mossa.book_build.")
      .def(nb::new_([](const AnyGame& game, int plies) {
             return unlocked([&](const Poll& poll) {
               return std::make_shared<BookBuilder>(game.shared_from_this(), plies, poll);
             });
           }),
           "game"_a, "plies"_a)
      .def("__len__", &BookBuilder::size, "How many positions must be solved.")
      .def(
          "solve",
          [](const BookBuilder& builder, AnySolver& solver, std::size_t first, std::size_t count,
             const StopToken& stop) {
            return unlocked([&](const Poll& poll) {
              SolveTask task;
              task.poll = [&] { return stop.stopped.load() || poll(); };
              std::vector<int> scores;
              for (std::size_t i = first; i < std::min(first + count, builder.size()); ++i) {
                const auto position = builder.position(i);
                const Solution solution = solver.solve(*position, task);
                if (!solution.solved()) break;
                scores.push_back(BookBuilder::score(*position, solution.low));
              }
              return scores;
            });
          },
          "solver"_a, "first"_a, "count"_a, "stop"_a,
          "The scores of some of them, as they are entered; fewer if it was stopped.")
      .def(
          "enter",
          [](BookBuilder& builder, std::size_t first, const std::vector<int>& scores) {
            if (first + scores.size() > builder.size()) throw GameError("more scores than positions");
            for (std::size_t i = 0; i < scores.size(); ++i) builder.set(first + i, scores[i]);
          },
          "first"_a, "scores"_a)
      .def(
          "finish",
          [](BookBuilder& builder) {
            return unlocked([&](const Poll& poll) { return builder.finish(poll); });
          },
          "The book, once all scores are entered.");
}

void bind_tables(nb::module_& m) {
  nb::class_<EndTables>(m, "CoreTables", "End-game tables; see mossa.solving.tables.")
      .def(nb::new_([](const AnyGame& game, int most) {
             return std::shared_ptr<EndTables>(make_tables(game.shared_from_this(), most));
           }),
           "game"_a, "most"_a)
      .def_static(
          "of",
          [](const AnyGame& game, int seeds, nb::handle memory) {
            const auto tables = std::shared_ptr<EndTables>(make_tables(game.shared_from_this(), seeds));
            tables->enter_all(bytes_of(memory));
            return tables;
          },
          "game"_a, "seeds"_a, "memory"_a, "Tables that are in memory already.")
      .def_static("positions", &EndTables::positions, "pits"_a, "seeds"_a,
                  "How many boards have at most so many seeds.")
      .def_static("seeds_within", &EndTables::seeds_within, "pits"_a, "bytes"_a,
                  "The most seeds of tables with at most so many bytes.")
      .def_prop_ro("seeds", &EndTables::seeds, "Boards with at most so many seeds are there.")
      .def(
          "layer",
          [](const EndTables& tables, int seeds) {
            const auto layer = tables.layer(seeds);
            return nb::bytes(layer.data(), layer.size());
          },
          "seeds"_a, "The values of the boards with so many seeds, a signed byte each.")
      .def(
          "build_layer",
          [](EndTables& tables, int threads) {
            return unlocked([&](const Poll& poll) { return tables.build_layer(threads, poll); });
          },
          "threads"_a = 1, "Adds the boards with one seed more; False if it was stopped.")
      .def(
          "enter_layer", [](EndTables& tables, nb::handle values) { tables.enter_layer(*bytes_of(values)); },
          "values"_a, "Adds the boards with one seed more, as layer() gave them before.")
      .def("check", &EndTables::check, "samples"_a, "random"_a, nb::call_guard<nb::gil_scoped_release>(),
           "How many of so many random boards have another value than their moves say.")
      .def("get", &EndTables::value, "position"_a,
           "The margin to come for the side to move; None if the tables do not tell.");
}

void bind_solve(nb::module_& m) {
  nb::class_<Proven>(m, "Proven").def_ro("value", &Proven::value).def_ro("distance", &Proven::distance);
  nb::class_<Solution>(m, "CoreSolution", "What a solver has proven; mossa.solve makes a Solution of it.")
      .def_ro("low", &Solution::low)
      .def_ro("high", &Solution::high)
      .def_prop_ro("solved", &Solution::solved)
      .def_ro("nodes", &Solution::nodes)
      .def_ro("time", &Solution::time)
      .def_ro("memory", &Solution::memory)
      .def_ro("question", &Solution::question)
      .def_ro("tables_to", &Solution::tables_to);
  nb::class_<AnySolver>(m, "CoreSolver", "An exact solver of one game; see mossa.solve.Solver.")
      .def("solve", &run_solver, "position"_a, "limits"_a, "report"_a = nb::none(), "stop"_a = nb::none(),
           "at_least"_a = nb::none(),
           nb::sig("def solve(self, position: Position, limits: Limits, report: "
                   "collections.abc.Callable[[CoreSolution], object] | None = None, "
                   "stop: StopToken | None = None, "
                   "at_least: tuple[int, int | None] | None = None) -> CoreSolution"))
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
      .def(
          "defend",
          [](AnySolver& solver, const std::string& state, const std::vector<int>& avoid) {
            return unlocked([&](const Poll& poll) {
              SolveTask task;
              task.poll = poll;
              const std::optional<Defence> found = solver.defend(state, avoid, task);
              return found ? std::optional(std::tuple(found->cell, found->weak, found->pairs)) : std::nullopt;
            });
          },
          "state"_a, "avoid"_a,
          "A defender's move in a state of a certificate: its cell, whether it needs no lines, and pairs on "
          "all lines that the attacker has left, if they were found.")
      .def("pairs", &AnySolver::pairs, "state"_a,
           "Disjoint pairs of cells, one on every line that the attacker may still complete in a state of a "
           "certificate; None if none were found soon.")
      .def_prop_ro("nodes", &AnySolver::nodes, "Positions visited since it was made.")
      .def("clear", &AnySolver::clear, "Forgets what has been proven.")
      .def(
          "findings",
          [](AnySolver& solver) {
            const std::string bytes = solver.findings();
            return nb::bytes(bytes.data(), bytes.size());
          },
          "What it has proven since it was last asked, for other solvers of the same game.")
      .def(
          "learn",
          [](AnySolver& solver, const nb::bytes& findings) {
            solver.learn({static_cast<const char*>(findings.data()), findings.size()});
          },
          "findings"_a, "Takes the findings of another solver of the same game.");
  m.def(
      "make_solver",
      [](const AnyGame& game, std::size_t memory, int threads, std::shared_ptr<const Book> book,
         const std::vector<std::pair<std::string, int>>& tuning, std::shared_ptr<const EndTables> tables,
         std::optional<std::uint64_t> findings_from) {
        return std::shared_ptr<AnySolver>(
            make_solver(game.shared_from_this(),
                        {memory, threads, std::move(book), tuning, std::move(tables), findings_from}));
      },
      "game"_a, "memory"_a, "threads"_a, "book"_a.none(), "tuning"_a, "tables"_a.none(),
      "findings_from"_a = nb::none(),
      nb::sig("def make_solver(game: Game, memory: int, threads: int, book: CoreBook | None, "
              "tuning: Sequence[tuple[str, int]], tables: CoreTables | None, "
              "findings_from: int | None = None) -> "
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
  bind_learn(m);
  bind_search(m);
  bind_vector(m);
  bind_solve(m);
  bind_books(m);
  bind_tables(m);
}
