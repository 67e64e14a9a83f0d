// mossa._core: the engine for Python. The only file that knows nanobind.
//
// Long calls release the interpreter lock and look for Ctrl-C through their Poll. Drawing is Python's
// (mossa/render), so `repr` calls there.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <variant>

#include "bench.hpp"
#include "engine.hpp"
#include "perft.hpp"
#include "python_game.hpp"
#include "solve/book.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mossa;

namespace {

using GamePointer = std::shared_ptr<const AnyGame>;
using PositionPointer = std::shared_ptr<const AnyPosition>;
/// What pickle asks for: the class and the arguments that make the object again.
using Reduced = nb::typed<nb::tuple, nb::object, nb::ellipsis>;

/// Ends a long call with KeyboardInterrupt when Ctrl-C was pressed.
bool raise_signals() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return false;
}

template <class Work>
auto unlocked(Work&& work) {
  const nb::gil_scoped_release unlock;
  return work(Poll(raise_signals));
}

nb::int_ to_int(const std::vector<std::uint64_t>& words) {
  std::string bytes;
  for (const std::uint64_t word : words)
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xFF);
  const nb::object from_bytes = nb::module_::import_("builtins").attr("int").attr("from_bytes");
  return nb::cast<nb::int_>(from_bytes(nb::bytes(bytes.data(), bytes.size()), "little"));
}

nb::tuple to_tuple(const Cell& cell) { return nb::make_tuple(cell.row, cell.col); }

nb::tuple to_tuple(const Cells& cells) {
  nb::list rows;
  for (const std::vector<int>& row : cells) {
    nb::list values;
    for (const int value : row) values.append(value);
    rows.append(nb::tuple(values));
  }
  return nb::tuple(rows);
}

/// A cell of the board, or an error that says what is one.
Cell checked_cell(const Alignments& alignments, const std::pair<int, int>& given) {
  const Cell cell{given.first, given.second};
  if (alignments.contains(cell)) return cell;
  throw GameError("invalid cell '" + std::to_string(cell.row) + ", " + std::to_string(cell.col) +
                  "': row 0 to " + std::to_string(alignments.rows() - 1) + ", column 0 to " +
                  std::to_string(alignments.cols() - 1));
}

/// Sizes and options in the order of the kind, which is the order of the game's name.
nb::dict sizes_of(const AnyGame& game) {
  nb::dict sizes;
  for (std::size_t i = 0; i < game.info().sizes.size(); ++i)
    sizes[game.info().sizes[i].name.c_str()] = game.spec().sizes[i];
  return sizes;
}

nb::dict options_of(const AnyGame& game) {
  nb::dict options;
  for (const Option& field : game.info().options)
    options[field.name.c_str()] = game.spec().options.at(field.name);
  return options;
}

using Moves = nb::typed<nb::iterable, Move>;

PositionPointer play_all(PositionPointer position, const Moves& moves) {
  for (const nb::handle move : moves) {
    if (!nb::isinstance<Move>(move)) throw nb::type_error("moves must be a text or Move objects");
    position = position->play(nb::cast<Move>(move));
  }
  return position;
}

/// Numbers in messages as Python prints them.
std::string number_text(double number) { return nb::cast<std::string>(nb::repr(nb::float_(number))); }

/// A whole number of Python, which may be larger than any of C++, or nothing for None. Throws GameError if it
/// is not 1 to `most`; the largest `most` stands for no bound.
std::optional<std::int64_t> limit_from(const char* name, nb::handle given, std::int64_t most) {
  constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();
  if (given.is_none()) return {};
  const nb::object whole = nb::steal(PyNumber_Index(given.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  if (overflow > 0 && most == no_bound) return no_bound;
  if (overflow || number < 1 || number > most) {
    const auto digits = nb::cast<std::string>(nb::str(whole));
    throw GameError("invalid limit " + quote(name + ("=" + digits)) + ": a whole number, 1 " +
                    (most == no_bound ? "or more" : "to " + std::to_string(most)));
  }
  return number;
}

Limits make_limits(std::optional<double> time, nb::handle nodes, nb::handle iterations, nb::handle depth) {
  if (time && !(std::isfinite(*time) && *time >= 0))
    throw GameError("invalid limit " + quote("time=" + number_text(*time)) + ": seconds, 0 or more");
  constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();
  Limits limits;
  limits.time = time;
  if (const auto count = limit_from("nodes", nodes, no_bound))
    limits.nodes = static_cast<std::uint64_t>(*count);
  if (const auto count = limit_from("iterations", iterations, no_bound))
    limits.iterations = static_cast<std::uint64_t>(*count);
  if (const auto plies = limit_from("depth", depth, 10'000)) limits.depth = static_cast<int>(*plies);
  return limits;
}

std::string limits_text(const Limits& limits) {
  std::vector<std::string> parts;
  if (limits.time) parts.push_back("time=" + number_text(*limits.time));
  if (limits.nodes) parts.push_back("nodes=" + std::to_string(*limits.nodes));
  if (limits.iterations) parts.push_back("iterations=" + std::to_string(*limits.iterations));
  if (limits.depth) parts.push_back("depth=" + std::to_string(*limits.depth));
  return "Limits(" + join(parts, ", ") + ")";
}

/// Ends a search from another thread.
struct StopToken {
  std::atomic<bool> stopped{false};
};

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

/// A search of the core on a game written in Python.
class PythonSearch {
 public:
  PythonSearch(std::string_view algorithm, const std::map<std::string, std::string>& options) {
    check_search(algorithm, options);
    if (options.contains("threads") && options.at("threads") != "1")
      throw InvalidPlayerError("a game in Python is searched by one thread");
    const auto make = [&]<template <class> class Algorithm>(const NamedSearch<Algorithm>& named) {
      if (named.name != algorithm) return;
      using Search = Algorithm<PythonGame>;
      const auto checked =
          Options::check<InvalidPlayerError>(options, Search::options(), std::string(algorithm));
      search_ = std::make_unique<Search>(game_, checked);
    };
    std::apply([&](const auto&... named) { (make(named), ...); }, searches);
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
    const Info info = std::visit([&](auto& search) { return search->run(position, task); }, search_);
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
  std::variant<std::unique_ptr<Minimax<PythonGame>>, std::unique_ptr<AlphaBeta<PythonGame>>,
               std::unique_ptr<Mcts<PythonGame>>, std::unique_ptr<GameTree<PythonGame>>>
      search_;
};

void bind_errors(nb::module_& m) {
  // Registered most general first: nanobind tries the last registered translator first.
  auto base = nb::exception<GameError>(m, "GameError", PyExc_ValueError);
  nb::exception<InvalidGameError>(m, "InvalidGameError", base.ptr());
  nb::exception<InvalidMoveError>(m, "InvalidMoveError", base.ptr());
  nb::exception<IllegalMoveError>(m, "IllegalMoveError", base.ptr());
  nb::exception<InvalidPositionError>(m, "InvalidPositionError", base.ptr());
  nb::exception<InvalidPlayerError>(m, "InvalidPlayerError", base.ptr());
}

void bind_values(nb::module_& m) {
  nb::enum_<Side>(m, "Side", "One of the two sides; the first one begins.")
      .value("first", Side::first)
      .value("second", Side::second);

  nb::class_<Move>(m, "Move", "A move. It equals its text: Move('4') == '4'.")
      .def(
          "__init__",
          [](Move* self, std::string_view text) {
            const auto move = Move::parse(text);
            if (!move)
              throw InvalidMoveError("invalid move " + quote(text) +
                                     ": a move is a number, a cell such as h8, or swap");
            new (self) Move(*move);
          },
          "text"_a)
      .def_prop_ro(
          "number", [](Move move) { return move.is_number() ? std::optional(move.number()) : std::nullopt; },
          "The column (connect) or pit (kalah), counted from 1; None for other moves.")
      .def_prop_ro(
          "row", [](Move move) { return move.is_cell() ? std::optional(move.row()) : std::nullopt; },
          "The row of a cell (mnk), 0 at the bottom; None for other moves.")
      .def_prop_ro(
          "col", [](Move move) { return move.is_cell() ? std::optional(move.col()) : std::nullopt; },
          "The column of a cell (mnk), 0 at the left; None for other moves.")
      .def("__str__", &Move::text)
      .def("__repr__", [](Move move) { return "Move('" + move.text() + "')"; })
      .def(
          "__eq__",
          [](Move a, nb::handle b) {
            if (nb::isinstance<Move>(b)) return a == nb::cast<Move>(b);
            return nb::isinstance<nb::str>(b) && a.text() == nb::cast<std::string>(b);
          },
          nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](Move move) { return nb::hash(nb::str(move.text().c_str())); })
      .def("__lt__", [](Move a, Move b) { return a < b; })
      .def("__le__", [](Move a, Move b) { return a <= b; })
      .def("__gt__", [](Move a, Move b) { return a > b; })
      .def("__ge__", [](Move a, Move b) { return a >= b; })
      .def("__reduce__", [](nb::handle self) -> Reduced {
        return nb::make_tuple(self.type(), nb::make_tuple(nb::str(self)));
      });

  nb::class_<Outcome>(m, "Outcome", "How a finished game ended.")
      .def(nb::init<std::optional<Side>, int, std::string>(), "winner"_a.none(), "value"_a, "reason"_a)
      .def_ro("winner", &Outcome::winner, "The side that won, or None for a draw.")
      .def_ro("value", &Outcome::value, "For first: +1, 0 or -1 in line games, the margin in kalah.")
      .def_ro("reason", &Outcome::reason)
      .def("__str__", &Outcome::text)
      .def("__repr__", [](const Outcome& outcome) { return "<Outcome " + outcome.text() + ">"; })
      .def(
          "__eq__",
          [](const Outcome& a, nb::handle b) {
            return nb::isinstance<Outcome>(b) && a == nb::cast<Outcome>(b);
          },
          nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Outcome& outcome) { return nb::hash(nb::str(outcome.text().c_str())); })
      .def("__reduce__", [](nb::handle self) -> Reduced {
        return nb::make_tuple(self.type(),
                              nb::make_tuple(self.attr("winner"), self.attr("value"), self.attr("reason")));
      });

  nb::class_<Limits>(m, "Limits", "When a search must stop: whichever comes first. None is no limit.")
      .def(
          "__init__",
          [](Limits* self, std::optional<double> time, nb::object nodes, nb::object iterations,
             nb::object depth) { new (self) Limits(make_limits(time, nodes, iterations, depth)); },
          nb::kw_only(), "time"_a = nb::none(), "nodes"_a = nb::none(), "iterations"_a = nb::none(),
          "depth"_a = nb::none(),
          nb::sig("def __init__(self, *, time: float | None = None, nodes: int | None = None, "
                  "iterations: int | None = None, depth: int | None = None) -> None"))
      .def_ro("time", &Limits::time, "Seconds.")
      .def_ro("nodes", &Limits::nodes)
      .def_ro("iterations", &Limits::iterations, "Play-outs of mcts.")
      .def_ro("depth", &Limits::depth)
      .def("__repr__", &limits_text)
      .def(
          "__eq__",
          [](const Limits& a, nb::handle b) { return nb::isinstance<Limits>(b) && a == nb::cast<Limits>(b); },
          nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Limits& limits) { return nb::hash(nb::str(limits_text(limits).c_str())); });

  nb::class_<Option>(m, "Option", "An option of a game or a search: a choice among values, or a number.")
      .def(
          "__init__",
          [](Option* self, std::string name, std::vector<std::string> values, std::string help) {
            if (values.empty()) throw nb::value_error("a choice needs values");
            new (self) Option(Option::choice(std::move(name), std::move(values), std::move(help)));
          },
          "name"_a, "values"_a, "help"_a)
      .def(
          "__init__",
          [](Option* self, std::string name, double low, double high, std::string help) {
            new (self) Option(Option::real(std::move(name), low, high, "", std::move(help)));
            self->whole = true;
          },
          "name"_a, "low"_a, "high"_a, "help"_a, "A whole number.")
      .def_ro("name", &Option::name)
      .def_ro("help", &Option::help)
      .def_ro("default", &Option::fallback, "What holds when the option is not given; '' if nothing does.")
      .def_ro("values", &Option::values, "The accepted values of a choice; the first is the default.")
      .def_prop_ro("accepted", &Option::accepted, "What is accepted, in words.")
      .def("accepts", &Option::accepts, "value"_a);
}

void bind_games(nb::module_& m) {
  nb::class_<SizeField>(m, "SizeField")
      .def_ro("name", &SizeField::name)
      .def_ro("low", &SizeField::low)
      .def_ro("high", &SizeField::high);
  nb::class_<KindInfo>(m, "Kind", "A kind of game: the sizes and options that name one.")
      .def_ro("name", &KindInfo::name)
      .def_ro("summary", &KindInfo::summary)
      .def_ro("sizes", &KindInfo::sizes)
      .def_ro("options", &KindInfo::options);
  m.def("game_kinds", &game_kinds, "Every kind of game there is.");

  nb::class_<AnyGame>(m, "Game", "The rules of one game at one size; mossa.game() makes one from its name.")
      .def(nb::new_([](std::string kind, std::vector<int> sizes, std::map<std::string, std::string> options) {
             return make_game({std::move(kind), std::move(sizes), std::move(options)});
           }),
           "kind"_a, "sizes"_a, "options"_a)
      .def_prop_ro("name", &AnyGame::name, "The text that names the game: 'connect:6x7x4'.")
      .def_prop_ro("kind", [](const AnyGame& game) { return game.spec().kind; })
      .def_prop_ro("sizes", &sizes_of, nb::sig("def sizes(self) -> dict[str, int]"),
                   "Sizes by name: rows, cols and k, or pits and seeds.")
      .def_prop_ro("options", &options_of, nb::sig("def options(self) -> dict[str, str]"),
                   "Every rule option.")
      .def("start", &AnyGame::start, "The position before the first move.")
      .def(
          "position",
          [](const AnyGame& game, std::string_view moves) { return play_text(game.start(), moves); },
          "moves"_a, "The position after moves given as text: '4453', '4 4 5 3', 'h8 i9'.")
      .def(
          "position", [](const AnyGame& game, const Moves& moves) { return play_all(game.start(), moves); },
          "moves"_a, "The position after these moves.")
      .def("from_text", &AnyGame::from_text, "text"_a,
           "The position drawn by a board text: see Position.text.")
      .def("__str__", &AnyGame::name)
      .def("__repr__", [](const AnyGame& game) { return "mossa.game('" + game.name() + "')"; })
      .def(
          "__eq__",
          [](const AnyGame& a, nb::handle b) {
            return nb::isinstance<AnyGame>(b) && a.name() == nb::cast<GamePointer>(b)->name();
          },
          nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const AnyGame& game) { return nb::hash(nb::str(game.name().c_str())); })
      .def("__reduce__", [](nb::handle self) -> Reduced {
        const auto& spec = nb::cast<GamePointer>(self)->spec();
        return nb::make_tuple(self.type(), nb::make_tuple(spec.kind, spec.sizes, spec.options));
      });
}

void bind_positions(nb::module_& m) {
  nb::class_<AnyPosition>(m, "Position", "A position and the moves that led to it. Immutable.")
      .def(nb::new_(
               [](const AnyGame& game, const std::optional<std::string>& start_text, const Moves& history) {
                 return play_all(start_text ? game.from_text(*start_text) : game.start(), history);
               }),
           "game"_a, "start_text"_a.none(), "history"_a)
      .def_prop_ro("game", &AnyPosition::game)
      .def_prop_ro("side", &AnyPosition::side,
                   "The side to move (after the end, the one that would be next).")
      .def_prop_ro("moves", &AnyPosition::moves, "The legal moves; none when the game is over.")
      .def_prop_ro("outcome", &AnyPosition::outcome, "How the game ended; None while it goes on.")
      .def("play", &AnyPosition::play, "move"_a, "The position after a legal move.")
      .def(
          "play",
          [](const AnyPosition& position, std::string_view move) {
            return position.play(position.game()->parse_move(move));
          },
          "move"_a, "The position after a legal move, given as text.")
      .def(
          "after",
          [](const PositionPointer& position, std::string_view moves) { return play_text(position, moves); },
          "moves"_a, "The position after moves given as text: '4453', '4 4 5 3', 'h8 i9'.")
      .def(
          "after",
          [](const PositionPointer& position, const Moves& moves) { return play_all(position, moves); },
          "moves"_a, "The position after these moves.")
      .def("is_legal", &AnyPosition::is_legal, "move"_a)
      .def(
          "is_legal",
          [](const AnyPosition& position, std::string_view move) {
            const auto parsed = Move::parse(move);
            return parsed && position.is_legal(*parsed);
          },
          "move"_a)
      .def_prop_ro("history", &AnyPosition::history,
                   "The moves since the start, or since the position was set up.")
      .def_prop_ro("history_text", &AnyPosition::history_text, "The history as text: '4 4 5 3'.")
      .def_prop_ro("start_text", &AnyPosition::start_text,
                   "The board text that the position was set up from; None if from the start of the game.")
      .def_prop_ro(
          "ply", [](const AnyPosition& position) { return position.history().size(); }, "len(history).")
      .def_prop_ro("last_move",
                   [](const AnyPosition& position) {
                     return position.history().empty() ? std::nullopt
                                                       : std::optional(position.history().back());
                   })
      .def_prop_ro(
          "last_cell",
          [](const AnyPosition& position) -> std::optional<nb::tuple> {
            if (!position.last_cell()) return {};
            return to_tuple(*position.last_cell());
          },
          nb::sig("def last_cell(self) -> tuple[int, int] | None"),
          "Row and column of the last stone; in kalah the side (0 or 1) and pit that was sown.")
      .def_prop_ro(
          "winning_cells",
          [](const AnyPosition& position) {
            nb::list cells;
            for (const Cell& cell : position.winning_cells()) cells.append(to_tuple(cell));
            return cells;
          },
          nb::sig("def winning_cells(self) -> list[tuple[int, int]]"), "Every stone of every winning line.")
      .def_prop_ro(
          "cells", [](const AnyPosition& position) { return to_tuple(position.cells()); },
          nb::sig("def cells(self) -> tuple[tuple[int, ...], ...]"),
          "What to draw. Line games: cells[row][col], the bottom row first, 0 empty, 1 first, 2 second. "
          "Kalah: cells[side], its pits from its own left, then its store.")
      .def_prop_ro("text", &AnyPosition::text, "The board as text; Game.from_text() reads it.")
      .def_prop_ro(
          "key", [](const AnyPosition& position) { return to_int(position.key()); },
          "Equal for equal positions of one game, and only for them.")
      .def_prop_ro(
          "canonical_key", [](const AnyPosition& position) { return to_int(position.canonical_key()); },
          "Equal for positions that are symmetric to each other: same score for the side to move.")
      .def(
          "perft",
          [](const AnyPosition& position, int depth) {
            if (depth < 0) throw GameError("invalid depth '" + std::to_string(depth) + "': 0 or more");
            return unlocked([&](const Poll& poll) { return position.perft(depth, poll); });
          },
          "depth"_a, "The number of move sequences of this length; a finished game is not extended.")
      .def(
          "count_states",
          [](const AnyPosition& position, std::uint64_t limit) {
            const auto count = unlocked([&](const Poll& poll) { return position.count_states(limit, poll); });
            if (!count)
              throw GameError("too many positions to count in " + position.game()->name() + ": more than " +
                              std::to_string(limit) + ", or than fit into " +
                              std::to_string(states_bytes >> 30) + " GiB");
            return *count;
          },
          nb::kw_only(), "limit"_a = 100'000'000,
          "The number of distinct positions that can be reached, itself included.")
      .def(
          "__eq__",
          [](const AnyPosition& a, nb::handle b) {
            return nb::isinstance<AnyPosition>(b) && a == *nb::cast<PositionPointer>(b);
          },
          nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const AnyPosition& position) { return static_cast<Py_hash_t>(position.hash() >> 1); })
      .def("__reduce__",
           [](nb::handle self) -> Reduced {
             const auto position = nb::cast<PositionPointer>(self);
             return nb::make_tuple(
                 self.type(), nb::make_tuple(position->game(), position->start_text(), position->history()));
           })
      .def("__repr__",
           [](nb::handle self) {
             return nb::cast<nb::str>(nb::module_::import_("mossa.render").attr("to_text")(self));
           })
      .def("_repr_svg_", [](nb::handle self) {
        return nb::cast<nb::str>(nb::module_::import_("mossa.render").attr("to_svg")(self));
      });
}

void bind_evaluations(nb::module_& m) {
  nb::enum_<Priority>(m, "Priority", nb::is_arithmetic(), "What a candidate move does, the best first.")
      .value("win", Priority::win, "It wins at once.")
      .value("block", Priority::block, "It takes a cell on which the opponent would win at once.")
      .value("double_threat", Priority::double_threat, "It makes two cells that win next.")
      .value("block_double_threat", Priority::block_double_threat, "It takes such a cell from the opponent.")
      .value("other", Priority::other, "None of these; all others are critical.");
  nb::class_<Candidate>(m, "CoreCandidate", "A move that is worth a search; see mossa.evaluations.")
      .def_ro("move", &Candidate::move)
      .def_prop_ro("priority", [](const Candidate& each) { return each.merit.priority; })
      .def_prop_ro("aligned", [](const Candidate& each) { return each.merit.aligned; })
      .def_prop_ro("blocked", [](const Candidate& each) { return each.merit.blocked; });
  m.def(
      "candidates", [](const AnyPosition& position) { return position.candidates(); }, "position"_a,
      "The moves of a line game that are worth a search, the best first.");

  nb::class_<Alignments>(m, "CoreAlignments", "The alignments of a board; see mossa.evaluations.")
      .def(nb::new_([](const AnyPosition& position) { return position.alignments(); }), "position"_a)
      .def(
          "put",
          [](Alignments& self, std::pair<int, int> cell, Side side) {
            self.put(checked_cell(self, cell), side);
          },
          "cell"_a, "side"_a)
      .def(
          "at",
          [](Alignments& self, std::pair<int, int> cell, Side side) {
            nb::list found;
            for (const Alignments::OnBoard& each : self.at(checked_cell(self, cell), side))
              found.append(nb::make_tuple(each.cells, each.moves,
                                          each.start ? nb::object(to_tuple(*each.start)) : nb::none()));
            return found;
          },
          "cell"_a, "side"_a,
          nb::sig("def at(self, cell: tuple[int, int], side: Side) -> "
                  "list[tuple[int, int, tuple[int, int] | None]]"))
      .def(
          "scenarios",
          [](Alignments& self, Side side, std::optional<std::pair<int, int>> cell) {
            return cell ? self.scenarios(side, checked_cell(self, *cell)) : self.scenarios(side);
          },
          "side"_a, "cell"_a.none());
}

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
                       const std::map<std::string, std::string>& options) {
             return std::shared_ptr<AnySearch>(game.search(algorithm, options));
           }),
           "game"_a, "algorithm"_a, "options"_a)
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
  nb::class_<Book>(m, "CoreBook", "The scores of an opening book; see mossa.book.")
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
      [](const AnyGame& game, std::size_t memory, int threads, std::shared_ptr<const Book> book) {
        return std::shared_ptr<AnySolver>(
            make_solver(game.shared_from_this(), {memory, threads, std::move(book)}));
      },
      "game"_a, "memory"_a, "threads"_a, "book"_a.none(),
      nb::sig("def make_solver(game: Game, memory: int, threads: int, book: CoreBook | None) -> "
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
  bind_books(m);
}
