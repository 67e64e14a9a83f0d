// What games of sowing share: counters packed into words, the way seeds take, and the board as text.
//
// A side is a row of pits and a store, kept as counters ("lanes") packed into words, pits from the
// side's own left, then the store:
//
//     second:   store | 5  4  3  2  1  0
//     first:            0  1  2  3  4  5 | store        sowing goes 0, 1, ... 5, then other side's 0 ...
//
// How many seeds a sowing of n seeds from pit p drops into every lane is looked up, so sowing is two
// additions however many seeds there are. One word of 8-bit lanes serves up to 7 pits (at most 168 seeds
// in all); four words of 16-bit lanes serve up to 12.
#pragma once

#include <bit>
#include <charconv>

#include "../nth_bit.hpp"
#include "sowing_rules.hpp"

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
      return nth_bits_of_byte[(nonzero(words_[0]) * gather) >> 56][static_cast<std::size_t>(n)];
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
  static std::size_t at(int lane) { return Words == 1 ? 0 : static_cast<std::size_t>(lane / per_word); }
  static int shift(int lane) { return lane % per_word * bits; }

  std::array<std::uint64_t, Words> words_{};
};

/// What sowing drops into every lane of either side, and the lane of the last seed: 0 to pits - 1 for
/// an own pit, pits for the own store, more for a pit of the other side.
template <int Words>
struct Sowing {
  Lanes<Words> own, opposing;
  int last = 0;
};

/// The way seeds take.
enum class Track : std::uint8_t {
  own_store,       // own pits, own store, the other side's pits, and round again
  without_source,  // all pits but the one that the seeds came from; no store
};

/// The board of a game of sowing: where seeds go, and how it is shown, written and read.
template <int Words>
class SowingBoard {
 public:
  using Sides = std::array<Lanes<Words>, 2>;  // pits and store, by side

  SowingBoard(const SowingRules& rules, Track track)
      : rules_(rules), track_(track), sowings_per_pit_(rules.total() + 1) {
    for (int pit = 0; pit < rules.pits; ++pit) pits_.add(pit, (1 << Lanes<Words>::bits) - 1);
    sowings_.reserve(static_cast<std::size_t>(rules.pits * sowings_per_pit_));
    for (int pit = 0; pit < rules.pits; ++pit)
      for (int seeds = 0; seeds <= rules.total(); ++seeds) sowings_.push_back(sow(pit, seeds));
  }

  /// All bits of every pit.
  const Lanes<Words>& pits() const { return pits_; }
  const Sowing<Words>& sowing(int pit, int seeds) const {
    return sowings_[static_cast<std::size_t>(pit * sowings_per_pit_ + seeds)];
  }

  Sides full() const {
    Sides sides;
    for (Lanes<Words>& lanes : sides)
      for (int pit = 0; pit < rules_.pits; ++pit) lanes.add(pit, rules_.seeds);
    return sides;
  }

  int store(const Sides& sides, Side side) const { return sides[index(side)][rules_.pits]; }
  /// By how much first is ahead.
  int margin(const Sides& sides) const { return store(sides, Side::first) - store(sides, Side::second); }
  int seeds_in_pits(const Sides& sides) const {
    return rules_.total() - store(sides, Side::first) - store(sides, Side::second);
  }
  bool is_settled(const Sides& sides) const {
    return rules_.is_settled(store(sides, Side::first), store(sides, Side::second));
  }

  /// Puts what is left in the pits of a side into its own store, or else into the other one.
  void collect(Sides& sides, bool own) const {
    std::array<int, 2> left{};
    for (std::size_t s = 0; s < 2; ++s)
      for (int pit = 0; pit < rules_.pits; ++pit) {
        left[s] += sides[s][pit];
        sides[s].clear(pit);
      }
    for (std::size_t s = 0; s < 2; ++s) sides[s].add(rules_.pits, left[own ? s : s ^ 1]);
  }

  /// The outcome that the stores say, with the reason for the end.
  Outcome outcome(const Sides& sides, std::string_view why) const {
    Outcome outcome;
    outcome.value = margin(sides);
    if (outcome.value) outcome.winner = outcome.value > 0 ? Side::first : Side::second;
    const Side leader = outcome.winner.value_or(Side::first);
    outcome.reason = std::to_string(store(sides, leader)) + " seeds to " +
                     std::to_string(store(sides, other(leader))) + ", " + std::string(why);
    return outcome;
  }

  Cells cells(const Sides& sides) const {
    Cells cells(2);
    for (std::size_t s = 0; s < 2; ++s)
      for (int lane = 0; lane <= rules_.pits; ++lane) cells[s].push_back(sides[s][lane]);
    return cells;
  }

  /// Both sides' lanes, with the tag in place of the second store: the seeds elsewhere tell what is in it.
  Key<2 * Words> key(const Sides& sides, int tag, Side leading) const {
    Lanes<Words> trailing = sides[index(other(leading))];
    trailing.clear(rules_.pits);
    trailing.add(rules_.pits, tag);
    Key<2 * Words> key;
    std::ranges::copy(sides[index(leading)].words(), key.begin());
    std::ranges::copy(trailing.words(), key.begin() + Words);
    return key;
  }

  /// "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first": each side's pits and store, then the side to move.
  std::string text(const Sides& sides, Side side) const {
    std::string text;
    for (std::size_t s = 0; s < 2; ++s)
      for (int lane = 0; lane <= rules_.pits; ++lane)
        text += std::to_string(sides[s][lane]) + (lane < rules_.pits ? "," : s == 0 ? "/" : " ");
    return text + std::string(name(side));
  }

  /// Reads the seeds that `text` begins with, and takes them off it with the blank that follows. Throws
  /// InvalidPositionError, which quotes the whole text.
  Sides read(std::string_view& text, std::string_view whole) const {
    Sides sides;
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
          throw other_shape(whole);
        if (seeds > rules_.total() - total)
          throw invalid(whole, "there must be " + std::to_string(rules_.total()) + " seeds in all");
        sides[s].add(lane, seeds);
        total += seeds;
        at = next + 1;
      }
    if (total != rules_.total())
      throw invalid(whole, "there must be " + std::to_string(rules_.total()) + " seeds in all, not " +
                               std::to_string(total));
    text.remove_prefix(static_cast<std::size_t>(at - text.data()));
    return sides;
  }

  Side read_side(std::string_view word, std::string_view whole) const {
    if (word != name(Side::first) && word != name(Side::second)) throw other_shape(whole);
    return word == name(Side::first) ? Side::first : Side::second;
  }

  static InvalidPositionError invalid(std::string_view whole, const std::string& why) {
    return InvalidPositionError("invalid position " + quote(whole) + ": " + why);
  }
  InvalidPositionError other_shape(std::string_view whole) const {
    return invalid(whole, "expected the " + std::to_string(rules_.pits) +
                              " pits and the store of first, '/', the same for second," +
                              " then the side to move, like '" + text(full(), Side::first) + "'");
  }

  std::string accepted_moves() const {
    return rules_.pits == 1 ? "pit 1" : "a pit, 1 to " + std::to_string(rules_.pits);
  }
  /// Why the side cannot sow from this pit, if only because it is empty; nothing if it can.
  std::optional<std::string> refusal(const Sides& sides, Side side, Move move,
                                     const std::string& accepted) const {
    if (!move.is_number() || move.number() < 1 || move.number() > rules_.pits)
      return "there is no such pit; a move is " + accepted;
    if (sides[index(side)][move.number() - 1] == 0) return "pit " + move.text() + " is empty";
    return {};
  }

 private:
  Sowing<Words> sow(int pit, int seeds) const {
    const int lap = 2 * rules_.pits + 1;  // own pits, own store, the other pits
    Sowing<Words> sowing;
    sowing.last = pit;
    for (int left = seeds; left > 0;) {
      sowing.last = (sowing.last + 1) % lap;
      if (track_ == Track::without_source && (sowing.last == rules_.pits || sowing.last == pit)) continue;
      if (sowing.last <= rules_.pits)
        sowing.own.add(sowing.last, 1);
      else
        sowing.opposing.add(sowing.last - rules_.pits - 1, 1);
      --left;
    }
    return sowing;
  }

  SowingRules rules_;
  Track track_;
  int sowings_per_pit_;  // one for each number of seeds
  Lanes<Words> pits_;
  std::vector<Sowing<Words>> sowings_;
};

}  // namespace mossa
