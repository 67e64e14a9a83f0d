// Networks for Python, and what they see of positions.
#include <nanobind/ndarray.h>

#include <cmath>

#include "../learn/estimates.hpp"
#include "bindings.hpp"

namespace mossa {

namespace {

/// What a network says of a position.
struct NetworkEstimate {
  int value = 0;
  Chances chances{};
  std::map<Move, double> policy{};
};

std::span<const unsigned char> bytes_in(const nb::bytes& bytes) {
  return {static_cast<const unsigned char*>(bytes.data()), bytes.size()};
}
nb::bytes to_bytes(const std::vector<unsigned char>& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

/// What a network for a game is like; throws GameError if there is none.
NetworkShape shape_of(const AnyGame& game) {
  if (const auto wanted = game.network_game()) return NetworkShape(*wanted);
  throw GameError("no network for " + game.name() +
                  ": they are for games of k in a row and for games with a store for each side");
}

std::size_t at(int i) { return static_cast<std::size_t>(i); }

int cell_number(const Cell& cell, int cols) { return cell.row * cols + cell.col; }

/// The board of a line game, row by row from the bottom.
LineBoard line_board(const AnyPosition& position) {
  const Cells cells = position.cells();
  LineBoard board{static_cast<int>(cells.size()), static_cast<int>(cells[0].size()), {}, position.side(), {}};
  for (const std::vector<int>& row : cells)
    for (const int stone : row) board.stones.push_back(static_cast<std::uint8_t>(stone));
  if (const auto last = position.last_cell()) board.last = cell_number(*last, board.cols);
  return board;
}

/// A pit board as the side to move sees it.
struct Pits {
  explicit Pits(const AnyPosition& position) {
    const Cells cells = position.cells();
    own = cells[index(position.side())];
    opposing = cells[index(other(position.side()))];
    pits = static_cast<int>(own.size()) - 1;
    margin = own.back() - opposing.back();
  }
  PitView view() const { return {Row{own}, Row{opposing}, pits}; }
  PitView view_of_other() const { return {Row{opposing}, Row{own}, pits}; }

  struct Row {
    const std::vector<int>& of;
    int operator[](int pit) const { return of[at(pit)]; }
  };
  std::vector<int> own, opposing;
  int pits = 0, margin = 0;
};

void check_plays(const Network& network, const AnyGame& game) {
  if (!network.plays(game.network_game()))
    throw GameError("this network is not for " + game.name() + ": it is for " + network.game().text());
}

NetworkEstimate estimate(const NetworkPointer& network, const AnyPosition& position) {
  check_plays(*network, *position.game());
  position.check_open("estimate");
  if (network->game().kind == NetworkKind::pits) {
    const Pits pits(position);
    const auto found =
        network->pits().estimate(pits.view(), pits.view_of_other(), pits.margin, network->kernels());
    return {found.margin, found.logits.chances(), {}};
  }
  const std::vector<Move> moves = position.moves();
  const LineBoard board = line_board(position);
  std::vector<int> cells;
  for (const Move move : moves) cells.push_back(cell_number(*position.target(move), board.cols));
  const LineEstimate said = estimate_lines(network, board, cells);
  const double highest = *std::ranges::max_element(said.policy);
  NetworkEstimate found{said.value, said.chances, {}};
  double sum = 0;
  for (std::size_t i = 0; i < moves.size(); ++i)
    sum += found.policy[moves[i]] = std::exp((said.policy[i] - highest) / 100);
  for (auto& [move, share] : found.policy) share /= sum;
  return found;
}

/// An array of NumPy that is filled before anybody sees it.
template <class Number>
class Filled {
 public:
  explicit Filled(std::vector<std::size_t> shape) : shape_(std::move(shape)), width_(1) {
    for (std::size_t i = 1; i < shape_.size(); ++i) width_ *= shape_[i];
    numbers_ = std::make_unique<Number[]>(std::max<std::size_t>(shape_[0] * width_, 1));
  }
  /// What belongs to one position.
  Number* operator[](std::size_t position) { return numbers_.get() + position * width_; }
  nb::object array() {
    Number* const numbers = numbers_.release();
    const nb::capsule owner(numbers, [](void* memory) noexcept { delete[] static_cast<Number*>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, Number>(numbers, shape_.size(), shape_.data(), owner));
  }

 private:
  std::vector<std::size_t> shape_;
  std::size_t width_;
  std::unique_ptr<Number[]> numbers_;
};

nb::dict line_features(const NetworkShape& shape, const std::vector<PositionPointer>& positions,
                       bool with_points) {
  const Cells board = positions[0]->cells();
  const int rows = static_cast<int>(board.size()), cols = static_cast<int>(board[0].size());
  const std::size_t count = positions.size(), cells = at(rows * cols);
  Filled<std::uint16_t> own({count, cells, LineViewBoard::directions});
  Filled<std::uint16_t> opposing({count, cells, LineViewBoard::directions});
  Filled<std::uint8_t> place({count, cells}), place_other({count, cells});
  Filled<bool> legal({count, cells});
  Filled<float> points({count});
  unlocked([&](const Poll& poll) {
    LineFeatures features(shape.game, rows, cols, with_points);
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 256 == 0) poll();
      const AnyPosition& position = *positions[i];
      features.see(line_board(position), {own[i], opposing[i], place[i], place_other[i], points[i]});
      for (const Move move : position.moves()) legal[i][cell_number(*position.target(move), cols)] = true;
    }
    return true;
  });
  nb::dict features;
  features["own"] = own.array();
  features["other"] = opposing.array();
  features["place"] = place.array();
  features["place_other"] = place_other.array();
  features["legal"] = legal.array();
  features["points"] = points.array();
  return features;
}

nb::dict pit_features(const NetworkShape& shape, const std::vector<PositionPointer>& positions) {
  const std::size_t count = positions.size(), pits = at(shape.game.size);
  const auto by_pit = [&] { return std::vector{count, pits}; };
  Filled<std::uint8_t> own(by_pit()), opposing(by_pit());
  Filled<bool> reaches(by_pit()), reaches_other(by_pit()), legal(by_pit());
  Filled<std::uint8_t> captures(by_pit()), captures_other(by_pit());
  Filled<std::uint8_t> total({count}), total_other({count});
  Filled<std::uint8_t> margin({count});
  Filled<std::int16_t> ahead({count});
  unlocked([&](const Poll& poll) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 256 == 0) poll();
      const Pits board(*positions[i]);
      const PitView mine = board.view(), theirs = board.view_of_other();
      for (std::size_t pit = 0; pit < pits; ++pit) {
        own[i][pit] = mine.seeds[pit];
        opposing[i][pit] = theirs.seeds[pit];
        reaches[i][pit] = mine.reaches[pit];
        reaches_other[i][pit] = theirs.reaches[pit];
        captures[i][pit] = mine.captures[pit];
        captures_other[i][pit] = theirs.captures[pit];
      }
      total[i][0] = mine.total;
      total_other[i][0] = theirs.total;
      constexpr int most = NetworkScale::most_margin;
      margin[i][0] = static_cast<std::uint8_t>(std::clamp(board.margin, -most, most) + most);
      ahead[i][0] = static_cast<std::int16_t>(board.margin);
      for (const Move move : positions[i]->moves())
        if (move.is_number()) legal[i][move.number() - 1] = true;
    }
    return true;
  });
  nb::dict features;
  features["own"] = own.array();
  features["other"] = opposing.array();
  features["reaches"] = reaches.array();
  features["reaches_other"] = reaches_other.array();
  features["captures"] = captures.array();
  features["captures_other"] = captures_other.array();
  features["total"] = total.array();
  features["total_other"] = total_other.array();
  features["margin"] = margin.array();
  features["ahead"] = ahead.array();
  features["legal"] = legal.array();
  return features;
}

nb::dict network_features(const std::vector<PositionPointer>& positions, bool points) {
  if (positions.empty()) throw GameError("no positions to see features of: give one or more of one game");
  const AnyGame& game = *positions[0]->game();
  const NetworkShape shape = shape_of(game);
  for (const PositionPointer& each : positions)
    if (each->game()->name() != game.name())
      throw GameError("positions of " + game.name() + " and of " + each->game()->name() +
                      " have different features: give those of one game");
  try {
    nb::module_::import_("numpy");
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    throw nb::import_error("network_features needs NumPy, which is not installed: pip install numpy");
  }
  return shape.game.kind == NetworkKind::lines ? line_features(shape, positions, points)
                                               : pit_features(shape, positions);
}

}  // namespace

void bind_learn(nb::module_& m) {
  nb::class_<NetworkShape>(m, "NetworkShape",
                           "What a network for a game is like, and what 1.0 is in its numbers.")
      .def_prop_ro(
          "kind", [](const NetworkShape& shape) { return std::string(name(shape.game.kind)); },
          "'lines' or 'pits'.")
      .def_prop_ro(
          "k", [](const NetworkShape& shape) { return shape.game.size; }, "k, or the number of pits.")
      .def_prop_ro("falls", [](const NetworkShape& shape) { return shape.game.falls; })
      .def_prop_ro(
          "rules", [](const NetworkShape& shape) { return shape.game.rules; },
          "Options that differ from their default: 'exact=yes'.")
      .def_ro("patterns", &NetworkShape::patterns, "Rows of the codebooks of lines.")
      .def_ro("places", &NetworkShape::places, "Rows for the places of cells.")
      .def_prop_ro("payload_bytes", &NetworkShape::payload_bytes)
      .def_prop_ro_static("channels", [](nb::handle) { return NetworkScale::channels; })
      .def_prop_ro_static("hidden", [](nb::handle) { return NetworkScale::hidden; })
      .def_prop_ro_static(
          "row_scale", [](nb::handle) { return NetworkScale::row; }, "Of rows and their bias.")
      .def_prop_ro_static(
          "row_limit", [](nb::handle) { return NetworkScale::row_limit; }, "The largest number of a row.")
      .def_prop_ro_static(
          "input_limit", [](nb::handle) { return double{NetworkScale::input_limit} / NetworkScale::input; },
          "Where the inputs of the dense layers are clipped.")
      .def_prop_ro_static(
          "dense_scale", [](nb::handle) { return NetworkScale::dense; }, "Of dense weights.")
      .def_prop_ro_static("hidden_bias_scale",
                          [](nb::handle) { return NetworkScale::input * NetworkScale::dense; })
      .def_prop_ro_static(
          "hidden_limit",
          [](nb::handle) { return double{NetworkScale::hidden_limit} / NetworkScale::hidden_unit; },
          "Where the hidden layer is clipped.")
      .def_prop_ro_static(
          "out_scale", [](nb::handle) { return NetworkScale::output; }, "Of the outputs and their bias.")
      .def_prop_ro_static("policy_scale", [](nb::handle) { return NetworkScale::policy_weight; })
      .def_prop_ro_static("policy_bias_scale", [](nb::handle) { return NetworkScale::policy; })
      .def_prop_ro_static(
          "bias_limit", [](nb::handle) { return NetworkScale::bias_limit; },
          "The largest bias of the dense layers and of the policy.")
      .def_prop_ro_static(
          "margin_unit", [](nb::handle) { return NetworkScale::margin_unit; },
          "The seeds that 1.0 of the margin to come stands for.")
      .def_static(
          "sum_scale", [](int cells) { return double(NetworkScale::sum(cells)) / (1 << 16); }, "cells"_a,
          "What sums of activations over so many cells are multiplied with.");
  m.def("network_shape", &shape_of, "game"_a, "What a network for a game is like.");
  m.def(
      "pack_network",
      [](const AnyGame& game, const nb::bytes& payload, bool beside) {
        return to_bytes(Network::pack(shape_of(game).game, bytes_in(payload), beside));
      },
      "game"_a, "payload"_a, nb::kw_only(), "beside"_a = false,
      "The content of a network for a game, from its weights alone. One that was trained beside an "
      "evaluation "
      "of ours\ncorrects it.");

  nb::class_<NetworkEstimate>(m, "NetworkEstimate",
                              "What a network says of a position, for the side to move.")
      .def_ro("value", &NetworkEstimate::value,
              "As a search sees it: thousandths of the logarithm of the odds, or the margin at the end.")
      .def_prop_ro("win", [](const NetworkEstimate& found) { return found.chances.win; })
      .def_prop_ro("draw", [](const NetworkEstimate& found) { return found.chances.draw; })
      .def_prop_ro("loss", [](const NetworkEstimate& found) { return found.chances.loss; })
      .def_ro("policy", &NetworkEstimate::policy,
              "How likely each move is to be the best; none of a network of pits.");

  nb::class_<Network>(m, "Network", "An evaluation that was learnt from games.")
      .def(nb::new_([](const nb::bytes& content, bool portable) {
             return Network::read(bytes_in(content), portable);
           }),
           "content"_a, nb::kw_only(), "portable"_a = false,
           "Reads the content of a network. A portable one uses no special instructions and says the same.")
      .def_prop_ro(
          "kind", [](const Network& network) { return std::string(name(network.game().kind)); },
          "'lines' or 'pits'.")
      .def_prop_ro(
          "k", [](const Network& network) { return network.game().size; }, "k, or the number of pits.")
      .def_prop_ro("falls", [](const Network& network) { return network.game().falls; })
      .def_prop_ro(
          "rules", [](const Network& network) { return network.game().rules; },
          "Options that differ from their default: 'exact=yes'.")
      .def_prop_ro("beside", &Network::beside,
                   "True if it was trained beside an evaluation of ours, and corrects it.")
      .def_prop_ro_static("channels", [](nb::handle) { return NetworkScale::channels; })
      .def_prop_ro("content", [](const Network& network) { return to_bytes(network.content()); })
      .def(
          "plays",
          [](const Network& network, const AnyGame& game) { return network.plays(game.network_game()); },
          "game"_a, "True if it is for a game, at any size of its board.")
      .def("estimate", &estimate, "position"_a, "What it says of a position that is not over.")
      .def("__repr__",
           [](const Network& network) {
             return "<network of " + std::string(name(network.game().kind)) + " for " +
                    network.game().text() + ">";
           })
      .def("__reduce__", [](nb::handle self) -> Reduced {
        const auto network = nb::cast<NetworkPointer>(self);
        return nb::make_tuple(self.type(), nb::make_tuple(to_bytes(network->content())));
      });

  m.def(
      "network_features", &network_features, "positions"_a, nb::kw_only(), "points"_a = true,
      nb::sig("def network_features(positions: Sequence[Position], *, points: bool = True) -> dict[str, "
              "typing.Any]"),
      "What networks see of positions of one game, as NumPy arrays, for the side to move.\n\n"
      "Lines: own and other (pattern numbers as either side sees them: position, cell, direction), place "
      "and\n"
      "place_other (classes of cells), legal (cells that a move fills); cells are row * cols + col; points "
      "(what\n"
      "an evaluation of ours says, as logarithms of the odds; 0 without ``points``, which is faster).\n"
      "Pits: own and other (seeds, at most 15), reaches, reaches_other, captures and captures_other (seeds, "
      "at most\n"
      "12), legal: position, pit; total and total_other (seeds in all pits, at most 63); margin (so far, "
      "-24 to\n"
      "24, plus 24) and ahead (the same, in seeds).");
}

}  // namespace mossa
