// kalah: sow the seeds of one of your pits; what reaches your store is yours.
//
// A side is a row of pits and a store, kept as counters ("lanes") packed into words, pits from the
// side's own left, then the store:
//
//     second:   store | 5  4  3  2  1  0
//     first:            0  1  2  3  4  5 | store        sowing goes 0, 1, ... 5, store, other side's 0 ...
//
// How many seeds a sowing of n seeds from pit p drops into every lane is looked up, so a move is two
// additions however long the sowing. One word of 8-bit lanes serves up to 7 pits (at most 168 seeds in
// all); four words of 16-bit lanes serve up to 12.
#pragma once

#include <bit>
#include <charconv>

#include "kalah_rules.hpp"

namespace mossa {

template <int Words>
class Lanes {
  static_assert(Words == 1 || Words == 4);

 public:
  static constexpr int bits = Words == 1 ? 8 : 16;
  static constexpr int per_word = 64 / bits;

  int operator[](int lane) const {
    return static_cast<int>(words_[at(lane)] >> shift(lane) & ((1U << bits) - 1));
  }
  void add(int lane, int n) { words_[at(lane)] += static_cast<std::uint64_t>(n) << shift(lane); }
  void clear(int lane) { words_[at(lane)] &= ~(std::uint64_t{(1U << bits) - 1} << shift(lane)); }

  Lanes& operator+=(const Lanes& b) {
    for (std::size_t w = 0; w < Words; ++w) words_[w] += b.words_[w];
    return *this;
  }

  /// The lanes that `mask` has bits in.
  Lanes operator&(const Lanes& mask) const {
    Lanes kept;
    for (std::size_t w = 0; w < Words; ++w) kept.words_[w] = words_[w] & mask.words_[w];
    return kept;
  }
  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t w : words_) all |= w;
    return all != 0;
  }

  /// How many lanes are not zero.
  int count_nonzero() const {
    int total = 0;
    for (const std::uint64_t w : words_) total += std::popcount(nonzero(w));
    return total;
  }

  /// The lane that comes after `n` others that are not zero.
  int nonzero_lane(int n) const {
    if constexpr (Words == 1) {
      constexpr std::uint64_t gather = 0x0002040810204081;  // the top bits of all lanes into one byte
      return nth_bits[(nonzero(words_[0]) * gather) >> 56][static_cast<std::size_t>(n)];
    } else {
      int found = 0;
      for_each_nonzero([&](int lane) { found = n-- == 0 ? lane : found; });
      return found;
    }
  }

  /// Calls `use(lane)` for every lane that is not zero, in order.
  template <class Use>
  void for_each_nonzero(Use&& use) const {
    for (int w = 0; w < Words; ++w)
      for (std::uint64_t left = nonzero(words_[static_cast<std::size_t>(w)]); left; left &= left - 1)
        use(w * per_word + std::countr_zero(left) / bits);
  }

  const std::array<std::uint64_t, Words>& words() const { return words_; }
  bool operator==(const Lanes&) const = default;

 private:
  /// The top bit of every lane that is not zero: it is set if adding the largest number without it
  /// carries into it, or if it was set already.
  static std::uint64_t nonzero(std::uint64_t word) {
    constexpr std::uint64_t ones = ~0ULL / ((1ULL << bits) - 1);  // 1 in every lane
    constexpr std::uint64_t tops = ones << (bits - 1);
    return (((word & ~tops) + ~tops) | word) & tops;
  }
  /// The place of every set bit of a byte, in order.
  static constexpr auto nth_bits = [] {
    std::array<std::array<std::uint8_t, 8>, 256> places{};
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::size_t bit = 0, n = 0; bit < 8; ++bit)
        if (byte >> bit & 1) places[byte][n++] = static_cast<std::uint8_t>(bit);
    return places;
  }();

  static std::size_t at(int lane) { return Words == 1 ? 0 : static_cast<std::size_t>(lane / per_word); }
  static int shift(int lane) { return lane % per_word * bits; }

  std::array<std::uint64_t, Words> words_{};
};

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

  explicit Kalah(const KalahRules& rules) : rules_(rules), sowings_per_pit_(rules.total() + 1) {
    for (int pit = 0; pit < rules.pits; ++pit) pits_.add(pit, (1 << Lanes<Words>::bits) - 1);
    sowings_.reserve(static_cast<std::size_t>(rules.pits * sowings_per_pit_));
    for (int pit = 0; pit < rules.pits; ++pit)
      for (int seeds = 0; seeds <= rules.total(); ++seeds) sowings_.push_back(sow(pit, seeds));
  }

  const KalahRules& rules() const { return rules_; }

  Position start() const {
    Position position;
    for (Lanes<Words>& lanes : position.lanes)
      for (int pit = 0; pit < rules_.pits; ++pit) lanes.add(pit, rules_.seeds);
    if (rules_.swap || !rules_.first_extra) position.set(KalahPhase::opening);
    return position;
  }

  Side side(const Position& position) const { return position.side(); }
  bool is_over(const Position& position) const { return position.status() != KalahStatus::open; }
  int store(const Position& position, Side side) const { return position.lanes[index(side)][rules_.pits]; }

  /// The margin of the first side, also while the game goes on.
  int value(const Position& position) const {
    return store(position, Side::first) - store(position, Side::second);
  }

  Outcome outcome(const Position& position) const {
    const int margin = value(position);
    Outcome outcome;
    outcome.value = margin;
    if (margin) outcome.winner = margin > 0 ? Side::first : Side::second;
    const int winner_store = store(position, outcome.winner.value_or(Side::first));
    const int loser_store = store(position, other(outcome.winner.value_or(Side::first)));
    outcome.reason = std::to_string(winner_store) + " seeds to " + std::to_string(loser_store);
    outcome.reason +=
        position.status() == KalahStatus::majority ? ", more cannot change it" : ", no seeds to sow";
    return outcome;
  }

  MoveList<max_moves> moves(const Position& position) const {
    MoveList<max_moves> list;
    if (is_over(position)) return list;
    const Lanes<Words> own = position.lanes[index(position.side())] & pits_;
    own.for_each_nonzero([&](int pit) { list.add(Move::number(pit + 1)); });
    if (may_swap(position)) list.add(Move::swap());
    return list;
  }

  int count_moves(const Position& position) const {
    if (is_over(position)) return 0;
    return (position.lanes[index(position.side())] & pits_).count_nonzero() + may_swap(position);
  }

  /// Any legal move, all alike; the game must not be over.
  template <class Random>
  Move random_move(const Position& position, Random& random) const {
    const Lanes<Words> own = position.lanes[index(position.side())] & pits_;
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
    const Sowing& sowing = sowings_[static_cast<std::size_t>(pit * sowings_per_pit_ + own[pit])];
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
    const bool own_empty = !(own & pits_).any(), opposing_empty = !(opposing & pits_).any();
    if (own_empty || opposing_empty) finish_if_over(position);
  }

  std::optional<std::string> refusal(const Position& position, Move move) const {
    if (is_over(position)) return "the game is over (" + outcome(position).text() + ")";
    if (move.is_swap()) {
      if (may_swap(position)) return {};
      return rules_.swap ? "only second may swap, instead of its first move" : "this game has no swap rule";
    }
    if (!move.is_number() || move.number() < 1 || move.number() > rules_.pits)
      return "there is no such pit; a move is " + accepted_moves();
    if (position.lanes[index(position.side())][move.number() - 1] == 0)
      return "pit " + move.text() + " is empty";
    return {};
  }

  Key<key_words> key(const Position& position) const {
    return key(position, static_cast<int>(position.side()) + 2 * static_cast<int>(position.phase()),
               Side::first);
  }

  /// The board from the view of the side to move: exchanging the sides changes nothing else. Before
  /// the swap right is settled the sides differ, and the key tells them apart.
  Key<key_words> canonical_key(const Position& position) const {
    if (position.phase() != KalahPhase::settled) return key(position);
    return key(position, 2 * static_cast<int>(position.phase()), position.side());
  }

  Cells cells(const Position& position) const {
    Cells cells(2);
    for (std::size_t s = 0; s < 2; ++s)
      for (int lane = 0; lane <= rules_.pits; ++lane) cells[s].push_back(position.lanes[s][lane]);
    return cells;
  }

  std::optional<Cell> source(const Position& position, Move move) const {
    if (move.is_swap()) return {};
    return Cell{static_cast<int>(position.side()), move.number() - 1};
  }
  std::optional<Cell> target(const Position&, Move) const { return {}; }
  std::vector<Cell> winning_cells(const Position&) const { return {}; }

  /// "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first": each side's pits and store, then the side to move, with
  /// ",swap" while second may still swap.
  std::string text(const Position& position) const {
    std::string text;
    for (std::size_t s = 0; s < 2; ++s)
      for (int lane = 0; lane <= rules_.pits; ++lane)
        text += std::to_string(position.lanes[s][lane]) + (lane < rules_.pits ? "," : s == 0 ? "/" : " ");
    return text + std::string(name(position.side())) +
           (position.phase() == KalahPhase::offered ? ",swap" : "");
  }

  Position parse(std::string_view text) const {
    const auto fail = [&](const std::string& why) {
      return InvalidPositionError("invalid position " + quote(text) + ": " + why);
    };
    const std::string shape = std::to_string(rules_.pits) +
                              " pits and the store of first, '/', the same of second," +
                              " then the side to move, like '" + this->text(start()) + "'";
    Position position;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    int total = 0;
    for (std::size_t s = 0; s < 2; ++s)
      for (int lane = 0; lane <= rules_.pits; ++lane) {
        int seeds = 0;
        const auto [next, error] = std::from_chars(at, end, seeds);
        const bool signed_number = at != end && *at == '-';
        const char expected = lane < rules_.pits ? ',' : s == 0 ? '/' : ' ';
        if (signed_number || error != std::errc() || next == end || *next != expected)
          throw fail("expected " + shape);
        if (seeds > rules_.total() - total)
          throw fail("the seeds must be " + std::to_string(rules_.total()) + " in all");
        position.lanes[s].add(lane, seeds);
        total += seeds;
        at = next + 1;
      }
    if (total != rules_.total())
      throw fail("the seeds must be " + std::to_string(rules_.total()) + " in all, not " +
                 std::to_string(total));
    std::string_view rest(at, static_cast<std::size_t>(end - at));
    const bool offered = rest.ends_with(",swap");
    if (offered) rest.remove_suffix(5);
    if (rest != "first" && rest != "second") throw fail("expected " + shape);
    if (offered && !rules_.swap) throw fail("this game has no swap rule");
    position.set(rest == "first" ? Side::first : Side::second);
    position.set(offered ? KalahPhase::offered : KalahPhase::settled);
    if (position.lanes == start().lanes && position.side() == Side::first && !offered) return start();
    finish_if_over(position);
    return position;
  }

  std::string accepted_moves() const {
    return (rules_.pits == 1 ? "the pit 1" : "a pit, 1 to " + std::to_string(rules_.pits)) +
           (rules_.swap ? ", or swap" : "");
  }
  std::size_t move_length(std::string_view word) const {
    return word.starts_with("swap") ? 4 : number_length(word, rules_.pits);
  }
  /// Pits nearer to the own store.
  int centre_rank(Move move) const { return move.is_swap() ? 0 : move.number(); }
  int left_to_play(const Position& position) const {
    return rules_.total() - store(position, Side::first) - store(position, Side::second);
  }

 private:
  /// What sowing drops into every lane of either side, and the lane of the last seed: 0 to pits - 1 for
  /// an own pit, pits for the own store, more for a pit of the other side.
  struct Sowing {
    Lanes<Words> own, opposing;
    int last = 0;
  };

  Sowing sow(int pit, int seeds) const {
    const int lap = 2 * rules_.pits + 1;  // own pits, own store, the other pits
    Sowing sowing;
    sowing.last = (pit + seeds) % lap;
    for (int i = 1; i <= seeds; ++i) {
      const int lane = (pit + i) % lap;
      if (lane <= rules_.pits)
        sowing.own.add(lane, 1);
      else
        sowing.opposing.add(lane - rules_.pits - 1, 1);
    }
    return sowing;
  }

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
    if (rules_.majority && rules_.is_settled(store(position, Side::first), store(position, Side::second)))
      return finish(position, KalahStatus::majority);
    const bool mover_empty = !(position.lanes[index(position.side())] & pits_).any();
    const bool other_empty = !(position.lanes[index(other(position.side()))] & pits_).any();
    if (mover_empty || (rules_.end_any && other_empty)) finish(position, KalahStatus::empty);
  }

  void finish(Position& position, KalahStatus status) const {
    position.set(status);
    position.set(KalahPhase::settled);
    if (rules_.leftover == KalahRules::Leftover::none) return;
    const std::size_t exchanged = rules_.leftover == KalahRules::Leftover::opponent;
    std::array<int, 2> left{};
    for (std::size_t s = 0; s < 2; ++s)
      for (int pit = 0; pit < rules_.pits; ++pit) {
        left[s] += position.lanes[s][pit];
        position.lanes[s].clear(pit);
      }
    for (std::size_t s = 0; s < 2; ++s) position.lanes[s].add(rules_.pits, left[s ^ exchanged]);
  }

  /// Both sides' lanes, with the tag in place of the second store: the seeds elsewhere tell what is in it.
  Key<key_words> key(const Position& position, int tag, Side leading) const {
    Lanes<Words> trailing = position.lanes[index(other(leading))];
    trailing.clear(rules_.pits);
    trailing.add(rules_.pits, tag);
    Key<key_words> key;
    std::ranges::copy(position.lanes[index(leading)].words(), key.begin());
    std::ranges::copy(trailing.words(), key.begin() + Words);
    return key;
  }

  KalahRules rules_;
  int sowings_per_pit_;  // one for each number of seeds
  Lanes<Words> pits_;    // all bits of every pit
  std::vector<Sowing> sowings_;
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
