// The open lines of one side: those without a stone of the other one, and their cells that are still empty.
#pragma once

#include <algorithm>
#include <array>

#include "mnk_board.hpp"

namespace mossa {

template <class Bits>
struct OpenLine {
  Bits rest;  // its empty cells
  Bits all;   // all of its cells
};

/// Lines in the order of the board, those of a direction together.
template <class Bits>
class OpenLines {
 public:
  using Line = OpenLine<Bits>;

  OpenLines() = default;
  OpenLines(const OpenLines& b) { *this = b; }
  OpenLines& operator=(const OpenLines& b) {
    count_ = b.count_;
    std::copy_n(b.lines_.begin(), count_, lines_.begin());
    std::copy_n(b.number_.begin(), count_, number_.begin());
    return *this;
  }

  /// A line with the number that it has on the board.
  void add(const Line& line, std::uint16_t number) {
    number_[count_] = number;
    lines_[count_++] = line;
  }
  /// What is left of other lines after their owner took one cell and the other side another one.
  void add_rest(const OpenLines& lines, Bits taken, Bits lost) {
    for (std::size_t i = 0; i < lines.count_; ++i)
      if (!(lines[i].rest & lost)) add({lines[i].rest & ~taken, lines[i].all}, lines.number_[i]);
  }
  void clear() { count_ = 0; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Line& operator[](std::size_t i) const { return lines_[i]; }
  std::uint16_t number(std::size_t i) const { return number_[i]; }
  const Line* begin() const { return lines_.data(); }
  const Line* end() const { return lines_.data() + count_; }

  /// Their owner takes a cell.
  void take(Bits cell) {
    for (std::size_t i = 0; i < count_; ++i) lines_[i].rest &= ~cell;
  }
  /// The other side takes these cells.
  void remove(Bits cells) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      lines_[kept] = lines_[i];
      number_[kept] = number_[i];
      kept += !(lines_[i].rest & cells);
    }
    count_ = kept;
  }
  Bits cells() const {
    Bits cells = 0;
    for (const Line& line : *this) cells |= line.rest;
    return cells;
  }
  /// The cells that have lines in one direction only. Lines of two directions share one cell at most, so only
  /// these can have lines with other cells in common.
  Bits in_one_direction() const {
    std::array<Bits, 4> cells{};
    for (std::size_t i = 0; i < count_; ++i) cells[number_[i] / MnkBoard<Bits>::max_cells] |= lines_[i].rest;
    const Bits either = cells[0] ^ cells[1], both = cells[0] & cells[1];
    const Bits or_this = cells[2] ^ cells[3], or_both = cells[2] & cells[3];
    return (either ^ or_this) & ~(both | or_both);
  }
  Bits stones() const {
    Bits stones = 0;
    for (const Line& line : *this) stones |= line.all ^ line.rest;
    return stones;
  }
  /// The cells that complete a line.
  Bits completing() const {
    Bits cells = 0;
    for (const Line& line : *this)
      if (at_most_one(line.rest)) cells |= line.rest;
    return cells;
  }
  /// Leaves out lines that include another one. Such two have at least two cells in common if none can be
  /// completed, and stand near each other in the list.
  void drop_longer() {
    bool dropped = false;  // lines are emptied first, then left out
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = i + 1; j < count_; ++j) {
        const Bits common = lines_[i].all & lines_[j].all;
        if (at_most_one(common)) break;
        if (!lines_[i].rest || !lines_[j].rest) continue;
        if (!(lines_[i].rest & ~lines_[j].rest)) {
          lines_[j].rest = 0;
          dropped = true;
        } else if (!(lines_[j].rest & ~lines_[i].rest)) {
          lines_[i].rest = 0;
          dropped = true;
        }
      }
    }
    if (!dropped) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i)
      if (lines_[i].rest) {
        number_[kept] = number_[i];
        lines_[kept++] = lines_[i];
      }
    count_ = kept;
  }

 private:
  std::size_t count_ = 0;
  std::array<Line, MnkBoard<Bits>::max_lines> lines_;
  std::array<std::uint16_t, MnkBoard<Bits>::max_lines> number_;
};

/// For each of some cells, the cells that all lines through it have in common: if v is among those of u,
/// whoever would take u does as well to take v.
template <class Bits>
class CommonCells {
 public:
  CommonCells(const OpenLines<Bits>& lines, Bits cells) {
    for (Bits rest = cells; rest; rest &= rest - 1)
      common_[static_cast<std::size_t>(lowest_bit(rest))] = ~Bits{0};
    for (const auto& line : lines)
      for (Bits rest = line.rest & cells; rest; rest &= rest - 1)
        common_[static_cast<std::size_t>(lowest_bit(rest))] &= line.rest;
  }
  Bits operator[](Bits cell) const { return common_[static_cast<std::size_t>(lowest_bit(cell))]; }

 private:
  std::array<Bits, static_cast<std::size_t>(MnkBoard<Bits>::max_cells)> common_;
};

}  // namespace mossa
