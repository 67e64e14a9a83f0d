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

#include "bits.hpp"

namespace mossa {

template <class Bits, int R = 0, int C = 0, int K = 0>
class ConnectBoard {
 public:
  static constexpr bool fixed = R > 0;
  static constexpr int max_bits = static_cast<int>(sizeof(Bits)) * 8;
  static constexpr int max_cols = fixed ? C : max_bits / 2;

  ConnectBoard(int rows, int cols, int k) : rows_(rows), cols_(cols), k_(k), masks_(make_masks(rows, cols)) {
    assert(!fixed || (rows == R && cols == C && k == K));
    for (int bit = 0; bit < cols * (rows + 1); ++bit)
      columns_[static_cast<std::size_t>(bit)] = ((Bits{1} << rows) - 1) << (bit / (rows + 1) * (rows + 1));
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
  Bits playable(Bits all) const { return (all + masks().bottom) & masks().board; }
  Bits column_of(Bits cell) const { return columns_[static_cast<std::size_t>(lowest_bit(cell))]; }
  int column_number(Bits cell) const { return lowest_bit(cell) / stride(); }
  Bits empty(Bits all) const { return masks().board & ~all; }

  Bits mirrored(Bits bits) const {
    const Bits column = (Bits{1} << stride()) - 1;
    Bits image = 0;
    for (int col = 0; col < cols(); ++col) image = image << stride() | (bits >> (col * stride()) & column);
    return image;
  }

  /// The empty cells, reachable or not, on which one more of `stones` makes k in a line.
  Bits completing(Bits stones, Bits all) const {
    Bits found = 0;
    if (k() <= rows()) {
      found = stones << 1;
      for (int i = 2; i < k(); ++i) found &= stones << i;
      if (k() == 1) found = masks().board;
    }
    if (k() <= cols()) found |= completing_along(stones, stride());
    if (k() <= cols() && k() <= rows())
      found |= completing_along(stones, stride() - 1) | completing_along(stones, stride() + 1);
    return found & empty(all);
  }

  bool has_line(Bits stones) const {
    if (k() <= rows() && run(stones, 1)) return true;
    if (k() <= cols() && run(stones, stride())) return true;
    return k() <= cols() && k() <= rows() && (run(stones, stride() - 1) || run(stones, stride() + 1));
  }

  /// A bound on the score of the side to move by one fixed plan of the other side: to reply in the same
  /// column, always ("follow-up"; Allis 1988 calls it claimeven). Nothing if the plan proves nothing.
  ///
  /// - In a column with an even number of empty cells the mover then gets the first, third, ... of them
  ///   and the other side the rest.
  /// - Two columns with an odd number are paired: the mover's first stone in one is answered by the first
  ///   in the other, after which both are even.
  /// - A winning cell of the other side that it would get so ends its column: whoever plays below it loses.
  ///   Nobody gets what lies above, and such a column need not be even.
  ///
  /// If no line fits into all that the mover can get, it cannot win; if there is a winning cell as above,
  /// or a line in what the other side gets, it loses. `wins` are the other side's completing cells.
  std::optional<int> follow_up(Bits mine, Bits theirs, Bits all, Bits playable, Bits wins) const {
    const Bits free = empty(all);
    Bits odd = playable & masks().like_top;  // the lowest empty cells of columns with an odd number
    Bits closed = 0, taken = 0, above = 0;
    if (wins) {
      Bits leads = playable;  // the first, third, ... empty cell of every column
      for (int i = 2; i < rows(); i += 2) leads |= (leads & ~masks().top_two) << 2;
      for (Bits ends = wins & ~leads; ends;) {
        const Bits end = lowest_of(ends);
        const Bits column = column_of(end);
        ends &= ~column;
        closed |= column;
        taken |= leads & column & (end - 1);
        above |= column & ~(end | (end - 1));
      }
      odd &= ~closed;
    }
    const Bits got = mine | (free & masks().unlike_top & ~closed) | taken;
    if (!(odd ? pairs_hold(got, odd) : !has_line(got))) return {};
    if (closed) return -((count_bits(above) + 2) / 2);
    return has_line(theirs | (free & masks().like_top & ~odd)) ? -1 : 0;
  }

 private:
  struct Masks {
    Bits bottom, board;
    Bits like_top, unlike_top;  // rows at an even or odd distance from the top one
    Bits top_two;
  };

  static constexpr Masks make_masks(int rows, int cols) {
    Masks masks{};
    for (int col = 0; col < cols; ++col) masks.bottom |= Bits{1} << (col * (rows + 1));
    for (int row = 0; row < rows; ++row) {
      const Bits cells = masks.bottom << row;
      masks.board |= cells;
      ((rows - 1 - row) % 2 ? masks.unlike_top : masks.like_top) |= cells;
      if (row >= rows - 2) masks.top_two |= cells;
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

  Bits completing_along(Bits stones, int step) const {
    if (k() == 4) {
      const Bits below = (stones << step) & (stones << 2 * step);
      const Bits above = (stones >> step) & (stones >> 2 * step);
      return (below & ((stones << 3 * step) | (stones >> step))) |
             (above & ((stones << step) | (stones >> 3 * step)));
    }
    Bits found = 0, below = ~Bits{0};  // below: at least i stones lie directly below
    for (int i = 0; i < k(); ++i) {
      Bits here = below;
      for (int j = 1; j < k() - i; ++j) here &= stones >> (j * step);
      found |= here;
      below &= stones << ((i + 1) * step);
    }
    return found;
  }

  bool run(Bits stones, int step) const {
    for (int length = 1; length < k();) {
      const int grow = length < k() - length ? length : k() - length;
      stones &= stones >> (grow * step);
      length += grow;
    }
    return stones != 0;
  }

  /// True if the odd columns can be paired so that no line fits into `got` and one cell of each pair.
  bool pairs_hold(Bits got, Bits odd) const {
    const int count = count_bits(odd);
    if (count % 2) return false;
    if (!has_line(got | odd)) return true;
    const Bits a = lowest_of(odd), b = lowest_of(odd ^ a);
    if (count == 2) return !has_line(got | a) && !has_line(got | b);
    if (count > 4) return false;
    const Bits c = lowest_of(odd ^ a ^ b), d = odd ^ a ^ b ^ c;
    const auto safe = [&](Bits x, Bits y) { return !has_line(got | x | y); };
    const bool across = safe(a, d) && safe(b, c);
    if (across && safe(a, c) && safe(b, d)) return true;  // a with b, c with d
    if (!safe(a, b) || !safe(c, d)) return false;
    return across || (safe(a, c) && safe(b, d));  // a with c, b with d; or a with d, b with c
  }

  int rows_, cols_, k_;
  Masks masks_;
  std::array<Bits, static_cast<std::size_t>(max_bits)> columns_{};
};

}  // namespace mossa
