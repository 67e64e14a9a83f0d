// What the two line games share: a grid of cells as bits, stones that stay where they are put, and a
// win by k in a line. mnk.hpp and connect.hpp add where a stone may go.
//
// The grid is stored line by line, each followed by a spare bit that is never set, so that a run cannot wrap
// from the end of one line to the start of the next. Connect stores columns (a stone falls
// on top of its column: add one to the bit), mnk stores rows (bits in reading order):
//
//     connect, 3 rows x 4 columns        mnk, 3 rows x 4 columns
//      3  7 11 15   <- spare             10 11 12 13 14
//      2  6 10 14                         5  6  7  8  9
//      1  5  9 13                         0  1  2  3  4   <- last column is spare
//      0  4  8 12
#pragma once

#include <array>
#include <cstdlib>
#include <string>

#include "../bitboard.hpp"
#include "../game.hpp"

namespace mossa {

/// Where cell (row, col) lies among the bits, and the steps between neighbours.
struct Grid {
  int rows, cols;
  int row_step, col_step;  // from a cell to the one above, to the one on the right

  static constexpr Grid by_rows(int rows, int cols) { return {rows, cols, cols + 1, 1}; }
  static constexpr Grid by_columns(int rows, int cols) { return {rows, cols, 1, rows + 1}; }

  constexpr int bits() const { return col_step == 1 ? rows * row_step : cols * col_step; }
  constexpr int bit(int row, int col) const { return row * row_step + col * col_step; }
  constexpr Cell cell(int bit) const {
    return col_step == 1 ? Cell{bit / row_step, bit % row_step} : Cell{bit % col_step, bit / col_step};
  }
  /// Row, column and the two diagonals.
  constexpr std::array<int, 4> steps() const {
    return {row_step, col_step, row_step + col_step,
            std::max(row_step, col_step) - std::min(row_step, col_step)};
  }
  constexpr bool contains(int row, int col) const { return row >= 0 && row < rows && col >= 0 && col < cols; }
};

enum class LinesStatus : std::uint8_t { open, won, drawn };  // won by the side that moved last

template <int Words>
struct LinesPosition {
  std::array<BitSet<Words>, 2> stones;  // by side
  // Plies and status in one word: a copy made right after a narrower write would stall.
  std::uint64_t turn = 0;

  int plies() const { return static_cast<int>(turn & 0xFFFF); }
  LinesStatus status() const { return static_cast<LinesStatus>(turn >> 16); }
  void set(int plies, LinesStatus status) {
    turn = static_cast<std::uint64_t>(plies) | static_cast<std::uint64_t>(status) << 16;
  }

  BitSet<Words> occupied() const { return stones[0] | stones[1]; }
};

/// A game of lines: what the evaluations of windows, alignments and priorities need.
template <class G>
concept LineGame =
    Game<G> && G::traits.lines && requires(const G& game, const typename G::Position& position, Move move) {
      { game.grid() } -> std::convertible_to<Grid>;
      { game.k() } -> std::same_as<int>;
      { game.landing(position, move) } -> std::same_as<int>;
    };

/// Stones fall to the lowest empty cell of a column.
template <class G>
concept FallingGame = LineGame<G> && G::traits.falls;

/// Whose cell it is where stones fall, if both sides fill one column after the other and this one comes last.
constexpr Side column_parity(int rows, int cols, int row) {
  return (rows * (cols - 1) + row) % 2 ? Side::second : Side::first;
}

/// The shared half of a line game. `Derived` is the game itself (it adds moves, play and refusal).
template <class Derived, int Words>
class LinesGame {
 public:
  using Position = LinesPosition<Words>;
  static constexpr int key_words = 2 * Words;

  LinesGame(Grid grid, int k, bool exact)
      : grid_(grid), k_(k), exact_(exact), steps_(grid.steps()), run_test_(steps_, k, grid.bits()) {}

  const Grid& grid() const { return grid_; }
  int k() const { return k_; }
  bool exact() const { return exact_; }

  Position start() const { return {}; }
  Side side(const Position& position) const { return position.plies() % 2 ? Side::second : Side::first; }
  bool is_over(const Position& position) const { return position.status() != LinesStatus::open; }
  int cell_count() const { return grid_.rows * grid_.cols; }
  int left_to_play(const Position& position) const { return cell_count() - position.plies(); }

  /// +1, 0 or -1 for the first side.
  int value(const Position& position) const {
    if (position.status() != LinesStatus::won) return 0;
    return side(position) == Side::second ? 1 : -1;
  }

  Outcome outcome(const Position& position) const {
    if (position.status() == LinesStatus::drawn) return {{}, 0, "the board is full"};
    return {other(side(position)), value(position), std::to_string(k_) + " in a row"};
  }

  Key<key_words> key(const Position& position) const { return join_words(position.stones); }

  /// A key of many words is hashed without being made: most of its words are zero.
  std::uint64_t hash(const Position& position, std::uint64_t seed) const
    requires(Words > 4)
  {
    std::uint64_t hash = seed;
    for (std::size_t s = 0; s < 2; ++s) {
      const auto words = position.stones[s].words();
      for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i]) hash = mix((hash + 2 * i + s) ^ words[i]);
    }
    return hash;
  }

  /// The smallest key among the position's images.
  Key<key_words> canonical_key(const Position& position) const {
    Key<key_words> smallest = key(position);
    for (int symmetry = 1; symmetry < self().symmetries(); ++symmetry) {
      std::array<BitSet<Words>, 2> image;
      for (std::size_t s = 0; s < 2; ++s)
        position.stones[s].for_each([&](int bit) { image[s].set(map(bit, symmetry)); });
      smallest = std::min(smallest, join_words(image));
    }
    return smallest;
  }

  Cells cells(const Position& position) const {
    Cells cells(static_cast<std::size_t>(grid_.rows), std::vector<int>(static_cast<std::size_t>(grid_.cols)));
    for (std::size_t s = 0; s < 2; ++s)
      position.stones[s].for_each([&](int bit) {
        const Cell cell = grid_.cell(bit);
        cells[static_cast<std::size_t>(cell.row)][static_cast<std::size_t>(cell.col)] =
            static_cast<int>(s) + 1;
      });
    return cells;
  }

  std::vector<Cell> winning_cells(const Position& position) const {
    if (position.status() != LinesStatus::won) return {};
    const BitSet<Words>& stones = position.stones[index(other(side(position)))];
    BitSet<Words> winning;
    for (const int step : steps_)
      runs(stones, step, k_, exact_).for_each([&](int begin) {
        for (int i = 0; i < k_; ++i) winning.set(begin + i * step);
      });
    std::vector<Cell> cells;
    winning.for_each([&](int bit) { cells.push_back(grid_.cell(bit)); });
    std::ranges::sort(cells);
    return cells;
  }

  /// Rows from the top, separated by '/': '.' empty, 'x' the first side, 'o' the second.
  std::string text(const Position& position) const {
    std::string text;
    for (int row = grid_.rows - 1; row >= 0; --row) {
      for (int col = 0; col < grid_.cols; ++col) {
        const int bit = grid_.bit(row, col);
        text += position.stones[0].test(bit) ? 'x' : position.stones[1].test(bit) ? 'o' : '.';
      }
      if (row) text += '/';
    }
    return text;
  }

  /// The inverse of `text`. Refuses what no game can reach by stone count, gravity or winner.
  Position parse(std::string_view text) const {
    const auto fail = [&](const std::string& why) {
      return InvalidPositionError("invalid position " + quote(text) + ": " + why);
    };
    const std::string shape = std::to_string(grid_.rows) + " rows of " + std::to_string(grid_.cols) +
                              " cells ('.', 'x', 'o'), the top row first, separated by '/'";
    Position position;
    if (static_cast<int>(text.size()) != grid_.rows * (grid_.cols + 1) - 1) throw fail("expected " + shape);
    for (int i = 0; i < static_cast<int>(text.size()); ++i) {
      const char c = text[static_cast<std::size_t>(i)];
      const int row = grid_.rows - 1 - i / (grid_.cols + 1);
      const int col = i % (grid_.cols + 1);
      const bool between = col == grid_.cols;
      if (between ? c != '/' : c != '.' && c != 'x' && c != 'o')
        throw fail("character " + std::to_string(i + 1) + " is wrong; expected " + shape);
      if (c == 'x' || c == 'o') position.stones[c == 'o'].set(grid_.bit(row, col));
    }
    const int first = position.stones[0].count();
    const int second = position.stones[1].count();
    if (first != second && first != second + 1)
      throw fail(std::to_string(first) + " x and " + std::to_string(second) +
                 " o; x moves first, so it has as many stones as o or one more");
    position.set(first + second, LinesStatus::open);
    if (const std::optional<Cell> hole = self().unsupported(position))
      throw fail("the stone in column " + std::to_string(hole->col + 1) + ", row " +
                 std::to_string(hole->row + 1) + " hangs in the air");
    const Side last = other(side(position));
    if (wins(position.stones[index(side(position))]))
      throw fail(std::string(name(side(position))) + " has " + std::to_string(k_) +
                 " in a row, but the other side has moved since");
    if (wins(position.stones[index(last)]) && !has_last_stone(position, last))
      throw fail(std::string(name(last)) + " had already won before its last move");
    finish_move(position, position.plies(), wins(position.stones[index(last)]));
    return position;
  }

  std::optional<Cell> source(const Position&, Move) const { return {}; }
  std::optional<Cell> target(const Position& position, Move move) const {
    return grid_.cell(self().landing(position, move));
  }

 protected:
  /// Twice the distance of a row or column from the middle of the board.
  static int off_centre(int at, int size) { return std::abs(2 * at + 1 - size); }

  /// Puts a stone of the side to move on `bit`; sets the status and passes the turn.
  void place(Position& position, int bit) const {
    BitSet<Words>& stones = position.stones[index(side(position))];
    stones.set(bit);
    finish_move(position, position.plies() + 1, wins_through(stones, bit));
  }

  std::optional<std::string> refusal_when_over(const Position& position) const {
    if (!is_over(position)) return {};
    return "the game is over (" + outcome(position).text() + ")";
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  void finish_move(Position& position, int plies, bool won) const {
    position.set(plies, won                     ? LinesStatus::won
                        : plies == cell_count() ? LinesStatus::drawn
                                                : LinesStatus::open);
  }

  bool wins(const BitSet<Words>& stones) const {
    if constexpr (Words == 1)
      if (!exact_) return run_test_.has_run(stones.words()[0]);
    return has_run(stones, steps_, k_, exact_);
  }

  /// Shifting a whole board is fastest for one or two words; beyond, only the new stone's lines are read.
  bool wins_through(const BitSet<Words>& stones, int bit) const {
    if constexpr (Words <= 2) return wins(stones);
    return has_run_through(stones, steps_, k_, exact_, bit);
  }

  /// True if some stone of the winner can have been the last one: without it nobody has won. It lies on
  /// every winning line, so only the stones of one such line need to be tried.
  bool has_last_stone(const Position& position, Side winner) const {
    BitSet<Words> stones = position.stones[index(winner)];
    for (const int step : steps_) {
      const BitSet<Words> begins = runs(stones, step, k_, exact_);
      if (!begins.any()) continue;
      int begin = BitSet<Words>::bits;
      begins.for_each([&](int bit) { begin = std::min(begin, bit); });
      for (int i = 0; i < k_; ++i) {
        const int bit = begin + i * step;
        if (!self().can_be_last(position, bit)) continue;
        stones.reset(bit);
        if (!wins(stones)) return true;
        stones.set(bit);
      }
      return false;
    }
    return false;
  }

  static Key<key_words> join_words(const std::array<BitSet<Words>, 2>& stones) {
    Key<key_words> joined{};
    std::ranges::copy(stones[0].words(), joined.begin());
    std::ranges::copy(stones[1].words(), joined.begin() + Words);
    return joined;
  }

  /// Bit 0 of `symmetry` mirrors the columns, bit 1 the rows, bit 2 exchanges rows and columns.
  int map(int bit, int symmetry) const {
    auto [row, col] = grid_.cell(bit);
    if (symmetry & 1) col = grid_.cols - 1 - col;
    if (symmetry & 2) row = grid_.rows - 1 - row;
    if (symmetry & 4) std::swap(row, col);
    return grid_.bit(row, col);
  }

  Grid grid_;
  int k_;
  bool exact_;
  std::array<int, 4> steps_;
  RunTest run_test_;
};

/// k can be no longer than the longer side, or nobody could ever win.
inline void check_k(const GameSpec& spec, const KindInfo& info) {
  const int longer = std::max(spec.sizes[0], spec.sizes[1]);
  if (spec.sizes[2] > longer)
    throw InvalidGameError("invalid game " + quote(name_of(spec, info)) + ": k must be 1 to " +
                           std::to_string(longer) + " (the longer side), not " +
                           std::to_string(spec.sizes[2]));
}

}  // namespace mossa
