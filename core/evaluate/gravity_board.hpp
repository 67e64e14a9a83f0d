// A board on which stones fall, for a search: windows, winning cells and makers, kept up to date.
//
// A window is a stretch of k cells in a line. For every window the board counts the stones of either side; a
// new stone changes the windows through its cell and no others, so that a move costs the same on every size
// of board. From the counts follow
//
// - winning cells: empty cells on which one more stone of a side completes k in a row. A winning cell stays
//   one until somebody takes it;
// - makers: empty cells on which one more stone makes a new winning cell;
// - a sum over the windows that are still open to one side alone.
//
// Cells are numbered column by column from the bottom, so the cell above has the next number:
//
//      2  5  8 11
//      1  4  7 10
//      0  3  6  9
//
// The windows of one line are numbered in a row, so those through a cell are neighbours in memory.
#pragma once

#include <bit>
#include <vector>

#include "../games/lines.hpp"
#include "../table.hpp"

namespace mossa {

/// How a window lies, as a side sees it. Cells of a side's parity are those that it gets if both sides fill
/// the columns one after the other (gravity_value.hpp).
enum class Lie : std::uint8_t { upright, own_row, other_row, diagonal };
constexpr std::size_t lies = 4;

/// What a window with n stones of one side alone is worth, by how it lies; n < k.
using WindowWeights = std::array<std::vector<int>, lies>;

/// A set of rows or of columns: up to 128.
class Places {
 public:
  bool test(int i) const { return words_[word(i)] >> (i % 64) & 1; }
  void set(int i) { words_[word(i)] |= bit(i); }
  void reset(int i) { words_[word(i)] &= ~bit(i); }
  void set(int i, bool on) { on ? set(i) : reset(i); }
  bool empty() const { return (words_[0] | words_[1]) == 0; }
  bool several() const {
    return words_[0] ? words_[1] || (words_[0] & (words_[0] - 1)) : (words_[1] & (words_[1] - 1)) != 0;
  }
  /// The lowest; there must be one.
  int first() const { return words_[0] ? std::countr_zero(words_[0]) : 64 + std::countr_zero(words_[1]); }
  Places operator|(const Places& b) const {
    Places both;
    for (std::size_t w = 0; w < 2; ++w) both.words_[w] = words_[w] | b.words_[w];
    return both;
  }
  template <class Use>
  void for_each(Use&& use) const {
    for (std::size_t w = 0; w < 2; ++w)
      for (std::uint64_t rest = words_[w]; rest; rest &= rest - 1)
        use(static_cast<int>(w) * 64 + std::countr_zero(rest));
  }

 private:
  static std::size_t word(int i) { return static_cast<std::size_t>(i / 64); }
  static std::uint64_t bit(int i) { return std::uint64_t{1} << (i % 64); }

  std::array<std::uint64_t, 2> words_{};
};

class GravityBoard {
 public:
  GravityBoard(int rows, int cols, int k, const WindowWeights& weights);

  /// Every column from the bottom up; `side` moves next.
  void set_up(const std::vector<std::vector<Side>>& columns, Side side);

  void put(int col) {
    const int cell = landing(col);
    undos_.push_back({col, ready_, sums_, open_, made_.size(), {}});
    Undo& undo = undos_.back();
    for (std::size_t s = 0; s < 2; ++s) undo.was_winning[s] = winning_[s][at(col)].test(height(col));
    colour_[at(cell)] = static_cast<std::uint8_t>(index(side_) + 1);
    toggle_key(cell);
    change<true>(cell);
    const int row = heights_[at(col)]++;
    ++stones_;
    for (std::size_t s = 0; s < 2; ++s) {
      winning_[s][at(col)].reset(row);
      ready_[s].set(col, row + 1 < rows_ && winning_[s][at(col)].test(row + 1));
    }
    hot_.set(col, !(winning_[0][at(col)] | winning_[1][at(col)]).empty());
    side_ = other(side_);
  }

  void take() {
    const Undo undo = undos_.back();
    undos_.pop_back();
    const int col = undo.col;
    side_ = other(side_);
    --stones_;
    const int row = --heights_[at(col)];
    const int cell = col * rows_ + row;
    change<false>(cell);
    for (std::size_t s = 0; s < 2; ++s)
      if (undo.was_winning[s]) winning_[s][at(col)].set(row);
    while (made_.size() > undo.made) {
      const Made& made = made_.back();
      winning_[made.side][at(made.col)].reset(made.row);
      hot_.set(made.col, !(winning_[0][at(made.col)] | winning_[1][at(made.col)]).empty());
      made_.pop_back();
    }
    hot_.set(col, !(winning_[0][at(col)] | winning_[1][at(col)]).empty());
    colour_[at(cell)] = 0;
    toggle_key(cell);
    ready_ = undo.ready;
    sums_ = undo.sums;
    open_ = undo.open;
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int k() const { return k_; }
  int cells() const { return rows_ * cols_; }
  int empty() const { return cells() - stones_; }
  int stones() const { return stones_; }
  Side side() const { return side_; }
  int height(int col) const { return heights_[at(col)]; }
  bool full(int col) const { return height(col) == rows_; }
  int landing(int col) const { return col * rows_ + height(col); }
  /// Whose cell it is if both sides fill one column after the other and this one comes last.
  Side parity(int row) const { return column_parity(rows_, cols_, row); }
  /// The columns in which a stone wins at once.
  const Places& ready(Side side) const { return ready_[index(side)]; }
  /// The columns with winning cells of either side.
  const Places& hot() const { return hot_; }
  const Places& winning(Side side, int col) const { return winning_[index(side)][at(col)]; }
  /// True if a stone that is put there makes a winning cell.
  bool makes(Side side, int cell) const { return makers_[index(side)][at(cell)] > 0; }
  int sum(Side side) const { return sums_[index(side)]; }
  /// The same before the last move.
  int last_sum(Side side) const { return (undos_.empty() ? sums_ : undos_.back().sums)[index(side)]; }
  /// The windows without a stone of the other side.
  int open(Side side) const { return open_[index(side)]; }
  const TableKey& key() const { return key_; }
  /// True if the board is its own mirror image.
  bool symmetric() const { return key_.low == mirrored_.low && key_.high == mirrored_.high; }

  /// What a stone on this cell adds for its side and takes from the other.
  int worth(Side side, int cell) const {
    const std::uint8_t* const own = counts_[index(side)].data();
    const std::uint8_t* const theirs = counts_[index(other(side))].data();
    int sum = 0;
    for (const Through& through : through_[at(cell)]) {
      const std::int16_t* const worth = worth_[at(through.lie[index(side)])].data();
      for (std::size_t w = through.first; w < through.last; ++w)
        sum += worth[own[w] * at(k_ + 1) + theirs[w]];
    }
    return sum;
  }

  std::size_t bytes() const {
    return 2 * counts_[0].size() + through_.size() * sizeof(through_[0]) + windows_.size() * sizeof(Window) +
           hashes_.size() * sizeof(TableKey) + 4 * colour_.size();
  }

 private:
  struct Through {
    std::uint32_t first = 0, last = 0;  // windows, the last one not included
    std::array<Lie, 2> lie{};           // for either side
  };
  struct Window {
    std::int16_t cell, step;
  };
  struct Made {
    std::uint8_t side, row, col;
  };
  struct Undo {
    int col;
    std::array<Places, 2> ready;
    std::array<int, 2> sums, open;
    std::size_t made;
    std::array<bool, 2> was_winning;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static std::size_t at(Lie lie) { return static_cast<std::size_t>(lie); }

  void toggle_key(int cell) {
    const std::size_t s = index(side_);
    toggle(key_, hashes_[2 * at(cell) + s]);
    const int row = cell % rows_, col = cell / rows_;
    toggle(mirrored_, hashes_[2 * at((cols_ - 1 - col) * rows_ + row) + s]);
  }
  static void toggle(TableKey& key, const TableKey& by) {
    key.low ^= by.low;
    key.high ^= by.high;
  }

  /// Counts a stone of the side to move, or takes it out of the counts again; `colour_` has it either way.
  template <bool Put>
  void change(int cell) {
    const std::size_t side = index(side_), opponent = 1 - side;
    std::uint8_t* const own = counts_[side].data();
    const std::uint8_t* const theirs = counts_[opponent].data();
    int gained = 0, taken = 0, closed = 0;
    for (const Through& through : through_[at(cell)]) {
      const int* const steps = steps_[at(through.lie[side])].data();
      const int* const weights = weights_[at(through.lie[opponent])].data();
      for (std::size_t w = through.first; w < through.last; ++w) {
        const int mine = Put ? ++own[w] : own[w]--;
        const int blocked = theirs[w];
        if (blocked == 0) {
          if (Put) gained += steps[mine];
          if (mine >= k_ - 2 && k_ > 2) note<Put>(w, cell, mine);
          if (Put && mine == k_ - 1 && k_ == 2) note_pair(w);
        }
        if (mine == 1) {
          if (Put) {
            ++closed;
            taken += weights[blocked];
          }
          if (blocked == k_ - 2 && k_ > 2) count_makers(opponent, w, cell, Put ? -1 : 1);
        }
      }
    }
    if (Put) {
      sums_[side] += gained;
      sums_[opponent] -= taken;
      open_[opponent] -= closed;
    }
  }

  /// A window of the side to move alone that lacks two stones or fewer.
  template <bool Put>
  void note(std::size_t w, int cell, int stones) {
    const std::size_t side = index(side_);
    if (stones == k_ - 2) return count_makers(side, w, -1, Put ? 1 : -1);
    if (stones != k_ - 1) return;
    count_makers(side, w, cell, Put ? -1 : 1);
    if (Put) note_pair(w);
  }

  /// The empty cell of a window that lacks one stone.
  void note_pair(std::size_t w) {
    const Window& window = windows_[w];
    int cell = window.cell;
    while (colour_[at(cell)] != 0) cell += window.step;
    const int col = cell / rows_, row = cell % rows_;
    const std::size_t side = index(side_);
    if (winning_[side][at(col)].test(row)) return;
    winning_[side][at(col)].set(row);
    made_.push_back(
        {static_cast<std::uint8_t>(side), static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(col)});
    hot_.set(col);
    if (row == height(col)) ready_[side].set(col);
  }

  /// Counts the empty cells of a window as makers of a side, with `cell`, which is just being changed.
  void count_makers(std::size_t side, std::size_t w, int cell, int by) {
    const Window& window = windows_[w];
    int here = window.cell;
    for (int i = 0; i < k_; ++i, here += window.step)
      if (colour_[at(here)] == 0 || here == cell)
        makers_[side][at(here)] = static_cast<std::uint16_t>(makers_[side][at(here)] + by);
  }

  int rows_, cols_, k_;
  WindowWeights weights_, steps_;                      // of n stones; what the n-th stone adds
  std::array<std::vector<std::int16_t>, lies> worth_;  // by own and other stones
  std::vector<Window> windows_;
  std::vector<std::array<Through, 4>> through_;       // by cell and direction
  std::vector<TableKey> hashes_;                      // by cell and side
  std::array<std::vector<std::uint8_t>, 2> counts_;   // by side and window
  std::array<std::vector<std::uint16_t>, 2> makers_;  // windows by side and cell
  std::array<std::vector<Places>, 2> winning_;        // empty rows by side and column
  std::vector<std::uint8_t> colour_;                  // by cell: 0 empty, else the side and 1
  std::vector<int> heights_;
  std::array<Places, 2> ready_;
  Places hot_;
  std::array<int, 2> sums_{}, open_{};
  TableKey key_, mirrored_;
  Side side_ = Side::first;
  int stones_ = 0;
  std::vector<Undo> undos_;
  std::vector<Made> made_;
};

}  // namespace mossa
