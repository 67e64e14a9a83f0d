// A game written in Python, for the searches of the core. Only bindings/search.cpp includes this.
//
// A position is any Python object with `side` (0 or 1, or a Side), `moves` (a list of anything), `play(move)`
// (a new position), `outcome` (None, or the value for the first side) and `key` (hashable; equal for equal
// positions); `evaluate` (a method, a number for the side to move) is optional. Here a move is its place in
// `moves`, counted from 1. Everything runs with the interpreter's lock held, and an exception in Python ends
// the search.
#pragma once

#include <nanobind/nanobind.h>

#include <concepts>

#include "searches.hpp"

namespace mossa {

namespace nb = nanobind;

class PythonGame {
 public:
  static constexpr Traits traits{.scoring = Scoring::margin, .shape = Shape::text};
  static constexpr int max_moves = 1000;
  static constexpr int key_words = 2;

  struct Position {
    nb::object object;
    nb::object moves;  // a list, once asked for
    Side side = Side::first;
    bool over = false;
    int value = 0;  // for first: of the outcome, or what `evaluate` says
  };

  Position start() const { return {}; }
  Side side(const Position& position) const { return position.side; }
  bool is_over(const Position& position) const { return position.over; }
  int value(const Position& position) const { return position.value; }

  Outcome outcome(const Position& position) const {
    Outcome outcome{{}, position.value, "as the game says"};
    if (position.value) outcome.winner = position.value > 0 ? Side::first : Side::second;
    return outcome;
  }

  MoveList<max_moves> moves(const Position& position) const {
    MoveList<max_moves> list;
    for (int i = 0; i < count_moves(position); ++i) list.add(Move::number(i + 1));
    return list;
  }

  int count_moves(const Position& position) const {
    if (position.over) return 0;
    const std::size_t count = nb::len(position.moves);
    if (count == 0) throw nb::value_error("a position that is not over has no moves");
    if (count > max_moves) throw nb::value_error("a position has more than 1000 moves");
    return static_cast<int>(count);
  }

  template <class Random>
  Move random_move(const Position& position, Random& random) const {
    return Move::number(random.below(count_moves(position)) + 1);
  }

  void play(Position& position, Move move) const {
    position = read(position.object.attr("play")(python_move(position, move)));
  }

  std::optional<std::string> refusal(const Position& position, Move move) const {
    if (move.is_number() && move.number() <= count_moves(position)) return {};
    return "there is no such move";
  }

  Key<key_words> key(const Position& position) const {
    const nb::object key = position.object.attr("key");
    return {
        static_cast<std::uint64_t>(nb::hash(key)),
        static_cast<std::uint64_t>(nb::hash(nb::make_tuple(key, "mossa", static_cast<int>(position.side))))};
  }
  Key<key_words> canonical_key(const Position& position) const { return key(position); }

  Cells cells(const Position&) const { return {}; }
  std::optional<Cell> source(const Position&, Move) const { return {}; }
  std::optional<Cell> target(const Position&, Move) const { return {}; }
  std::vector<Cell> winning_cells(const Position&) const { return {}; }
  std::string text(const Position& position) const { return nb::cast<std::string>(nb::str(position.object)); }
  Position parse(std::string_view) const { throw InvalidPositionError("a game in Python has no board text"); }
  std::string accepted_moves() const { return "one of the position's moves"; }
  std::size_t move_length(std::string_view word) const { return word.size(); }
  int centre_rank(Move move) const { return move.number(); }
  int left_to_play(const Position&) const { return 0; }

  // ---- beyond the concept

  nb::object python_move(const Position& position, Move move) const {
    return nb::borrow(nb::object(position.moves[static_cast<std::size_t>(move.number() - 1)]));
  }

  /// Asks a Python position all that the search needs to know at once.
  Position read(nb::object object) const {
    Position position;
    position.side = read_side(object.attr("side"));
    const nb::object outcome = object.attr("outcome");
    position.over = !outcome.is_none();
    if (position.over) {
      position.value = read_value(outcome);
    } else {
      position.moves = nb::list(object.attr("moves"));
      if (nb::hasattr(object, "evaluate")) {
        const int value = read_value(object.attr("evaluate")());
        position.value = position.side == Side::first ? value : -value;
      }
    }
    position.object = std::move(object);
    return position;
  }

 private:
  static Side read_side(const nb::object& side) {
    if (nb::isinstance<Side>(side)) return nb::cast<Side>(side);
    const int number = nb::cast<int>(side);
    if (number != 0 && number != 1) throw nb::value_error("side must be 0 or 1");
    return static_cast<Side>(number);
  }

  static int read_value(const nb::object& value) {
    const double number = nb::cast<double>(nb::float_(value));
    if (!(std::abs(number) <= 1e8)) throw nb::value_error("a value must be between -1e8 and 1e8");
    return static_cast<int>(std::lround(number));
  }
};

static_assert(Game<PythonGame>);

}  // namespace mossa
