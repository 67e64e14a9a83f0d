// Many games at once for Python, and positions and moves as numbers.
#include "../vector.hpp"

#include <nanobind/ndarray.h>

#include "bindings.hpp"

namespace mossa {

namespace {

/// Memory of `owner` as an array of NumPy, without a copy; the array keeps its owner alive.
template <class Number>
nb::object view(Number* numbers, const std::vector<std::size_t>& shape, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, Number>(numbers, shape.size(), shape.data(), owner));
}

/// An array of its own, filled by `fill`.
template <class Number, class Fill>
nb::object filled(const std::vector<std::size_t>& shape, Fill&& fill) {
  std::size_t count = 1;
  for (const std::size_t length : shape) count *= length;
  auto numbers = std::make_unique<Number[]>(count);
  fill(numbers.get());
  Number* const memory = numbers.release();
  const nb::capsule owner(memory, [](void* at) noexcept { delete[] static_cast<Number*>(at); });
  return view(memory, shape, owner);
}

void check_same(const Encoding& encoding, const AnyPosition& position) {
  const Cells cells = position.cells();
  if (static_cast<int>(cells.size()) != encoding.rows() ||
      static_cast<int>(cells[0].size()) != encoding.cols() ||
      position.game()->traits().shape != encoding.shape())
    throw GameError("a position of " + position.game()->name() + " does not fit: it is of another game");
}

int action_of(const Encoding& encoding, Move move) {
  const int action = encoding.action(move);
  if (action < 0 || action >= encoding.actions() || encoding.move(action) != move)
    throw InvalidMoveError("the move " + quote(move.text()) + " has no action: it is of another game");
  return action;
}

template <class Number>
nb::object planes_of(const Encoding& encoding, const AnyPosition& position) {
  return filled<Number>(encoding.plane_shape(),
                        [&](Number* to) { encoding.write(position.cells(), position.side(), to); });
}

/// The shape of one position's numbers, with the number of games in front.
std::vector<std::size_t> by_game(const AnyVector& games, std::vector<std::size_t> shape) {
  shape.insert(shape.begin(), games.count());
  return shape;
}

template <class Of>
auto array_of(Of&& of) {
  return [of](nb::handle self) { return of(nb::cast<AnyVector&>(self), self); };
}

using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FreshActions = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

}  // namespace

void bind_vector(nb::module_& m) {
  nb::class_<Encoding>(m, "Encoding",
                       "How positions of a game become planes of numbers, and its moves actions.")
      .def(nb::new_([](const AnyGame& game) { return std::make_shared<Encoding>(encoding_of(game)); }),
           "game"_a)
      .def_prop_ro("actions", &Encoding::actions, "How many actions there are: 0 to one less.")
      .def_prop_ro(
          "shape", [](const Encoding& encoding) { return nb::tuple(nb::cast(encoding.plane_shape())); },
          nb::sig("def shape(self) -> tuple[int, ...]"), "Of the planes of one position.")
      .def_prop_ro(
          "counts", [](const Encoding& encoding) { return encoding.shape() == Shape::pits; },
          "True if planes hold counts, as 16-bit numbers; else 0 and 1, as 8-bit numbers.")
      .def("action", &action_of, "move"_a, "The action of a move of the game.")
      .def(
          "move",
          [](const Encoding& encoding, std::int64_t action) {
            if (action < 0 || action >= encoding.actions() ||
                encoding.move(static_cast<int>(action)) == Move())
              return std::optional<Move>();
            return std::optional(encoding.move(static_cast<int>(action)));
          },
          "action"_a, "The move of an action; None if there is none.")
      .def(
          "planes",
          [](const Encoding& encoding, const AnyPosition& position) {
            check_same(encoding, position);
            return encoding.shape() == Shape::pits ? planes_of<std::int16_t>(encoding, position)
                                                   : planes_of<std::int8_t>(encoding, position);
          },
          "position"_a, nb::sig("def planes(self, position: Position) -> typing.Any"),
          "A position as the side to move sees it, as a NumPy array.")
      .def(
          "mask",
          [](const Encoding& encoding, const AnyPosition& position) {
            check_same(encoding, position);
            return filled<bool>({static_cast<std::size_t>(encoding.actions())}, [&](bool* mask) {
              for (const Move move : position.moves()) mask[encoding.action(move)] = true;
            });
          },
          "position"_a, nb::sig("def mask(self, position: Position) -> typing.Any"),
          "Which actions are legal, as a NumPy array.");

  nb::class_<AnyVector>(m, "CoreVector", "Many games stepped together; see mossa.vector.")
      .def(nb::new_([](const AnyGame& game, std::int64_t count, std::int64_t threads,
                       std::int64_t random_plies, bool planes, bool masks) {
             return make_vector(game, {count, threads, random_plies, planes, masks});
           }),
           "game"_a, "count"_a, "threads"_a, "random_plies"_a, "planes"_a, "masks"_a)
      .def_prop_ro("game", &AnyVector::game)
      .def("reset", &AnyVector::reset, "seed"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "step",
          [](AnyVector& games, const Actions& actions) {
            const nb::gil_scoped_release unlock;
            games.step({actions.data(), actions.size()});
          },
          "actions"_a, nb::sig("def step(self, actions: typing.Any) -> None"))
      .def(
          "random_actions",
          [](AnyVector& games, const FreshActions& actions) {
            const nb::gil_scoped_release unlock;
            games.random_actions({actions.data(), actions.size()});
          },
          "actions"_a, nb::sig("def random_actions(self, actions: typing.Any) -> None"))
      .def("text", &AnyVector::text, "game"_a, "The position of one game, as Position.text has it.")
      .def_prop_ro("planes", array_of([](AnyVector& games, nb::handle self) -> nb::object {
                     if (!games.settings().planes) return nb::none();
                     const auto shape = by_game(games, games.encoding().plane_shape());
                     if (games.encoding().shape() == Shape::pits)
                       return view(reinterpret_cast<std::int16_t*>(games.planes()), shape, self);
                     return view(reinterpret_cast<std::int8_t*>(games.planes()), shape, self);
                   }),
                   nb::sig("def planes(self) -> typing.Any"))
      .def_prop_ro("masks", array_of([](AnyVector& games, nb::handle self) -> nb::object {
                     if (!games.settings().masks) return nb::none();
                     const auto actions = static_cast<std::size_t>(games.encoding().actions());
                     return view(games.masks(), by_game(games, {actions}), self);
                   }),
                   nb::sig("def masks(self) -> typing.Any"))
      .def_prop_ro("to_move", array_of([](AnyVector& games, nb::handle self) -> nb::object {
                     return view(games.to_move(), {games.count()}, self);
                   }),
                   nb::sig("def to_move(self) -> typing.Any"))
      .def_prop_ro("moved", array_of([](AnyVector& games, nb::handle self) -> nb::object {
                     return view(games.moved(), {games.count()}, self);
                   }),
                   nb::sig("def moved(self) -> typing.Any"))
      .def_prop_ro("rewards", array_of([](AnyVector& games, nb::handle self) -> nb::object {
                     return view(games.rewards(), {games.count()}, self);
                   }),
                   nb::sig("def rewards(self) -> typing.Any"))
      .def_prop_ro("ended", array_of([](AnyVector& games, nb::handle self) -> nb::object {
                     return view(games.ended(), {games.count()}, self);
                   }),
                   nb::sig("def ended(self) -> typing.Any"));
}

}  // namespace mossa
