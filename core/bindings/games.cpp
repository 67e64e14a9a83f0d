// Games and positions. Drawing is Python's (mossa/render), so `repr` calls there.
#include "../perft.hpp"
#include "bindings.hpp"

namespace mossa {

namespace {

nb::int_ to_int(const std::vector<std::uint64_t>& words) {
  std::string bytes;
  for (const std::uint64_t word : words)
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xFF);
  const nb::object from_bytes = nb::module_::import_("builtins").attr("int").attr("from_bytes");
  return nb::cast<nb::int_>(from_bytes(nb::bytes(bytes.data(), bytes.size()), "little"));
}

nb::tuple to_tuple(const Cells& cells) {
  nb::list rows;
  for (const std::vector<int>& row : cells) {
    nb::list values;
    for (const int value : row) values.append(value);
    rows.append(nb::tuple(values));
  }
  return nb::tuple(rows);
}

std::optional<nb::tuple> to_optional_tuple(const std::optional<Cell>& cell) {
  return cell ? std::optional(to_tuple(*cell)) : std::nullopt;
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

// What is given to a method is looked at here: nanobind would answer a wrong argument with a list of
// C++ signatures. The words are those of mossa.errors.

template <class Error>
[[noreturn]] void refuse(const std::string& taker, const std::string& taken, nb::handle given) {
  const nb::object described = nb::module_::import_("mossa.errors").attr("described")(given);
  throw Error(taker + "() takes " + taken + ", not " + nb::cast<std::string>(described));
}

/// The text that was given; none if it is something else, or half a character of UTF-16.
std::optional<std::string_view> text_of(nb::handle given) {
  if (!nb::isinstance<nb::str>(given)) return std::nullopt;
  Py_ssize_t size = 0;
  const char* begin = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
  if (begin == nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return std::string_view(begin, static_cast<std::size_t>(size));
}

/// A move of the game in quotes, for a message.
std::string example_of(const AnyGame& game) { return "'" + game.start()->moves().front().text() + "'"; }

Move move_of(const AnyPosition& position, const std::string& taker, nb::handle given) {
  if (nb::isinstance<Move>(given)) return nb::cast<Move>(given);
  if (const auto text = text_of(given)) return position.game()->parse_move(*text);
  refuse<InvalidMoveError>(taker, "a Move or its text, such as " + example_of(*position.game()), given);
}

PositionPointer play_all(PositionPointer position, const std::string& taker, nb::handle moves) {
  if (const auto text = text_of(moves)) return play_text(std::move(position), *text);
  if (nb::isinstance<nb::str>(moves) || nb::isinstance<nb::bytes>(moves) || !nb::hasattr(moves, "__iter__"))
    refuse<InvalidMoveError>(
        taker, "moves as a text, such as " + example_of(*position->game()) + ", or in a list", moves);
  for (const nb::handle move : nb::borrow<nb::iterable>(moves))
    position = position->play(move_of(*position, taker, move));
  return position;
}

template <class Number>
Number number_of(const std::string& taker, const std::string& what, nb::handle given) {
  Number number = 0;
  if (!nb::try_cast(given, number) || std::cmp_less(number, 0))
    refuse<GameError>(taker, what + ", a whole number from 0", given);
  return number;
}

}  // namespace

void bind_games(nb::module_& m) {
  nb::class_<SizeField>(m, "SizeField")
      .def_ro("name", &SizeField::name)
      .def_ro("low", &SizeField::low)
      .def_ro("high", &SizeField::high);
  nb::class_<Preset>(m, "Preset", "A well-known game.")
      .def_ro("name", &Preset::name)
      .def_ro("sizes", &Preset::sizes, "Sizes, and options that differ from their defaults: '6x7x4'.")
      .def_ro("title", &Preset::title)
      .def_ro("summary", &Preset::summary)
      .def_ro("example", &Preset::example, "A few moves, for a small picture.");
  nb::class_<KindInfo>(m, "Kind", "A kind of game: the sizes and options that name one.")
      .def_ro("name", &KindInfo::name)
      .def_ro("summary", &KindInfo::summary)
      .def_ro("sizes", &KindInfo::sizes)
      .def_ro("options", &KindInfo::options)
      .def_ro("presets", &KindInfo::presets, "Well-known games of this kind.")
      .def_prop_ro(
          "has_solver", [](const KindInfo& kind) { return kind.solver != nullptr; },
          "True if the core has an exact solver for it, up to some size.")
      .def_prop_ro(
          "has_tables", [](const KindInfo& kind) { return kind.tables != nullptr; },
          "True if there can be end-game tables for it.");
  m.def("game_kinds", &game_kinds, "Every kind of game there is.");

  nb::enum_<Scoring>(m, "Scoring", "What a finished game is worth.")
      .value("outcome", Scoring::outcome, "A win, a draw or a loss; the sooner a win comes, the better.")
      .value("margin", Scoring::margin, "The difference, however long it takes.");
  nb::enum_<Shape>(m, "Shape", "How a board is laid out.")
      .value("grid", Shape::grid, "Rows and columns of cells.")
      .value("pits", Shape::pits, "A row of pits and a store for each side.")
      .value("text", Shape::text, "As the game writes it: there are no cells.");
  nb::class_<Traits>(m, "Traits", "What a game is: ask this, never what the game is called.")
      .def_ro("scoring", &Traits::scoring)
      .def_ro("shape", &Traits::shape)
      .def_ro("lines", &Traits::lines, "True if k in a row wins and stones stay where they are put.")
      .def_ro("falls", &Traits::falls, "True if a stone falls to the lowest empty cell of its column.")
      .def_ro("unit", &Traits::unit, "What a margin counts, such as 'seeds'; empty where there is none.");

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
      .def_prop_ro("traits", &AnyGame::traits, "What the game is.")
      .def_prop_ro("evaluations", &AnyGame::evaluations, "The names of its evaluations, the default first.")
      .def(
          "split_moves",
          [](const AnyGame& game, nb::handle given) {
            const auto text = text_of(given);
            if (!text)
              refuse<InvalidMoveError>("split_moves", "moves as a text, such as " + example_of(game), given);
            std::vector<Move> moves;
            game.read_moves(*text, [&](Move move) { moves.push_back(move); });
            return moves;
          },
          "text"_a.none(), nb::sig("def split_moves(self, text: str) -> list[Move]"),
          "The moves that a text names, legal or not: '4453', '4 4 5 3', 'h8i9'.")
      .def("start", &AnyGame::start, "The position before the first move.")
      .def(
          "position",
          [](const AnyGame& game, nb::handle moves) { return play_all(game.start(), "position", moves); },
          "moves"_a.none(),
          nb::sig("def position(self, moves: str | collections.abc.Iterable[Move | str]) -> Position"),
          "The position after moves, given as text ('4453', '4 4 5 3', 'h8 i9') or one by one.")
      .def(
          "from_text",
          [](const AnyGame& game, nb::handle given) {
            const auto text = text_of(given);
            if (!text) refuse<InvalidPositionError>("from_text", "a board text, as Position.text is", given);
            return game.from_text(*text);
          },
          "text"_a.none(), nb::sig("def from_text(self, text: str) -> Position"),
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
      .def(nb::new_([](const AnyGame& game, const std::optional<std::string>& start_text,
                       const Moves& history) {
             return play_all(start_text ? game.from_text(*start_text) : game.start(), "Position", history);
           }),
           "game"_a, "start_text"_a.none(), "history"_a)
      .def_prop_ro("game", &AnyPosition::game)
      .def_prop_ro("side", &AnyPosition::side,
                   "The side to move (after the end, the one that would be next).")
      .def_prop_ro("moves", &AnyPosition::moves, "The legal moves; none when the game is over.")
      .def_prop_ro("outcome", &AnyPosition::outcome, "How the game ended; None while it goes on.")
      .def(
          "play",
          [](const AnyPosition& position, nb::handle move) {
            return position.play(move_of(position, "play", move));
          },
          "move"_a.none(), nb::sig("def play(self, move: Move | str) -> Position"),
          "The position after a legal move, given as a Move or as text.")
      .def(
          "after",
          [](const PositionPointer& position, nb::handle moves) {
            return play_all(position, "after", moves);
          },
          "moves"_a.none(),
          nb::sig("def after(self, moves: str | collections.abc.Iterable[Move | str]) -> Position"),
          "The position after moves, given as text ('4453', '4 4 5 3', 'h8 i9') or one by one.")
      .def(
          "is_legal",
          [](const AnyPosition& position, nb::handle given) {
            const auto text = text_of(given);
            if (!text) return position.is_legal(move_of(position, "is_legal", given));
            const auto move = Move::parse(*text);  // what is no move at all is not legal either
            return move && position.is_legal(*move);
          },
          "move"_a.none(), nb::sig("def is_legal(self, move: Move | str) -> bool"))
      .def(
          "source",
          [](const AnyPosition& position, nb::handle move) {
            return to_optional_tuple(position.source(move_of(position, "source", move)));
          },
          "move"_a.none(), nb::sig("def source(self, move: Move | str) -> tuple[int, int] | None"),
          "The cell or pit that a legal move takes something from; None if it takes from none.")
      .def(
          "target",
          [](const AnyPosition& position, nb::handle move) {
            return to_optional_tuple(position.target(move_of(position, "target", move)));
          },
          "move"_a.none(), nb::sig("def target(self, move: Move | str) -> tuple[int, int] | None"),
          "The cell that a legal move puts something on; None if it does not name one.")
      .def_prop_ro("left_to_play", &AnyPosition::left_to_play,
                   "How much is left to play: empty cells, or seeds in the pits.")
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
          "last_cell", [](const AnyPosition& position) { return to_optional_tuple(position.last_cell()); },
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
          [](const AnyPosition& position, nb::handle given) {
            const int depth = number_of<int>("perft", "a depth", given);
            return unlocked([&](const Poll& poll) { return position.perft(depth, poll); });
          },
          "depth"_a.none(), nb::sig("def perft(self, depth: int) -> int"),
          "The number of move sequences of this length; a finished game is not extended.")
      .def(
          "play_outs",
          [](const AnyPosition& position, nb::handle games, nb::handle given_seed) {
            const auto count = number_of<std::uint64_t>("play_outs", "a number of games", games);
            const auto seed = number_of<std::uint64_t>("play_outs", "a seed", given_seed);
            const auto [first, draws, second] =
                unlocked([&](const Poll& poll) { return position.play_outs(count, seed, poll); });
            return nb::make_tuple(first, draws, second);
          },
          "count"_a.none(), nb::kw_only(), "seed"_a.none() = 1,
          nb::sig("def play_outs(self, count: int, *, seed: int = 1) -> tuple[int, int, int]"),
          "How many of so many random games end well for first, in a draw, and well for second.")
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

}  // namespace mossa
