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
// - Pairs (mnk_pairs.hpp): if every line of the attacker has one, the defender holds. They are looked for in
//   weak states only; the defender may turn any other state into one.
//
// Where the defender holds in a weak state there is a *zone*: cells that it needs for that. It would hold
// even if the attacker had a stone on every other cell. So if the attacker's move lies outside the zone of
// what the defender answers to another move, that answer refutes it too.
#pragma once

#include "mnk_pairs.hpp"

namespace mossa {

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

  /// What comes of playing what is forced and making the state smaller.
  struct Settled {
    Verdict verdict = Verdict::open;
    int plies = 0;    // moves made
    int lacking = 0;  // cells, for pairs that would show that the defender holds
    Bits zone = 0;    // of the defender: cells used on the way, and if it holds all that it needs
  };
  /// Of several zones, one that has few of the cells to avoid is taken. Pairs are looked for where groups of
  /// lines are given, to begin with.
  Settled settle(LineGroups<Bits>* groups = nullptr, Bits avoid = 0) {
    Settled settled;
    settled.verdict = play_forced(settled);
    if (settled.verdict != Verdict::open) return settled;
    attack.drop_longer();
    defend.drop_longer();
    drop_twins(settled.zone);
    if (defend.empty()) weak = true;
    const std::uint64_t enough = attacker_moves ? half : 2 * half;
    if (potential() < enough) {
      settled.verdict = Verdict::holds;
      if (weak) settled.zone |= light_zone(enough, avoid);
    } else if (weak && groups) {
      const LinePairs<Bits> pairs(attack, avoid, *groups);
      settled.lacking = pairs.lacking();
      if (pairs.found()) {
        settled.verdict = Verdict::holds;
        settled.zone |= pairs.cells();
      }
    }
    return settled;
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

  /// For each of some cells, the weight of the lines through it; of other cells, nothing is known.
  class CellWeights {
   public:
    explicit CellWeights(Bits cells) : cells_(cells) {
      for (; cells; cells &= cells - 1) weight_[static_cast<std::size_t>(lowest_bit(cells))] = 0;
    }
    void add(const OpenLines<Bits>& lines) {
      for (const auto& line : lines)
        for (Bits rest = line.rest & cells_; rest; rest &= rest - 1)
          weight_[static_cast<std::size_t>(lowest_bit(rest))] += weight(line);
    }
    std::uint64_t operator[](Bits cell) const { return weight_[static_cast<std::size_t>(lowest_bit(cell))]; }

   private:
    Bits cells_;
    std::array<std::uint64_t, static_cast<std::size_t>(MnkBoard<Bits>::max_cells)> weight_;
  };

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
  Verdict play_forced(Settled& settled) {
    while (true) {
      if (attack.empty()) return Verdict::holds;
      if (const Bits wins = mine().completing()) {
        ++settled.plies;
        return attacker_moves ? Verdict::wins : Verdict::holds;
      }
      const Bits forced = theirs().completing();
      if (!forced) return Verdict::open;
      if (!at_most_one(forced)) {
        settled.plies += 2;
        return attacker_moves ? Verdict::holds : Verdict::wins;
      }
      play(forced);
      ++settled.plies;
      settled.zone |= forced;
    }
  }

  /// A zone with which the potential stays below `enough`: cells are given to the attacker, the lightest
  /// first, as long as it does.
  Bits light_zone(std::uint64_t enough, Bits avoid) const {
    OpenLines<Bits> lines = attack;
    std::uint64_t sum = potential();
    Bits zone = lines.cells();
    for (Bits left : {zone & avoid, zone & ~avoid}) {
      while (left) {
        CellWeights weights(left);
        weights.add(lines);
        Bits lightest = lowest_of(left);
        for (Bits cells = left; cells; cells &= cells - 1)
          if (weights[cells] < weights[lightest]) lightest = lowest_of(cells);
        if (sum + weights[lightest] >= enough) break;
        sum += weights[lightest];
        lines.take(lightest);
        left &= ~lightest;
        zone &= ~lightest;
      }
    }
    return zone;
  }

  void drop_twins(Bits& zone) {
    while (true) {
      const Bits useless = twins(attack, defend.cells()), theirs = twins(defend, attack.cells());
      if (!useless && !theirs) return;
      zone |= useless;
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
