// Searches of the core on its games and on games written in Python, their traces, and fixed work.
#include "../bench.hpp"
#include "../python_game.hpp"
#include "bindings.hpp"

namespace mossa {

namespace {

Info run_search(AnySearch& search, const AnyPosition& position, const Limits& limits,
                const std::optional<nb::callable>& report, StopToken* stop, Trace* trace) {
  Task task;
  task.limits = limits;
  task.trace = trace;
  if (report)
    task.report = [&](const Info& info) {
      const nb::gil_scoped_acquire lock;
      (*report)(info);
    };
  return unlocked([&](const Poll& poll) {
    task.poll = [&] { return (stop && stop->stopped.load()) || poll(); };
    return search.run(position, task);
  });
}

/// Any search, on games written in Python.
struct AnyPythonSearch {
  virtual ~AnyPythonSearch() = default;
  virtual Info run(const PythonGame::Position& root, const Task& task) = 0;
};

template <template <class> class Algorithm>
struct PythonSearchOf final : AnyPythonSearch {
  PythonSearchOf(const PythonGame& game, const Options& options) : search(game, options) {}
  Info run(const PythonGame::Position& root, const Task& task) override { return search.run(root, task); }

  Algorithm<PythonGame> search;
};

/// A search of the core on a game written in Python.
class PythonSearch {
 public:
  PythonSearch(std::string_view algorithm, const std::map<std::string, std::string>& options) {
    check_search(algorithm, options);
    if (options.contains("threads") && options.at("threads") != "1")
      throw InvalidPlayerError("a game in Python is searched by one thread");
    with_search(algorithm, [&]<template <class> class Algorithm>() {
      const auto checked = Options::check<InvalidPlayerError>(
          options, Algorithm<PythonGame>::options(PythonGame::traits), std::string(algorithm));
      search_ = std::make_unique<PythonSearchOf<Algorithm>>(game_, checked);
    });
  }

  /// The info and the line as Python's own moves.
  nb::tuple run(nb::object root, const Limits& limits, const std::optional<nb::callable>& report,
                StopToken* stop, Trace* trace) {
    const PythonGame::Position position = game_.read(std::move(root));
    if (position.over) throw GameError("nothing to search: the game is over");
    Task task;
    task.limits = limits;
    task.trace = trace;
    task.poll = [&] { return (stop && stop->stopped.load()) || raise_signals(); };
    if (report) task.report = [&](const Info& info) { (*report)(info, line_of(position, info)); };
    const Info info = search_->run(position, task);
    return nb::make_tuple(info, line_of(position, info));
  }

 private:
  nb::list line_of(PythonGame::Position position, const Info& info) const {
    nb::list line;
    for (const Move move : info.line) {
      line.append(game_.python_move(position, move));
      game_.play(position, move);
    }
    return line;
  }

  PythonGame game_;
  std::unique_ptr<AnyPythonSearch> search_;
};

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<SearchKind>(m, "SearchKind", "A search algorithm: its name and options.")
      .def_ro("name", &SearchKind::name)
      .def_ro("summary", &SearchKind::summary)
      .def_ro("options", &SearchKind::options);
  m.def("search_kinds", &search_kinds, "Every search algorithm there is.");
  m.def("limit_options", &limit_options, "The limits of a search, as options.");
  m.def("check_search", &check_search, "algorithm"_a, "options"_a,
        "Raises InvalidPlayerError unless the algorithm takes these options together, on some game.");

  nb::class_<Info>(m, "SearchInfo", "What a search found; mossa.search makes an Info of it.")
      .def_ro("move", &Info::move)
      .def_ro("value", &Info::value)
      .def_ro("exact", &Info::exact)
      .def_ro("distance", &Info::distance)
      .def_ro("line", &Info::line)
      .def_ro("depth", &Info::depth)
      .def_ro("nodes", &Info::nodes)
      .def_ro("evaluations", &Info::evaluations)
      .def_ro("cutoffs", &Info::cutoffs)
      .def_ro("table_hits", &Info::table_hits)
      .def_ro("iterations", &Info::iterations)
      .def_ro("time", &Info::time)
      .def_ro("memory", &Info::memory);

  nb::class_<TraceNode>(m, "TraceNode", "One visited position; values are for the side to move there.")
      .def_ro("parent", &TraceNode::parent, "Index of the parent in the trace; None for a root.")
      .def_ro("move", &TraceNode::move)
      .def_ro("side", &TraceNode::side)
      .def_ro("depth", &TraceNode::depth)
      .def_ro("alpha", &TraceNode::alpha)
      .def_ro("beta", &TraceNode::beta)
      .def_ro("value", &TraceNode::value)
      .def_ro("end", &TraceNode::end,
              "over, horizon, table, cut, early, proven, or '' for a node searched to its end.")
      .def_ro("visits", &TraceNode::visits)
      .def_ro("mean", &TraceNode::mean)
      .def_ro("unvisited", &TraceNode::unvisited, "mcts: the moves here that were never tried.");
  m.attr("INFINITY") = infinity;            // an end of an open window
  m.attr("WIN_VALUE") = win_value;          // of a line game, less the plies from the root
  m.attr("LEAST_DECIDED") = least_decided;  // values beyond it say who wins
  nb::class_<Trace>(m, "Trace", "A search's tree as it was walked, up to a number of nodes.")
      .def(
          "__init__", [](Trace* self, std::size_t capacity) { new (self) Trace{capacity, {}, false}; },
          "capacity"_a)
      .def_ro("nodes", &Trace::nodes, "In the order in which they were entered; mcts: most visited first.")
      .def_ro("truncated", &Trace::truncated, "True if nodes were left out.");

  nb::class_<StopToken>(m, "StopToken", "Ends a search from another thread.")
      .def(nb::init<>())
      .def("stop", [](StopToken& token) { token.stopped = true; })
      .def_prop_ro("stopped", [](const StopToken& token) { return token.stopped.load(); });

  nb::class_<AnySearch>(m, "CoreSearch", "A search that lives through a game; see mossa.search.Search.")
      .def(nb::new_([](const AnyGame& game, std::string_view algorithm,
                       const std::map<std::string, std::string>& options, NetworkPointer network) {
             return std::shared_ptr<AnySearch>(game.search(algorithm, options, network));
           }),
           "game"_a, "algorithm"_a, "options"_a, "network"_a = nb::none())
      .def("run", &run_search, "position"_a, "limits"_a, nb::kw_only(), "report"_a = nb::none(),
           "stop"_a = nb::none(), "trace"_a = nb::none(),
           nb::sig(
               "def run(self, position: Position, limits: Limits, *, report: "
               "collections.abc.Callable[[SearchInfo], object] | None = None, stop: StopToken | None = None, "
               "trace: Trace | None = None) -> SearchInfo"));

  nb::class_<PythonSearch>(m, "PythonSearch",
                           "A search on a game written in Python; see mossa.search.Search.")
      .def(nb::init<std::string_view, const std::map<std::string, std::string>&>(), "algorithm"_a,
           "options"_a)
      .def("run", &PythonSearch::run, "position"_a, "limits"_a, nb::kw_only(), "report"_a = nb::none(),
           "stop"_a = nb::none(), "trace"_a = nb::none(),
           nb::sig("def run(self, position: object, limits: Limits, *, report: "
                   "collections.abc.Callable[[SearchInfo, list[object]], object] | None = None, "
                   "stop: StopToken | None = None, trace: Trace | None = None) -> tuple[SearchInfo, "
                   "list[object]]"));

  nb::class_<BenchRow>(m, "BenchRow")
      .def_ro("work", &BenchRow::work)
      .def_ro("nodes", &BenchRow::nodes)
      .def_ro("time", &BenchRow::time);
  m.def(
      "bench", [] { return unlocked([](const Poll& poll) { return bench(poll); }); },
      "Runs fixed work; the sum of its nodes is the signature of the engine.");
}

}  // namespace mossa
