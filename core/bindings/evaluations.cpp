// What the core sees in a position without a search.
#include "../evaluate/patterns.hpp"
#include "bindings.hpp"

namespace mossa {

namespace {

/// A cell of the board, or an error that says what is one.
Cell checked_cell(const Alignments& alignments, const std::pair<int, int>& given) {
  const Cell cell{given.first, given.second};
  if (alignments.contains(cell)) return cell;
  throw GameError("invalid cell '" + std::to_string(cell.row) + ", " + std::to_string(cell.col) +
                  "': row 0 to " + std::to_string(alignments.rows() - 1) + ", column 0 to " +
                  std::to_string(alignments.cols() - 1));
}

}  // namespace

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

  m.def(
      "evaluate",
      [](const AnyPosition& position, const std::string& evaluation, Side side) {
        return position.evaluate(evaluation, side);
      },
      "position"_a, "evaluation"_a, "side"_a, "What an evaluation says of a position, for a side.");
  m.def(
      "align",
      [](const std::vector<std::uint8_t>& line, int side, int k, bool exact) {
        nb::list found;
        for (const Alignment& each : align(line, side, k, exact).cells)
          found.append(nb::make_tuple(each.cells, each.moves,
                                      each.start ? nb::object(nb::int_(*each.start)) : nb::none()));
        return found;
      },
      "line"_a, "side"_a, "k"_a, "exact"_a,
      "What a side can make of each cell of a line; see mossa.evaluations.",
      nb::sig("def align(line: list[int], side: int, k: int, exact: bool) -> "
              "list[tuple[int, int, int | None]]"));

  nb::enum_<Threat>(m, "Threat", nb::is_arithmetic(), "What a stone makes in a line of mnk.")
      .value("none", Threat::none)
      .value("three", Threat::three, "One more stone makes a row that two cells complete.")
      .value("four", Threat::four, "One more stone, on one cell, completes the row.")
      .value("open_four", Threat::open_four, "One more stone, on either of two cells, completes the row.")
      .value("win", Threat::win, "k in a row.");
  m.def(
      "threats", [](const AnyPosition& position, Move move) { return position.threats(move); }, "position"_a,
      "move"_a, "What a move makes in the lines through its cell, the most forcing first.");

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

}  // namespace mossa
