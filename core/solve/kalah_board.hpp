// Kalah boards for the solver: all pits in one word, from the view of the side to move.
//
// The mover's pits come first, from its left, then the other side's; each has a lane of bits. Stores are not
// on the board: how the rest of a game goes does not depend on them, so what is looked for is the margin
// still to come. Only under the majority rule the mover's store decides when a game ends; then it has a lane
// too.
#pragma once

#include <array>
#include <vector>

#include "../games/kalah_rules.hpp"
#include "bits.hpp"

namespace mossa {

/// The number of ways to choose `k` of `n`.
constexpr std::uint64_t binomial(int n, int k) {
  std::uint64_t result = 1;
  for (int i = 1; i <= k; ++i)
    result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
  return k <= n ? result : 0;
}

/// `FixedPits` are the pits of a side where they are known when this is compiled.
template <class Bits, int FixedPits = 0>
class KalahBoard {
 public:
  static constexpr int most_pits = FixedPits ? FixedPits : 12;
  /// The most seeds of a numbered board.
  static constexpr int most_numbered = 31;

  /// What a move leads to.
  struct Next {
    Bits board = 0;     // from the view of the side to move then
    int seeds = 0;      // in the pits
    int gain = 0;       // of the mover; with what the end brings, if it is over
    bool same = false;  // the mover moves again
    bool over = false;
    bool overflow = false;  // a pit holds more than its lane: the board is not valid
  };

  /// True if a pit can hold all seeds.
  static bool fits(const KalahRules& rules) { return lane_bits_of(rules) == bits_of_seeds(rules); }

  explicit KalahBoard(const KalahRules& rules)
      : rules_(rules), pits_(rules.pits), lane_bits_(lane_bits_of(rules)) {
    for (int lane = 0; lane < 2 * pits(); ++lane) {
      one_each_ |= Bits{1} << shift(lane);
      for (int seeds = 0; seeds <= most_numbered; ++seeds)
        terms_[at(lane)][at(seeds)] = binomial(seeds + lane, lane + 1);
    }
    row_ = (Bits{1} << shift(pits())) - 1;
    const int most = std::min(rules.total(), static_cast<int>(lane_mask()));
    sowings_per_pit_ = most + 1;
    for (int pit = 0; pit < pits(); ++pit)
      for (int seeds = 0; seeds <= most; ++seeds) sowings_.push_back(sow(pit, seeds));
  }

  const KalahRules& rules() const { return rules_; }
  int pits() const { return FixedPits ? FixedPits : pits_; }
  int key_bits() const { return lane_bits() * (2 * pits() + rules_.majority); }
  /// True if the margin to come is even or odd as the seeds in the pits are: they all go somewhere.
  bool keeps_parity() const { return rules_.leftover != KalahRules::Leftover::none; }

  int operator()(Bits board, int lane) const { return static_cast<int>(board >> shift(lane) & lane_mask()); }
  void add(Bits& board, int lane, int seeds) const {
    board += static_cast<Bits>(static_cast<unsigned>(seeds)) << shift(lane);
  }
  /// Whether a pit can hold so many seeds.
  bool holds(int seeds) const { return static_cast<unsigned>(seeds) <= lane_mask(); }

  /// The mover's pits that are not empty: the lowest bit of their lanes.
  Bits movable(Bits board) const {
    Bits any = board;
    for (int bit = 1; bit < lane_bits(); ++bit) any |= board >> bit;
    return any & one_each_ & row_;
  }
  int pit_of(Bits lowest) const { return lowest_bit(lowest) / lane_bits(); }

  int row_seeds(Bits board) const {
    int seeds = 0;
    for (int pit = 0; pit < pits(); ++pit) seeds += (*this)(board, pit);
    return seeds;
  }

  /// Plays a pit that is not empty, on a board with so many seeds.
  [[gnu::always_inline]] Next play(Bits board, int seeds, int pit) const {
    const Sowing& sowing = sowings_[at(pit * sowings_per_pit_ + (*this)(board, pit))];
    const Bits rest = board & ~(lane_mask() << shift(pit));
    Bits pits_then = (rest & all_lanes()) + sowing.dropped;
    Next next;
    if (!holds(seeds)) {  // a carry out of any lane
      const Bits carried = (rest & sowing.dropped) | ((rest | sowing.dropped) & ~pits_then);
      next.overflow = (carried & one_each_ << (lane_bits() - 1)) != 0;
    }
    next.gain = sowing.stored;
    next.same = sowing.last == pits();
    if (sowing.last < pits() && (*this)(pits_then, sowing.last) == 1) {
      const int opposite = 2 * pits() - 1 - sowing.last;
      const int captured = (*this)(pits_then, opposite);
      if (captured || rules_.empty_capture) {
        pits_then &= ~(lane_mask() << shift(sowing.last) | lane_mask() << shift(opposite));
        next.gain += captured + 1;
      }
    }
    next.seeds = seeds - next.gain;
    const bool own_empty = !(pits_then & row_), other_empty = !(pits_then >> shift(pits()));
    if (own_empty || other_empty) next.over = rules_.end_any || (next.same ? own_empty : other_empty);
    next.board = next.same ? pits_then : turned(pits_then);
    if (rules_.majority) {
      const int own_store = (*this)(board, 2 * pits()) + next.gain;
      const int other_store = rules_.total() - next.seeds - own_store;
      if (rules_.is_settled(own_store, other_store)) next.over = true;
      add(next.board, 2 * pits(), next.same ? own_store : other_store);
    }
    if (next.over) next.gain += leftover(pits_then, next.seeds);
    return next;
  }

  /// The margin of the mover if the game ends here, where `seeds` are left.
  int leftover(Bits board, int seeds) const {
    if (rules_.leftover == KalahRules::Leftover::none) return 0;
    const int margin = 2 * row_seeds(board) - seeds;
    return rules_.leftover == KalahRules::Leftover::owner ? margin : -margin;
  }

  /// True if a game ends in a position with this board, but for the majority rule.
  bool is_over(Bits board) const {
    return !(board & row_) || (rules_.end_any && !((board & all_lanes()) >> shift(pits())));
  }

  /// The board from the other side's view, without its store.
  Bits turned(Bits board) const {
    return (board & all_lanes()) >> shift(pits()) | (board & row_) << shift(pits());
  }

  /// The number of a board with at most `most_numbered` seeds: boards with fewer seeds come first, and of
  /// those with equally many seeds on each side one whose seeds have moved on.
  std::uint64_t number(Bits board) const {
    const Bits sums = board * one_each_;  // of the lanes up to each
    std::uint64_t number = 0;
    for (int lane = 0; lane < 2 * pits(); ++lane) number += terms_[at(lane)][at((*this)(sums, lane))];
    return number;
  }

  /// The row of pits that follow each other in number, with so many seeds.
  std::vector<Bits> rows(int seeds) const {
    std::vector<Bits> rows(binomial(seeds + pits() - 1, pits() - 1));
    enter_rows(rows, 0, seeds, 0);
    return rows;
  }

  /// A board of two rows.
  Bits joined(Bits own, Bits other) const { return own | other << shift(pits()); }

 private:
  struct Sowing {
    Bits dropped = 0;  // into every pit
    int stored = 0;
    int last = 0;  // 0 to pits - 1: an own pit; pits: the store; more: a pit of the other side
  };

  static constexpr int word_bits = static_cast<int>(sizeof(Bits)) * 8;
  static constexpr int fixed_lane_bits = FixedPits ? word_bits / (2 * FixedPits) : 0;

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static int bits_of_seeds(const KalahRules& rules) {
    return std::bit_width(static_cast<unsigned>(rules.total()));
  }
  /// As many as all seeds need, so that keys are short, if there is room.
  static int lane_bits_of(const KalahRules& rules) {
    if (FixedPits) return fixed_lane_bits;
    return std::min(bits_of_seeds(rules), word_bits / (2 * rules.pits + rules.majority));
  }
  int lane_bits() const { return FixedPits ? fixed_lane_bits : lane_bits_; }
  int shift(int lane) const { return lane * lane_bits(); }
  Bits lane_mask() const { return (Bits{1} << lane_bits()) - 1; }
  Bits all_lanes() const { return rules_.majority ? (Bits{1} << shift(2 * pits())) - 1 : ~Bits{0}; }

  Sowing sow(int pit, int seeds) const {
    const int lap = 2 * pits() + 1;
    Sowing sowing;
    sowing.last = (pit + seeds) % lap;
    for (int i = 1; i <= seeds; ++i) {
      const int lane = (pit + i) % lap;
      if (lane == pits())
        ++sowing.stored;
      else
        add(sowing.dropped, lane < pits() ? lane : lane - 1, 1);
    }
    return sowing;
  }

  void enter_rows(std::vector<Bits>& rows, int pit, int left, Bits row) const {
    if (pit == pits() - 1) {
      add(row, pit, left);
      const Bits sums = row * one_each_;
      std::uint64_t number = 0;
      for (int lane = 0; lane < pits() - 1; ++lane) number += terms_[at(lane)][at((*this)(sums, lane))];
      rows[number] = row;
      return;
    }
    for (int seeds = 0; seeds <= left; ++seeds)
      enter_rows(rows, pit + 1, left - seeds,
                 row | static_cast<Bits>(static_cast<unsigned>(seeds)) << shift(pit));
  }

  KalahRules rules_;
  int pits_, lane_bits_;
  int sowings_per_pit_ = 0;
  Bits one_each_ = 0;  // 1 in every pit
  Bits row_ = 0;       // all bits of the mover's pits
  std::vector<Sowing> sowings_;
  std::array<std::array<std::uint64_t, most_numbered + 1>, 2 * most_pits> terms_{};
};

}  // namespace mossa
