// Kalah boards for the solver: all pits in one word (pit_board.hpp). Under the majority rule the mover's
// store decides when a game ends; then it has a lane too.
#pragma once

#include "../games/kalah_rules.hpp"
#include "pit_board.hpp"

namespace mossa {

/// `FixedPits` are the pits of a side where they are known when this is compiled.
template <class Bits, int FixedPits = 0>
class KalahBoard : public PitBoard<Bits, FixedPits> {
  using Base = PitBoard<Bits, FixedPits>;
  using Base::at, Base::shift, Base::lane_mask, Base::lane_bits, Base::one_each, Base::row;

 public:
  using Base::pits, Base::add, Base::holds, Base::row_seeds;

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
  static bool fits(const KalahRules& rules) {
    return Base::lane_bits_of(rules.total(), lanes_of(rules)) == Base::bits_of_seeds(rules.total());
  }

  explicit KalahBoard(const KalahRules& rules)
      : Base(rules.pits, rules.total(), lanes_of(rules)), rules_(rules) {
    const int most = std::min(rules.total(), static_cast<int>(lane_mask()));
    sowings_per_pit_ = most + 1;
    for (int pit = 0; pit < pits(); ++pit)
      for (int seeds = 0; seeds <= most; ++seeds) sowings_.push_back(sow(pit, seeds));
  }

  const KalahRules& rules() const { return rules_; }
  int key_bits() const { return lane_bits() * (2 * pits() + rules_.majority); }
  /// True if the margin to come has the parity of the seeds in the pits: then every seed ends in a store.
  bool keeps_parity() const { return rules_.leftover != KalahRules::Leftover::none; }

  /// Plays a pit that is not empty, on a board with so many seeds.
  [[gnu::always_inline]] Next play(Bits board, int seeds, int pit) const {
    const Sowing& sowing = this->sowing(board, pit);
    const Bits rest = board & ~(lane_mask() << shift(pit));
    Bits pits_then = (rest & all_lanes()) + sowing.dropped;
    Next next;
    if (!holds(seeds)) {  // a carry out of any lane
      const Bits carried = (rest & sowing.dropped) | ((rest | sowing.dropped) & ~pits_then);
      next.overflow = (carried & one_each() << (lane_bits() - 1)) != 0;
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
    const bool own_empty = !(pits_then & row()), other_empty = !(pits_then >> shift(pits()));
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
    return !(board & row()) || (rules_.end_any && !((board & all_lanes()) >> shift(pits())));
  }

  /// The board from the other side's view, without its store.
  Bits turned(Bits board) const {
    return (board & all_lanes()) >> shift(pits()) | (board & row()) << shift(pits());
  }

  /// The pits of a position, and its store under the majority rule. Nothing if a pit holds too many seeds.
  std::optional<Bits> bits_of(const AnyPosition& position) const {
    std::optional<Bits> bits = Base::bits_of(position);
    if (bits && rules_.majority) add(*bits, 2 * pits(), position.cells()[index(position.side())][at(pits())]);
    return bits;
  }

  /// What a sowing does, wherever the other seeds are.
  struct Sowing {
    Bits dropped = 0;  // into every pit
    int stored = 0;
    int last = 0;  // 0 to pits - 1: an own pit; pits: the store; more: a pit of the other side
  };

  /// The sowing of a pit that is not empty.
  const Sowing& sowing(Bits board, int pit) const {
    return sowings_[at(pit * sowings_per_pit_ + (*this)(board, pit))];
  }

  /// The place of a row among the rows with as many seeds.
  std::uint64_t rank(Bits own) const {
    const Bits sums = own * one_each();
    std::uint64_t rank = 0;
    for (int lane = 0; lane < pits() - 1; ++lane) rank += this->terms()[at(lane)][at((*this)(sums, lane))];
    return rank;
  }

  /// The least number of the boards with so many seeds on the mover's side and this row on the other: adding
  /// the rank of the mover's row makes the number of a board.
  std::uint64_t block(int seeds, Bits other) const {
    const Bits sums = other * one_each();
    std::uint64_t number = this->terms()[at(pits() - 1)][at(seeds)];
    for (int lane = 0; lane < pits(); ++lane)
      number += this->terms()[at(pits() + lane)][at(seeds + (*this)(sums, lane))];
    return number;
  }

  /// The rows with so many seeds, by rank.
  std::vector<Bits> rows(int seeds) const {
    std::vector<Bits> rows(binomial(seeds + pits() - 1, pits() - 1));
    enter_rows(rows, 0, seeds, 0);
    return rows;
  }

  /// A board of two rows.
  Bits joined(Bits own, Bits other) const { return own | other << shift(pits()); }
  /// The row of the mover.
  Bits own_row(Bits board) const { return board & row(); }
  Bits other_row(Bits board) const { return (board & all_lanes()) >> shift(pits()); }
  /// The row without the seeds of a pit.
  Bits without(Bits own, int pit) const { return own & ~(lane_mask() << shift(pit)); }

 private:
  static int lanes_of(const KalahRules& rules) { return 2 * rules.pits + rules.majority; }
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
      rows[rank(row)] = row;
      return;
    }
    for (int seeds = 0; seeds <= left; ++seeds)
      enter_rows(rows, pit + 1, left - seeds,
                 row | static_cast<Bits>(static_cast<unsigned>(seeds)) << shift(pit));
  }

  KalahRules rules_;
  int sowings_per_pit_ = 0;
  std::vector<Sowing> sowings_;
};

}  // namespace mossa
