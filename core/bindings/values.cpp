// Errors and plain values: sides, moves, outcomes, limits, options.
#include <cmath>
#include <limits>

#include "bindings.hpp"

namespace mossa {

namespace {

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

void check_seconds(const std::string& name, std::optional<double> seconds, double least,
                   const std::string& accepted) {
  if (seconds && !(std::isfinite(*seconds) && *seconds >= least))
    throw GameError("invalid limit " + quote(name + "=" + number_text(*seconds)) + ": seconds, " + accepted);
}

Limits make_limits(std::optional<double> time, std::optional<double> longest, nb::handle nodes,
                   nb::handle iterations, nb::handle depth) {
  check_seconds("time", time, 0, "0 or more");
  if (longest && !time) throw GameError("invalid limit 'longest': it goes with a time");
  check_seconds("longest", longest, time.value_or(0), "no less than the time");
  constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();
  Limits limits;
  limits.time = time;
  limits.longest = longest;
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
  if (limits.longest) parts.push_back("longest=" + number_text(*limits.longest));
  if (limits.nodes) parts.push_back("nodes=" + std::to_string(*limits.nodes));
  if (limits.iterations) parts.push_back("iterations=" + std::to_string(*limits.iterations));
  if (limits.depth) parts.push_back("depth=" + std::to_string(*limits.depth));
  return "Limits(" + join(parts, ", ") + ")";
}

}  // namespace

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
              throw InvalidMoveError(
                  "invalid move " + quote(text) +
                  ": a move is a number, a cell such as h8, two cells such as a2b3, or swap");
            new (self) Move(*move);
          },
          "text"_a)
      .def_static(
          "cell",
          [](int row, int col) {
            if (std::min(row, col) < 0 || std::max(row, col) > Move::max_coordinate)
              throw InvalidMoveError("invalid cell " + std::to_string(row) + ", " + std::to_string(col) +
                                     ": row and column are 0 to " + std::to_string(Move::max_coordinate));
            return Move::cell(row, col);
          },
          "row"_a, "col"_a, "The move that puts a stone on a cell, counted from 0 at the bottom left.")
      .def_static("column_letters", &Move::column_letters, "col"_a,
                  "How cells name a column, counted from 0: 'a' to 'z', then 'aa' and so on.")
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
          [](Limits* self, std::optional<double> time, std::optional<double> longest, nb::object nodes,
             nb::object iterations,
             nb::object depth) { new (self) Limits(make_limits(time, longest, nodes, iterations, depth)); },
          nb::kw_only(), "time"_a = nb::none(), "longest"_a = nb::none(), "nodes"_a = nb::none(),
          "iterations"_a = nb::none(), "depth"_a = nb::none(),
          nb::sig("def __init__(self, *, time: float | None = None, longest: float | None = None, "
                  "nodes: int | None = None, iterations: int | None = None, "
                  "depth: int | None = None) -> None"))
      .def_ro("time", &Limits::time, "Seconds.")
      .def_ro("longest", &Limits::longest,
              "Seconds at most under a clock, where time is what a move should take on average: a search "
              "that deepens ends sooner when it is sure of its move, and goes on while it is not.")
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

}  // namespace mossa
