// What is left of an mnk position for the question "can this side force a win?".
//
// The side that is asked about is the attacker, the other one the defender, to whom a draw is as good as a
// win. All that matters are the open lines of both, those without a stone of the other side, and of these
// the cells that are still empty. So a state is two lists of lines; positions that differ only in stones and
// cells without open lines are the same state.
//
// In a weak state the defender's own lines are ignored: the attacker is the Maker of a Maker-Breaker game,
// the defender the Breaker. If the Breaker holds there, the defender holds in the game itself, which has
// more to offer to it; the converse is false (the Maker wins tic-tac-toe).
//
// A few facts make states smaller without changing the answer. Each rests on this: more lines of one's own,
// fewer lines of the other side or an extra stone never hurt.
// - A move that completes a line, or the only one that prevents it, is played at once.
// - A line whose empty cells include all those of another one of the same side adds nothing.
// - Twins: two cells that lie on the same lines of one side, and on none of the other. If their owner takes
//   one, the other side answers with the other one and has lost nothing, so those lines are worth nothing.
// - Potential (Erdős and Selfridge 1973): the attacker's lines weighted 2^-(empty cells). If the sum is less
//   than 1 with the defender to move, or 1/2 with the attacker to move, the defender holds.
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
    std::copy_n(b.direction_.begin(), count_, direction_.begin());
    return *this;
  }

  void add(const Line& line, std::uint8_t direction) {
    direction_[count_] = direction;
    lines_[count_++] = line;
  }
  /// What is left of other lines after their owner took one cell and the other side another one.
  void add_rest(const OpenLines& lines, Bits taken, Bits lost) {
    for (std::size_t i = 0; i < lines.count_; ++i)
      if (!(lines[i].rest & lost)) add({lines[i].rest & ~taken, lines[i].all}, lines.direction_[i]);
  }
  void clear() { count_ = 0; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Line& operator[](std::size_t i) const { return lines_[i]; }
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
      direction_[kept] = direction_[i];
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
    for (std::size_t i = 0; i < count_; ++i) cells[direction_[i]] |= lines_[i].rest;
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
        direction_[kept] = direction_[i];
        lines_[kept++] = lines_[i];
      }
    count_ = kept;
  }

 private:
  std::size_t count_ = 0;
  std::array<Line, MnkBoard<Bits>::max_lines> lines_;
  std::array<std::uint8_t, MnkBoard<Bits>::max_lines> direction_;
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

enum class Verdict : std::uint8_t { open, wins, holds };  // the attacker wins, the defender holds

template <class Bits>
struct MnkState {
  OpenLines<Bits> attack, defend;
  bool attacker_moves = true;
  bool weak = false;

  OpenLines<Bits>& mine() { return attacker_moves ? attack : defend; }
  OpenLines<Bits>& theirs() { return attacker_moves ? defend : attack; }
  Bits cells() const { return attack.cells() | defend.cells(); }

  void play(Bits cell) {
    mine().take(cell);
    theirs().remove(cell);
    attacker_moves = !attacker_moves;
  }
  void weaken() {
    weak = true;
    defend.clear();
  }

  /// Plays what is forced and makes the state smaller; `plies` counts the moves made.
  Verdict settle(int& plies) {
    if (const Verdict verdict = play_forced(plies); verdict != Verdict::open) return verdict;
    attack.drop_longer();
    defend.drop_longer();
    drop_twins();
    if (defend.empty()) weak = true;
    return potential() < (attacker_moves ? half : 2 * half) ? Verdict::holds : Verdict::open;
  }

  /// The sum of all weights; `half` is 1/2.
  std::uint64_t potential() const {
    std::uint64_t sum = 0;
    for (const auto& line : attack) sum += weight(line);
    return sum;
  }
  static std::uint64_t weight(const OpenLine<Bits>& line) {
    return 2 * half >> std::min(count_bits(line.rest), 51);  // or more
  }
  static constexpr std::uint64_t half = std::uint64_t{1} << 50;

  /// The attacker's lines that can be reached from one of them: what happens elsewhere has no effect there.
  Bits component() const {
    Bits component = attack[0].rest;
    for (Bits before = 0; before != component;) {
      before = component;
      for (const auto& line : attack)
        if (line.rest & component) component |= line.rest;
    }
    return component;
  }

 private:
  Verdict play_forced(int& plies) {
    while (true) {
      if (attack.empty()) return Verdict::holds;
      if (const Bits wins = mine().completing()) {
        ++plies;
        return attacker_moves ? Verdict::wins : Verdict::holds;
      }
      const Bits forced = theirs().completing();
      if (!forced) return Verdict::open;
      if (!at_most_one(forced)) {
        plies += 2;
        return attacker_moves ? Verdict::holds : Verdict::wins;
      }
      play(forced);
      ++plies;
    }
  }

  void drop_twins() {
    while (true) {
      const Bits useless = twins(attack, defend.cells()), theirs = twins(defend, attack.cells());
      if (!useless && !theirs) return;
      attack.remove(useless);
      defend.remove(theirs);
    }
  }
  /// Cells that have a twin; cells of the other side's lines are none.
  static Bits twins(const OpenLines<Bits>& lines, Bits of_others) {
    const Bits single = lines.in_one_direction() & ~of_others;
    if (!single) return 0;
    const CommonCells<Bits> common(lines, single);
    Bits found = 0;
    for (Bits cells = single; cells; cells &= cells - 1) {
      const Bits cell = lowest_of(cells);
      for (Bits others = common[cell] & single & ~cell; others; others &= others - 1)
        if (common[lowest_of(others)] & cell) {
          found |= cell;
          break;
        }
    }
    return found;
  }
};

}  // namespace mossa
