// Oware boards for the solver and its tables: all pits in one word (pit_board.hpp).
#pragma once

#include "../games/oware_rules.hpp"
#include "pit_board.hpp"

namespace mossa {

/// `FixedPits` are the pits of a side where they are known when this is compiled.
template <class Bits, int FixedPits = 0>
class OwareBoard : public PitBoard<Bits, FixedPits> {
  using Base = PitBoard<Bits, FixedPits>;
  using Base::at, Base::shift, Base::lane_mask, Base::row;

 public:
  using Base::pits, Base::add, Base::movable, Base::pit_of, Base::row_seeds;

  /// What a move leads to.
  struct Next {
    Bits board = 0;  // from the view of the side to move then
    int gain = 0;    // of the mover
    bool legal = false;
  };

  /// True if a pit can hold all seeds.
  static bool fits(const OwareRules& rules) {
    return Base::lane_bits_of(rules.total(), 2 * rules.pits) == Base::bits_of_seeds(rules.total());
  }

  explicit OwareBoard(const OwareRules& rules)
      : Base(rules.pits, rules.total(), 2 * rules.pits), rules_(rules) {
    const int most = std::min(rules.total(), static_cast<int>(lane_mask()));
    sowings_per_pit_ = most + 1;
    for (int pit = 0; pit < pits(); ++pit) {
      sowings_.push_back({0, pit});
      for (int seeds = 1; seeds <= most; ++seeds) {
        Sowing sowing = sowings_.back();
        do sowing.last = (sowing.last + 1) % (2 * pits());
        while (sowing.last == pit);
        add(sowing.dropped, sowing.last, 1);
        sowings_.push_back(sowing);
      }
    }
  }

  const OwareRules& rules() const { return rules_; }

  /// Calls `use(pit, next)` for every legal move until it returns true; true if it did.
  template <class Use>
  bool any_move(Bits board, Use&& use) const {
    for (Bits rest = movable(board); rest; rest &= rest - 1) {
      const int pit = pit_of(rest);
      const Next next = play(board, pit);
      if (next.legal && use(pit, next)) return true;
    }
    return false;
  }

  /// Plays a pit that is not empty; the move may turn out to be illegal.
  Next play(Bits board, int pit) const {
    const Sowing& sowing = sowings_[at(pit * sowings_per_pit_ + (*this)(board, pit))];
    Bits then = (board & ~(lane_mask() << shift(pit))) + sowing.dropped;
    Bits left = then;
    int captured = 0;
    for (int lane = sowing.last; lane >= pits(); --lane) {
      const int seeds = (*this)(left, lane);
      if (seeds != 2 && seeds != 3) break;
      captured += seeds;
      left &= ~(lane_mask() << shift(lane));
    }
    const bool slam = captured && !(left & ~row());
    if (slam && rules_.slam == OwareRules::Slam::forbid) return {};
    const bool takes = captured && !(slam && rules_.slam == OwareRules::Slam::keep);
    if (takes) then = left;
    // An opponent without seeds must be given some.
    if (!(board & ~row()) && !(then & ~row())) return {};
    return {turned(then), takes ? captured : 0, true};
  }

  /// The margin of the mover if the game ends here, where `seeds` are left: each side keeps its row.
  int leftover(Bits board, int seeds) const { return 2 * row_seeds(board) - seeds; }

  /// Calls `use(board)` for every board from which a move that captures nothing leads to this one.
  template <class Use>
  void for_each_before(Bits board, Use&& use) const {
    const Bits after = turned(board);
    for (int pit = 0; pit < pits(); ++pit) {
      if ((*this)(after, pit) != 0) continue;
      Bits before = after;  // without the pit that was sown
      for (int seeds = 1; seeds < sowings_per_pit_; ++seeds) {
        const int lane = sowings_[at(pit * sowings_per_pit_ + seeds)].last;
        if ((*this)(before, lane) == 0) break;
        before -= Bits{1} << shift(lane);
        Bits full = before;
        add(full, pit, seeds);
        const Next next = play(full, pit);
        if (next.legal && next.gain == 0 && next.board == board) use(full);
      }
    }
  }

  /// The board from the other side's view.
  Bits turned(Bits board) const { return board >> shift(pits()) | (board & row()) << shift(pits()); }

 private:
  struct Sowing {
    Bits dropped = 0;  // into every pit
    int last = 0;      // lane of the last seed
  };

  OwareRules rules_;
  int sowings_per_pit_ = 0;
  std::vector<Sowing> sowings_;
};

}  // namespace mossa
