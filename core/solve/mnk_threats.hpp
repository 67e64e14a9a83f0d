// Wins by threats alone: every move of the winner but the last threatens to complete a line.
//
// The other side has one answer to each, so such a win is found by looking at very few moves (threat-space
// search: Allis, van den Herik and Huntjens 1993). It also says where the other side could have prevented
// it: on a cell that the win makes use of, or on a line of its own that the forced answers bring close
// enough to completion to interfere. No other move matters.
#pragma once

#include "mnk_state.hpp"

namespace mossa {

template <class Bits>
struct ThreatWin {
  Bits zone = 0;  // where a move of the other side may prevent it
  int plies = 0;
};

template <class Bits>
class LineThreats {
 public:
  LineThreats(int depth, int nodes) : depth_(depth), nodes_(nodes) {}

  /// Looks for a win of the side with the lines `mine`, which is to move. `theirs` are those of the other
  /// side, which may answer a threat with one of its own; none if they are to be ignored.
  bool find(const OpenLines<Bits>& mine, const OpenLines<Bits>& theirs, ThreatWin<Bits>& win) {
    nodes_left_ = nodes_;
    if (!wins(mine, theirs, depth_, win)) return false;
    Bits close = 0;
    for (const auto& line : theirs) {
      const Bits open = line.rest & ~win.zone;
      if (at_most_one(open & (open - 1))) close |= line.rest;  // two moves or fewer from completion
    }
    win.zone |= close;
    return true;
  }

 private:
  bool wins(const OpenLines<Bits>& mine, const OpenLines<Bits>& theirs, int depth, ThreatWin<Bits>& win) {
    // 1. Complete a line; or list those that two moves complete.
    std::array<Bits, MnkBoard<Bits>::max_lines> twos;
    std::size_t count = 0;
    Bits once = 0, twice = 0;
    for (const auto& line : mine) {
      const Bits more = line.rest & (line.rest - 1);
      if (!more) {
        win = {line.rest, 1};
        return true;
      }
      if (!at_most_one(more)) continue;
      twos[count++] = line.rest;
      twice |= once & line.rest;
      once |= line.rest;
    }
    if (!count || depth == 0 || --nodes_left_ < 0) return false;
    const Bits forced = theirs.completing();
    if (!at_most_one(forced)) return false;
    const Bits allowed = forced ? forced : ~Bits{0};
    // 2. Two threats at once.
    for (Bits cells = twice & allowed; cells; cells &= cells - 1) {
      const Bits cell = lowest_of(cells);
      Bits answers = 0;
      for (std::size_t i = 0; i < count; ++i)
        if (twos[i] & cell) answers |= twos[i] ^ cell;
      if (at_most_one(answers)) continue;
      win = {cell | answers, 3};
      return true;
    }
    // 3. One threat after another.
    if (depth == 1) return false;
    for (std::size_t i = 0; i < count; ++i)
      for (Bits cells = twos[i] & allowed; cells; cells &= cells - 1) {
        const Bits cell = lowest_of(cells), answer = twos[i] ^ cell;
        OpenLines<Bits> next_mine, next_theirs;
        next_mine.add_rest(mine, cell, answer);
        next_theirs.add_rest(theirs, answer, cell);
        if (!wins(next_mine, next_theirs, depth - 1, win)) continue;
        win.zone |= cell | answer;
        win.plies += 2;
        return true;
      }
    return false;
  }

  int depth_, nodes_;
  int nodes_left_ = 0;
};

}  // namespace mossa
