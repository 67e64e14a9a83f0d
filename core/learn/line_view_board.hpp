// The stones of a board as lines of bits, and what either side sees from every cell: line_views.hpp says what
// a view is.
//
// Cells are numbered row by row from the bottom left: row * cols + col. What lies off the board blocks both
// sides.
#pragma once

#include <array>
#include <vector>

#include "../games/lines.hpp"
#include "line_views.hpp"

namespace mossa {

/// The stones of a board by cell: 0 for none, or the side + 1.
using StonesByCell = std::vector<std::uint8_t>;

class LineViewBoard {
 public:
  static constexpr int directions = 4;  // row, column, rising, falling (read upwards)

  /// The cells of a line around one, by side: bit 2 * reach is the cell itself.
  using Around = std::array<std::uint32_t, 2>;
  /// What is seen from a cell, by direction.
  using Seen = std::array<BothViews, directions>;

  LineViewBoard(const LineViews& views, int rows, int cols)
      : views_(views),
        reach_(views.reach()),
        rows_(rows),
        cols_(cols),
        steps_{1, cols, cols + 1, cols - 1},
        words_per_line_(at(std::max(rows, cols) + 4 * reach_) / 64 + 2),
        spots_(at(cells())),
        seen_(at(cells())) {
    for (int cell = 0; cell < cells(); ++cell)
      for (int d = 0; d < directions; ++d) spots_[at(cell)][at(d)] = spot(d, cell / cols, cell % cols);
    set_up(StonesByCell(at(cells())));
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int cells() const { return rows_ * cols_; }
  int reach() const { return reach_; }
  /// From a cell to the next of a line.
  int step(int direction) const { return steps_[at(direction)]; }

  void set_up(const StonesByCell& stones) {
    const std::size_t lines = at(rows_ + cols_ + 2 * (rows_ + cols_ - 1));
    for (auto& of_side : lines_) of_side.assign(lines * words_per_line_, ~std::uint64_t{0});
    for (int cell = 0; cell < cells(); ++cell)
      for (const Side side : {Side::first, Side::second})
        set_stone(side, cell, stones[at(cell)] == index(side) + 1);
    for (int cell = 0; cell < cells(); ++cell)
      for (int d = 0; d < directions; ++d) seen_[at(cell)][at(d)] = see(around(d, cell), 0);
  }

  /// Puts or removes a stone. What is seen stays as it was: whoever puts it says what changes.
  void set_stone(Side side, int cell, bool on) {
    for (const Spot& spot : spots_[at(cell)]) {
      const int bit = spot.place + 2 * reach_;
      std::uint64_t& word = lines_[index(side)][spot.word + at(bit / 64)];
      const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
      word = on ? word | mask : word & ~mask;
    }
  }
  Around around(int direction, int cell) const {
    const Spot& spot = spots_[at(cell)][at(direction)];
    return {bits(0, spot), bits(1, spot)};
  }
  /// What both sides see from the cell so far `away` from the middle.
  BothViews see(const Around& around, int away) const {
    return views_.see(around[0] >> (reach_ + away), around[1] >> (reach_ + away));
  }
  /// True if the cell so far away has a stone of the side, or is not on the board.
  bool has(const Around& around, Side side, int away) const {
    return around[index(side)] >> (2 * reach_ + away) & 1;
  }

  const Seen& seen(int cell) const { return seen_[at(cell)]; }
  Seen& seen(int cell) { return seen_[at(cell)]; }

  std::size_t bytes() const {
    return spots_.size() * sizeof(spots_[0]) + seen_.size() * sizeof(Seen) +
           2 * lines_[0].size() * sizeof(std::uint64_t);
  }

 private:
  /// Where a cell lies in a line: the first word of that, and the cell's place.
  struct Spot {
    std::uint32_t word;
    int place;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  Spot spot(int direction, int row, int col) const {
    const int before = rows_ + cols_, diagonals = rows_ + cols_ - 1;
    int line = row, place = col;
    if (direction == 1) line = rows_ + col, place = row;
    if (direction == 2) line = before + row - col + cols_ - 1;
    if (direction == 3) line = before + diagonals + row + col, place = row;
    return {static_cast<std::uint32_t>(at(line) * words_per_line_), place};
  }
  /// A line has room for two arms before its first cell, so that the window of any neighbour begins on it.
  std::uint32_t bits(std::size_t side, const Spot& spot) const {
    const std::uint64_t* const line = lines_[side].data() + spot.word + spot.place / 64;
    const int shift = spot.place % 64;
    return static_cast<std::uint32_t>(shift ? line[0] >> shift | line[1] << (64 - shift) : line[0]);
  }

  const LineViews& views_;
  int reach_, rows_, cols_;
  std::array<int, directions> steps_;
  std::size_t words_per_line_;
  std::vector<std::array<Spot, directions>> spots_;  // by cell
  std::array<std::vector<std::uint64_t>, 2> lines_;  // by side; set: a stone of it, or not on the board
  std::vector<Seen> seen_;                           // by cell
};

/// Where a cell lies in a game in which stones fall: `height` above the stones of its column (0 is where the
/// next one lands), or occupied if that is negative, and whether it is of the side's parity.
constexpr int place_class(int height, bool own_parity) {
  constexpr int highest = 4, occupied = highest + 1;
  return 2 * (height < 0 ? occupied : std::min(height, highest)) + own_parity;
}
constexpr int place_classes = 12;
constexpr int most_changing_height = 4;  // of the cells whose class a stone below them changes

/// The height of a cell above the stones of its column; -1 if it is occupied.
inline int height_above_stones(const StonesByCell& stones, int cols, int cell) {
  int height = -1;
  for (int below = cell; below >= 0 && !stones[static_cast<std::size_t>(below)]; below -= cols) ++height;
  return height;
}

}  // namespace mossa
