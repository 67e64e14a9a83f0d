// kalah: sow the seeds of one of your pits; what reaches your store is yours.
//
// Sowing goes over the own pits, the own store and the other side's pits, and round again.
#pragma once

#include "kalah_rules.hpp"
#include "sowing.hpp"

namespace mossa {

/// The two opening rules need to know how far the game has come; `settled` when neither can apply.
enum class KalahPhase : std::uint8_t { opening, offered, settled };
enum class KalahStatus : std::uint8_t { open, empty, majority };

template <int Words>
class Kalah {
 public:
  struct Position {
    std::array<Lanes<Words>, 2> lanes;  // by side
    // Side, phase and status in one word: a copy made right after a narrower write would stall.
    std::uint64_t turn = static_cast<std::uint64_t>(KalahPhase::settled) << 8;

    Side side() const { return static_cast<Side>(turn & 1); }
    KalahPhase phase() const { return static_cast<KalahPhase>(turn >> 8 & 3); }
    KalahStatus status() const { return static_cast<KalahStatus>(turn >> 16 & 3); }
    void set(Side side) { turn = (turn & ~0xFFULL) | static_cast<std::uint64_t>(side); }
    void set(KalahPhase phase) { turn = (turn & ~0xFF00ULL) | static_cast<std::uint64_t>(phase) << 8; }
    void set(KalahStatus status) { turn = (turn & ~0xFF0000ULL) | static_cast<std::uint64_t>(status) << 16; }
  };
  static constexpr Traits traits{.scoring = Scoring::margin, .shape = Shape::pits, .unit = "seeds"};
  static constexpr int max_moves = 13;
  static constexpr int key_words = 2 * Words;

  explicit Kalah(const KalahRules& rules) : rules_(rules), board_(rules, Track::own_store) {}

  const KalahRules& rules() const { return rules_; }

  Position start() const {
    Position position;
    position.lanes = board_.full();
    if (rules_.swap || !rules_.first_extra) position.set(KalahPhase::opening);
    return position;
  }

  Side side(const Position& position) const { return position.side(); }
  bool is_over(const Position& position) const { return position.status() != KalahStatus::open; }

  /// The margin of the first side, also while the game goes on.
  int value(const Position& position) const { return board_.margin(position.lanes); }

  Outcome outcome(const Position& position) const {
    const bool settled = position.status() == KalahStatus::majority;
    return board_.outcome(position.lanes, settled ? "the rest cannot change it" : "no seeds to sow");
  }

  /// The pits of a side from its left, then its store.
  const Lanes<Words>& row(const Position& position, Side side) const { return position.lanes[index(side)]; }
  /// True if what is left in the pits at the end goes to the side that they belong to.
  bool owner_keeps() const { return rules_.leftover == KalahRules::Leftover::owner; }

  MoveList<max_moves> moves(const Position& position) const {
    MoveList<max_moves> list;
    if (is_over(position)) return list;
    const Lanes<Words> own = position.lanes[index(position.side())] & board_.pits();
    own.for_each_nonzero([&](int pit) { list.add(Move::number(pit + 1)); });
    if (may_swap(position)) list.add(Move::swap());
    return list;
  }

  int count_moves(const Position& position) const {
    if (is_over(position)) return 0;
    return (position.lanes[index(position.side())] & board_.pits()).count_nonzero() + may_swap(position);
  }

  /// A random legal move, each equally likely; the game must not be over.
  template <class Random>
  Move random_move(const Position& position, Random& random) const {
    const Lanes<Words> own = position.lanes[index(position.side())] & board_.pits();
    const int pits = own.count_nonzero(), chosen = random.below(pits + may_swap(position));
    return chosen < pits ? Move::number(own.nonzero_lane(chosen) + 1) : Move::swap();
  }

  // Inlined into the loop that makes all moves of a position, it is a tenth faster.
  [[gnu::always_inline]] void play(Position& position, Move move) const {
    const bool very_first = position.phase() == KalahPhase::opening;
    if (position.phase() != KalahPhase::settled) advance_phase(position);
    if (move.is_swap()) {
      std::swap(position.lanes[0], position.lanes[1]);
      position.set(other(position.side()));
      return finish_if_over(position);
    }
    // Both sides are worked on in registers and written back in whole words.
    const std::size_t mover = index(position.side());
    Lanes<Words> own = position.lanes[mover], opposing = position.lanes[mover ^ 1];
    // 1. Sow.
    const int pit = move.number() - 1;
    const Sowing<Words>& sowing = board_.sowing(pit, own[pit]);
    own.clear(pit);
    own += sowing.own;
    opposing += sowing.opposing;
    // 2. Capture: the last seed fell into an own pit that was empty.
    if (sowing.last < rules_.pits && own[sowing.last] == 1) [[unlikely]] {
      const int opposite = rules_.pits - 1 - sowing.last;
      const int captured = opposing[opposite];
      if (captured || rules_.empty_capture) {
        own.clear(sowing.last);
        opposing.clear(opposite);
        own.add(rules_.pits, captured + 1);
      }
    }
    position.lanes[mover] = own;
    position.lanes[mover ^ 1] = opposing;
    // 3. The turn passes, unless the last seed fell into the own store.
    const bool extra = sowing.last == rules_.pits && (rules_.first_extra || !very_first);
    position.turn ^= !extra;
    // 4. Is it over?
    if (rules_.majority && rules_.is_settled(own[rules_.pits], opposing[rules_.pits]))
      return finish(position, KalahStatus::majority);
    const bool own_empty = !(own & board_.pits()).any(), opposing_empty = !(opposing & board_.pits()).any();
    if (own_empty || opposing_empty) finish_if_over(position);
  }

  std::optional<std::string> refusal(const Position& position, Move move) const {
    if (is_over(position)) return "the game is over (" + outcome(position).text() + ")";
    if (move.is_swap()) {
      if (may_swap(position)) return {};
      return rules_.swap ? "only second may swap, instead of its first move" : "this game has no swap rule";
    }
    return board_.refusal(position.lanes, position.side(), move, accepted_moves());
  }

  Key<key_words> key(const Position& position) const {
    const int tag = static_cast<int>(position.side()) + 2 * static_cast<int>(position.phase());
    return board_.key(position.lanes, tag, Side::first);
  }

  /// The board from the view of the side to move: exchanging the sides changes nothing else. Before
  /// the swap right is settled the sides differ, and the key tells them apart.
  Key<key_words> canonical_key(const Position& position) const {
    if (position.phase() != KalahPhase::settled) return key(position);
    return board_.key(position.lanes, 2 * static_cast<int>(position.phase()), position.side());
  }

  Cells cells(const Position& position) const { return board_.cells(position.lanes); }

  std::optional<Cell> source(const Position& position, Move move) const {
    if (move.is_swap()) return {};
    return Cell{static_cast<int>(position.side()), move.number() - 1};
  }
  std::optional<Cell> target(const Position&, Move) const { return {}; }
  std::vector<Cell> winning_cells(const Position&) const { return {}; }

  /// "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first", with ",swap" while second may still swap.
  std::string text(const Position& position) const {
    return board_.text(position.lanes, position.side()) +
           (position.phase() == KalahPhase::offered ? ",swap" : "");
  }

  Position parse(std::string_view text) const {
    Position position;
    std::string_view rest = text;
    position.lanes = board_.read(rest, text);
    const bool offered = rest.ends_with(",swap");
    if (offered) rest.remove_suffix(5);
    position.set(board_.read_side(rest, text));
    if (offered && !rules_.swap) throw board_.invalid(text, "this game has no swap rule");
    position.set(offered ? KalahPhase::offered : KalahPhase::settled);
    if (position.lanes == start().lanes && position.side() == Side::first && !offered) return start();
    finish_if_over(position);
    return position;
  }

  std::string accepted_moves() const { return board_.accepted_moves() + (rules_.swap ? ", or swap" : ""); }
  std::size_t move_length(std::string_view word) const {
    return word.starts_with("swap") ? 4 : number_length(word, rules_.pits);
  }
  /// Pits nearer to the own store.
  int centre_rank(Move move) const { return move.is_swap() ? 0 : move.number(); }
  int left_to_play(const Position& position) const { return board_.seeds_in_pits(position.lanes); }

 private:
  bool may_swap(const Position& position) const {
    return position.phase() == KalahPhase::offered && position.side() == Side::second;
  }

  /// To be called before a move is made: the offer to swap stands until second has moved.
  void advance_phase(Position& position) const {
    if (position.side() == Side::second)
      position.set(KalahPhase::settled);
    else if (position.phase() == KalahPhase::opening)
      position.set(rules_.swap ? KalahPhase::offered : KalahPhase::settled);
  }

  void finish_if_over(Position& position) const {
    if (rules_.majority && board_.is_settled(position.lanes)) return finish(position, KalahStatus::majority);
    const bool mover_empty = !(position.lanes[index(position.side())] & board_.pits()).any();
    const bool other_empty = !(position.lanes[index(other(position.side()))] & board_.pits()).any();
    if (mover_empty || (rules_.end_any && other_empty)) finish(position, KalahStatus::empty);
  }

  void finish(Position& position, KalahStatus status) const {
    position.set(status);
    position.set(KalahPhase::settled);
    if (rules_.leftover == KalahRules::Leftover::none) return;
    board_.collect(position.lanes, rules_.leftover == KalahRules::Leftover::owner);
  }

  KalahRules rules_;
  SowingBoard<Words> board_;
};

struct KalahFamily {
  static const KindInfo& info() { return KalahRules::kind(); }

  template <class Use>
  static auto make(const GameSpec& spec, const Options& options, Use&& use) {
    const KalahRules rules = KalahRules::of(spec, options);
    return rules.pits <= 7 ? use(Kalah<1>(rules)) : use(Kalah<4>(rules));
  }
};

}  // namespace mossa
