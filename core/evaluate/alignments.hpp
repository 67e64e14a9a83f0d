// Alignments: what either side can still make of every line of a board (the tuples of the MNK report).
//
// A side has a way to win wherever k cells in a line hold no stone of the other side; it needs one move for
// each empty cell. With exact=yes, a stone of its own just before or behind them spoils it: the finished row
// would be too long. It does not matter whether a stone can be put there now: in connect a way to win may
// hang in the air.
//
// One walk along a line finds all of them. The window of the last k cells moves on by one cell at each
// step, and only the cell that enters and the one that leaves change the moves it needs. A complete window is
// a way to win. It is passed back to its own cells, and each keeps the best it has seen; the first cell that
// knows a better one ends that, for the better one began earlier and covers the cells before it too. A line
// of n cells takes n k steps at worst. A cell outside every way to win keeps what the walk had counted when
// it came by: the cells since the last stone of the other side, itself included.
//
// `Alignments` keeps the results of a whole board. A new stone touches the four lines through its cell; only
// those are walked again, and only when somebody asks for them.
#pragma once

#include <span>
#include <vector>

#include "../game.hpp"

namespace mossa {

/// What a side can make of one line through one cell.
struct Alignment {
  /// Cells in a row that are the side's or empty: k if there is a way to win, else those counted so far, from
  /// the last stone of the other side (or the edge) to this cell. 0 if the cell itself is the other side's.
  int cells = 0;
  int moves = 0;             ///< the empty ones among them
  std::optional<int> start;  ///< where the way to win begins on the line; nothing if there is none
  bool operator==(const Alignment&) const = default;
};

/// One line for one side: the best alignment of each cell, and the ways to win by where they end.
struct LineAlignments {
  std::vector<Alignment> cells;
  std::vector<std::optional<int>> moves_by_end;
};

/// `line` holds 0 for an empty cell, else the side's number, from 1. Of two ways to win that need the
/// same moves a cell has the later one.
inline LineAlignments align(std::span<const std::uint8_t> line, int side, int k, bool exact) {
  const int length = static_cast<int>(line.size());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto is_own = [&](int i) { return i >= 0 && i < length && line[at(i)] == side; };
  const auto is_open = [&](int i) { return line[at(i)] == 0 || line[at(i)] == side; };
  LineAlignments found{std::vector<Alignment>(at(length)), std::vector<std::optional<int>>(at(length))};

  int begin = 0;   // of the stretch without a stone of the other side
  int needed = 0;  // empty cells among the last k of the stretch
  for (int i = 0; i < length; ++i) {
    if (!is_open(i)) {
      begin = i + 1;
      needed = 0;
      continue;
    }
    const int start = i - k + 1;
    needed += line[at(i)] == 0;
    if (start > begin) needed -= line[at(start - 1)] == 0;
    found.cells[at(i)] = {std::min(i - begin + 1, k), needed, {}};
    if (start < begin || (exact && (is_own(start - 1) || is_own(i + 1)))) continue;
    found.moves_by_end[at(i)] = needed;
    for (int j = i; j >= start; --j) {
      Alignment& here = found.cells[at(j)];
      if (here.start && here.moves < needed) break;
      here = {k, needed, start};
    }
  }
  return found;
}

/// The alignments of a board, kept until a stone touches their line.
class Alignments {
 public:
  /// Directions of a line, and of the answers of `at`: row, column, rising and falling diagonal. Lines
  /// run to the right, columns upwards.
  static constexpr std::array<Cell, 4> directions{{{0, 1}, {1, 0}, {1, 1}, {-1, 1}}};

  /// An alignment on the board: it starts at a cell.
  struct OnBoard {
    int cells = 0;
    int moves = 0;
    std::optional<Cell> start;
  };

  Alignments(const Cells& cells, int k, bool exact)
      : rows_(static_cast<int>(cells.size())),
        cols_(static_cast<int>(cells[0].size())),
        k_(k),
        exact_(exact),
        totals_{std::vector<int>(at(k) + 1), std::vector<int>(at(k) + 1)} {
    for (std::size_t d = 0; d < directions.size(); ++d) {
      places_[d].resize(at(rows_ * cols_));
      const auto [up, right] = directions[d];
      for (int row = 0; row < rows_; ++row)
        for (int col = 0; col < cols_; ++col) {
          if (contains({row - up, col - right})) continue;  // not the first cell of its line
          Line line{{row, col}, d, {}, {}};
          for (Cell cell = line.begin; contains(cell); cell = {cell.row + up, cell.col + right}) {
            place(d, cell) = {lines_.size(), static_cast<int>(line.stones.size())};
            line.stones.push_back(static_cast<std::uint8_t>(cells[at(cell.row)][at(cell.col)]));
          }
          lines_.push_back(std::move(line));
        }
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) stale_.push_back(i);
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  bool contains(Cell cell) const {
    return cell.row >= 0 && cell.row < rows_ && cell.col >= 0 && cell.col < cols_;
  }

  /// Puts a stone on an empty cell of the board.
  void put(Cell cell, Side side) {
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const Place here = place(d, cell);
      Line& line = lines_[here.line];
      line.stones[at(here.position)] = static_cast<std::uint8_t>(index(side) + 1);
      if (line.found[0].cells.empty()) continue;  // waits already
      for (const Side each : {Side::first, Side::second}) {
        add(line, each, -1);
        line.found[index(each)] = {};
      }
      stale_.push_back(here.line);
    }
  }

  /// The best alignments of a side through a cell of the board, one for each direction.
  std::array<OnBoard, 4> at(Cell cell, Side side) {
    std::array<OnBoard, 4> found;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const Place here = place(d, cell);
      const Line& line = fresh(here.line);
      const Alignment& alignment = line.found[index(side)].cells[at(here.position)];
      found[d] = {alignment.cells, alignment.moves, {}};
      if (alignment.start) found[d].start = cell_of(line, *alignment.start);
    }
    return found;
  }

  /// Entry i counts the ways to win of a side that need i moves, of 0 to k.
  const std::vector<int>& scenarios(Side side) {
    // A line that was walked on demand leaves its mark here; walking it twice does no harm.
    for (const std::size_t line : stale_) fresh(line);
    stale_.clear();
    return totals_[index(side)];
  }

  /// The same for the ways to win through one cell of the board.
  std::vector<int> scenarios(Side side, Cell cell) {
    std::vector<int> counts(at(k_) + 1);
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const Place here = place(d, cell);
      const auto& by_end = fresh(here.line).found[index(side)].moves_by_end;
      const int last = std::min(here.position + k_, static_cast<int>(by_end.size()));
      for (int end = here.position; end < last; ++end)
        if (by_end[at(end)]) ++counts[at(*by_end[at(end)])];
    }
    return counts;
  }

 private:
  struct Line {
    Cell begin;
    std::size_t direction;
    std::vector<std::uint8_t> stones;
    std::array<LineAlignments, 2> found;  // by side; empty until somebody asks
  };
  struct Place {
    std::size_t line = 0;
    int position = 0;
  };

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Place& place(std::size_t direction, Cell cell) {
    return places_[direction][at(cell.row * cols_ + cell.col)];
  }
  static Cell cell_of(const Line& line, int position) {
    const auto [up, right] = directions[line.direction];
    return {line.begin.row + position * up, line.begin.col + position * right};
  }

  Line& fresh(std::size_t index_of_line) {
    Line& line = lines_[index_of_line];
    if (line.found[0].cells.empty())
      for (const Side side : {Side::first, Side::second}) {
        line.found[index(side)] = align(line.stones, static_cast<int>(index(side)) + 1, k_, exact_);
        add(line, side, 1);
      }
    return line;
  }

  /// Adds the ways to win of a line to the totals, or takes them away.
  void add(const Line& line, Side side, int sign) {
    for (const std::optional<int>& moves : line.found[index(side)].moves_by_end)
      if (moves) totals_[index(side)][at(*moves)] += sign;
  }

  int rows_, cols_, k_;
  bool exact_;
  std::vector<Line> lines_;
  std::array<std::vector<Place>, 4> places_;  // by direction and cell
  std::array<std::vector<int>, 2> totals_;    // of the lines that are fresh
  std::vector<std::size_t> stale_;            // at least the lines that are not
};

}  // namespace mossa
