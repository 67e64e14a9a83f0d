// Connect boards for the solver: two sets of bits, and what can be told from them without search.
//
// Columns of rows + 1 bits as in games/lines.hpp; the spare bit on top of a column catches the carry when
// a stone is added to a full one. `mine` are the stones of the side to move, `all` those of both. Adding
// one to the bottom of every column gives the cell each next stone falls on: all + bottom.
//
// R, C and K fix the size at compile time, which pays for Connect 4; 0 leaves it to run time.
#pragma once

#include <array>
#include <cassert>
#include <optional>

#include "lanes.hpp"

namespace mossa::MOSSA_ISA {

/// What a plan of follow-up would lead to: see ConnectBoard::follow_up.
template <class Set>
struct FollowUp {
  Set got;     // what the mover gets, but for the odd columns
  Set odd;     // the lowest empty cells of open columns with an odd number of them
  Set closed;  // columns that end at a winning cell
  Set unused;  // the cells above those
  Set held;    // what the other side gets for sure
  Set ends;    // its winning cells at which columns are closed
};

template <class Bits, int R = 0, int C = 0, int K = 0>
class ConnectBoard {
 public:
  static constexpr bool fixed = R > 0;
  static constexpr int max_bits = static_cast<int>(sizeof(Bits)) * 8;
  static constexpr int max_cols = fixed ? C : max_bits / 2;

  ConnectBoard(int rows, int cols, int k) : rows_(rows), cols_(cols), k_(k), masks_(make_masks(rows, cols)) {
    assert(!fixed || (rows == R && cols == C && k == K));
  }

  constexpr int rows() const { return fixed ? R : rows_; }
  constexpr int cols() const { return fixed ? C : cols_; }
  constexpr int k() const { return fixed ? K : k_; }
  constexpr int cells() const { return rows() * cols(); }
  constexpr int stride() const { return rows() + 1; }
  constexpr int key_bits() const { return cols() * stride(); }

  /// Equal for equal positions only: a column of h stones holds 2^h - 1 plus the mover's stones.
  Bits key(Bits mine, Bits all) const { return mine + all; }

  /// The cells that the next stone can take.
  template <class Set>
  MOSSA_INLINE Set playable(Set all) const {
    return (all + masks().bottom) & masks().board;
  }
  int column_number(Bits cell) const { return lowest_bit(cell) / stride(); }

  Bits mirrored(Bits bits) const {
    const Bits column = (Bits{1} << stride()) - 1;
    Bits image = 0;
    for (int col = 0; col < cols(); ++col) image = image << stride() | (bits >> (col * stride()) & column);
    return image;
  }

  /// The empty cells, reachable or not, on which one more of `stones` makes k in a line.
  template <class Set>
  MOSSA_INLINE Set completing(Set stones, Set all) const {
    Set found{};
    if (k() <= rows()) {
      found = stones << 1;
      for (int i = 2; i < k(); ++i) found &= stones << i;
      if (k() == 1) found |= masks().board;
    }
    if (k() <= cols()) found |= completing_along(stones, stride());
    if (k() <= cols() && k() <= rows())
      found |= completing_along(stones, stride() - 1) | completing_along(stones, stride() + 1);
    return found & masks().board & ~all;
  }

  /// Not empty if there is a line of k.
  template <class Set>
  MOSSA_INLINE Set lines(Set stones) const {
    Set found{};
    if (k() <= rows()) found |= run(stones, 1);
    if (k() <= cols()) found |= run(stones, stride());
    if (k() <= cols() && k() <= rows()) found |= run(stones, stride() - 1) | run(stones, stride() + 1);
    return found;
  }

  /// The cells of all lines of k.
  template <class Set>
  MOSSA_INLINE Set line_cells(Set stones) const {
    Set found{};
    if (k() <= rows()) found |= spread(run(stones, 1), 1);
    if (k() <= cols()) found |= spread(run(stones, stride()), stride());
    if (k() <= cols() && k() <= rows())
      found |=
          spread(run(stones, stride() - 1), stride() - 1) | spread(run(stones, stride() + 1), stride() + 1);
    return found;
  }

  /// The cells from just below the lowest of `cells` in a column to its top.
  template <class Set>
  MOSSA_INLINE Set from_below(Set cells) const {
    const Set lower = (cells >> 1) & masks().board;
    return (lower | (masks().spare - lower)) & masks().board;
  }

  /// A bound on the score of the side to move by one fixed plan of the other side: to reply in the same
  /// column, always ("follow-up"; Allis 1988 calls it claimeven).
  ///
  /// - In a column with an even number of empty cells the mover then gets the first, third, ... of them
  ///   and the other side the rest.
  /// - Two columns with an odd number are paired: the mover's first stone in one is answered by the first
  ///   in the other, after which both are even.
  /// - A winning cell of the other side that it would get so ends its column: whoever plays below it loses.
  ///   Nobody gets what lies above, and such a column need not be even.
  ///
  /// If no line fits into all that the mover can get, it cannot win; nor if the other side completes a line
  /// sooner, whatever the order. If there is a winning cell as above, or a line in what the other side gets,
  /// it loses. `wins` are the other side's completing cells.
  template <class Set>
  MOSSA_INLINE FollowUp<Set> follow_up(Set mine, Set all, Set playable, Set wins) const {
    // The spare bit of a column less the column's lowest bit x: all bits from x up, and no borrow goes to
    // the next column.
    const Set free = masks().board & ~all;
    const Set odd = playable & masks().like_top;
    const Set odd_columns = odd | (masks().spare - odd);  // their empty cells
    const Set leads = free & ((odd_columns & masks().like_top) | (~odd_columns & masks().unlike_top));
    const Set ends = wins & ~leads;
    const Set rest = masks().spare - ends;
    const Set from_end = (ends | rest) & masks().board;
    const Set ended = ~rest & masks().spare;
    const Set closed = ended - (ended >> rows());
    return {mine | (free & masks().unlike_top & ~closed) | (leads & closed & ~from_end),
            odd & ~closed,
            closed,
            from_end & ~(ends & rest),
            free & ~odd & ((masks().like_top & ~closed) | (~leads & closed & ~from_end)),
            ends & rest};
  }

  /// The score that a plan guarantees to the other side, whose stones are `theirs`, if it is at least `beta`.
  /// With `races`, the mover may get a line if the other side is sure to complete one sooner.
  std::optional<int> proven_by(const FollowUp<Bits>& plan, Bits theirs, Bits all, int beta, bool pairs,
                               bool races) const {
    const int score =
        plan.closed ? (count_bits(plan.unused) + 2) / 2 : static_cast<int>(lines(theirs | plan.held) != 0);
    if (score < beta) return {};
    const auto harmless = [&](Bits got) {
      return !lines(got) || (races && comes_too_late(plan, got, theirs, all));
    };
    if (plan.odd ? pairs && pairs_hold(plan.got, plan.odd, harmless) : harmless(plan.got)) return score;
    return {};
  }

 private:
  struct Masks {
    Bits bottom, board, spare;
    Bits like_top, unlike_top;  // rows at an even or odd distance from the top one
  };

  static constexpr Masks make_masks(int rows, int cols) {
    Masks masks{};
    for (int col = 0; col < cols; ++col) masks.bottom |= Bits{1} << (col * (rows + 1));
    masks.spare = masks.bottom << rows;
    for (int row = 0; row < rows; ++row) {
      const Bits cells = masks.bottom << row;
      masks.board |= cells;
      ((rows - 1 - row) % 2 ? masks.unlike_top : masks.like_top) |= cells;
    }
    return masks;
  }
  constexpr const Masks& masks() const {
    if constexpr (fixed) {
      return fixed_masks;
    } else {
      return masks_;
    }
  }
  static constexpr Masks fixed_masks = make_masks(R, C);

  template <class Set>
  MOSSA_INLINE Set completing_along(Set stones, int step) const {
    if (k() == 4) {
      const Set below = (stones << step) & (stones << 2 * step);
      const Set above = (stones >> step) & (stones >> 2 * step);
      return (below & ((stones << 3 * step) | (stones >> step))) |
             (above & ((stones << step) | (stones >> 3 * step)));
    }
    Set found{}, below = ~Set{};  // below: at least i stones lie directly below
    for (int i = 0; i < k(); ++i) {
      Set here = below;
      for (int j = 1; j < k() - i; ++j) here &= stones >> (j * step);
      found |= here;
      below &= stones << ((i + 1) * step);
    }
    return found;
  }

  /// The first cells of runs of k.
  template <class Set>
  MOSSA_INLINE Set run(Set stones, int step) const {
    if (k() == 4) {  // written out, it becomes four instructions
      const Set pairs = stones & stones >> step;
      return pairs & pairs >> 2 * step;
    }
    for (int length = 1; length < k();) {
      const int grow = length < k() - length ? length : k() - length;
      stones &= stones >> (grow * step);
      length += grow;
    }
    return stones;
  }

  /// The cells of runs of k that begin at `starts`.
  template <class Set>
  MOSSA_INLINE Set spread(Set starts, int step) const {
    if (k() == 4) {
      const Set pairs = starts | starts << step;
      return pairs | pairs << 2 * step;
    }
    Set cells = starts;
    for (int i = 1; i < k(); ++i) cells |= starts << (i * step);
    return cells;
  }

  /// True if the mover completes no line in `got` before the other side has one. When the mover completes a
  /// line, all cells below it are taken, and the other side has got its share of them. So it has of the cells
  /// just above, except above the last stone.
  MOSSA_NOINLINE bool comes_too_late(const FollowUp<Bits>& plan, Bits got, Bits theirs, Bits all) const {
    const auto along = [&](int step) {
      for (Bits starts = run(got, step); starts; starts &= starts - 1)
        if (!line_comes_too_late(plan, spread(lowest_of(starts), step) & ~all, theirs)) return false;
      return true;
    };
    if (k() <= rows() && run(got, 1)) return false;
    return k() > cols() ||
           (along(stride()) && (k() > rows() || (along(stride() - 1) && along(stride() + 1))));
  }
  /// The same of one line, of which these cells are empty, no two of them in one column.
  bool line_comes_too_late(const FollowUp<Bits>& plan, Bits empty, Bits theirs) const {
    const Bits from_line = masks().spare - empty;
    const Bits columns = ~from_line & masks().spare;
    const Bits sure = theirs | (plan.held & (columns - (columns >> rows())) & ~from_line);
    if (lines(sure)) return true;
    const Bits replies = plan.held | plan.ends;
    if (!lines(sure | (replies & empty << 1))) return false;
    for (Bits last = empty; last; last &= last - 1)
      if (!lines(sure | (replies & (empty ^ lowest_of(last)) << 1))) return false;
    return true;
  }

  /// True if the odd columns can be paired so that `got` and one cell of each pair are harmless.
  template <class Harmless>
  bool pairs_hold(Bits got, Bits odd, const Harmless& harmless) const {
    const int count = count_bits(odd);
    if (count % 2) return false;
    if (harmless(got | odd)) return true;
    const Bits a = lowest_of(odd), b = lowest_of(odd ^ a);
    if (count == 2) return harmless(got | a) && harmless(got | b);
    if (count > 4) return false;
    const Bits c = lowest_of(odd ^ a ^ b), d = odd ^ a ^ b ^ c;
    const auto safe = [&](Bits x, Bits y) { return harmless(got | x | y); };
    const bool across = safe(a, d) && safe(b, c);
    if (across && safe(a, c) && safe(b, d)) return true;  // a with b, c with d
    if (!safe(a, b) || !safe(c, d)) return false;
    return across || (safe(a, c) && safe(b, d));  // a with c, b with d; or a with d, b with c
  }

  int rows_, cols_, k_;
  Masks masks_;
};

}  // namespace mossa::MOSSA_ISA
