// Sets of cells as bits, in one, two or many 64-bit words, and "k in a line" on them.
//
// The word count is the only thing fixed at compile time: one word holds Connect 4 and runs at the
// speed of plain integers, 160 words hold a 100x100 board. Loops over the words are unrolled by the
// compiler for the small counts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace mossa {

template <int Words>
class BitSet {
 public:
  static constexpr int bits = Words * 64;

  BitSet() = default;
  explicit BitSet(const std::array<std::uint64_t, Words>& words) : words_(words) {}

  bool test(int bit) const { return word(bit) >> (bit % 64) & 1; }
  void set(int bit) { words_[at(bit)] |= std::uint64_t{1} << (bit % 64); }
  void reset(int bit) { words_[at(bit)] &= ~(std::uint64_t{1} << (bit % 64)); }

  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t w : words_) all |= w;
    return all != 0;
  }

  int count() const {
    int total = 0;
    for (const std::uint64_t w : words_) total += std::popcount(w);
    return total;
  }

  /// How many of the `length` bits from `begin` are set.
  int count(int begin, int length) const {
    if constexpr (Words == 1) {
      const std::uint64_t field = words_[0] >> begin & low_bits(length);
      return std::popcount(field);
    } else {
      int total = 0;
      for (int bit = begin; bit < begin + length;) {
        const int taken = std::min(64 - bit % 64, begin + length - bit);
        total += std::popcount(word(bit) >> (bit % 64) & low_bits(taken));
        bit += taken;
      }
      return total;
    }
  }

  /// Calls `use(bit)` for every set bit, lowest first.
  template <class Use>
  void for_each(Use&& use) const {
    for (int w = 0; w < Words; ++w)
      for (std::uint64_t rest = words_[static_cast<std::size_t>(w)]; rest; rest &= rest - 1)
        use(w * 64 + std::countr_zero(rest));
  }

  BitSet operator&(const BitSet& b) const {
    return zip(b, [](auto x, auto y) { return x & y; });
  }
  BitSet operator|(const BitSet& b) const {
    return zip(b, [](auto x, auto y) { return x | y; });
  }
  BitSet operator~() const {
    return zip(*this, [](auto x, auto) { return ~x; });
  }
  /// The bits of this set that are not in `b`.
  BitSet without(const BitSet& b) const {
    return zip(b, [](auto x, auto y) { return x & ~y; });
  }

  BitSet operator<<(int distance) const { return shifted<false>(distance); }
  BitSet operator>>(int distance) const { return shifted<true>(distance); }

  const std::array<std::uint64_t, Words>& words() const { return words_; }
  bool operator==(const BitSet&) const = default;

 private:
  static std::size_t at(int bit) { return Words == 1 ? 0 : static_cast<std::size_t>(bit / 64); }
  std::uint64_t word(int bit) const { return words_[at(bit)]; }
  static constexpr std::uint64_t low_bits(int n) { return n >= 64 ? ~0ULL : (1ULL << n) - 1; }

  template <class Join>
  BitSet zip(const BitSet& b, Join join) const {
    BitSet joined;
    for (std::size_t w = 0; w < Words; ++w) joined.words_[w] = join(words_[w], b.words_[w]);
    return joined;
  }

  template <bool Right>
  BitSet shifted(int distance) const {
    BitSet moved;
    if (distance >= bits) return moved;
    const int whole = distance / 64;
    const int part = distance % 64;
    for (int to = 0; to < Words; ++to) {
      const int from = Right ? to + whole : to - whole;
      const int next = Right ? from + 1 : from - 1;
      std::uint64_t value = in_range(from) ? shift_word<Right>(from, part) : 0;
      if (part && in_range(next)) value |= shift_word<!Right>(next, 64 - part);
      moved.words_[static_cast<std::size_t>(to)] = value;
    }
    return moved;
  }
  template <bool Right>
  std::uint64_t shift_word(int w, int n) const {
    const std::uint64_t value = words_[static_cast<std::size_t>(w)];
    return Right ? value >> n : value << n;
  }
  static constexpr bool in_range(int w) { return w >= 0 && w < Words; }

  std::array<std::uint64_t, Words> words_{};
};

/// Calls `use.template operator()<Words>()` with the smallest supported word count that holds `bits`.
/// The steps are chosen for the boards people play: 8x8, 15x15, 20x20, 50x50 and the limit of 100x100.
/// MOSSA_FEW_WORDS leaves most of them out: larger boards are slower, and the build takes half the time.
template <class Use>
auto with_words(int bits, Use&& use) {
  if (bits <= 64) return use.template operator()<1>();
#ifndef MOSSA_FEW_WORDS
  if (bits <= 128) return use.template operator()<2>();
  if (bits <= 256) return use.template operator()<4>();
  if (bits <= 2560 && bits > 448) return use.template operator()<40>();
#endif
  if (bits <= 448) return use.template operator()<7>();
  return use.template operator()<160>();
}

/// The bits at which a run of at least `k` set bits begins, `step` apart (of exactly `k` if `exact`).
/// The run is doubled at each turn: 1, 2, 4, ... so k = 4 takes two shifts.
template <int Words>
BitSet<Words> runs(const BitSet<Words>& stones, int step, int k, bool exact = false) {
  BitSet<Words> begins = stones;
  for (int length = 1; length < k;) {
    const int grow = std::min(length, k - length);
    begins = begins & (begins >> (grow * step));
    length += grow;
  }
  return exact ? begins.without(stones << step).without(stones >> (k * step)) : begins;
}

/// The bits, set or not, on which one more stone makes a run of at least `k`: those with i stones just
/// below and k - 1 - i just above, for some i. There are none unless one of the two is half of k, which is
/// quickly seen, and rare on boards with a large k.
template <int Words>
BitSet<Words> completing(const BitSet<Words>& stones, int step, int k) {
  if (k > 1 && !runs(stones, step, k / 2).any()) return {};
  constexpr int longest = 100;
  std::array<BitSet<Words>, longest> above;  // above[i]: at least i stones follow directly
  above[0] = ~BitSet<Words>();
  for (int i = 1; i < k; ++i)
    above[static_cast<std::size_t>(i)] = (stones & above[static_cast<std::size_t>(i) - 1]) >> step;
  BitSet<Words> below = above[0], found;  // at least i stones lie directly below
  for (int i = 0; i < k; ++i) {
    found = found | (below & above[static_cast<std::size_t>(k - 1 - i)]);
    below = (stones & below) << step;
  }
  return found;
}

/// True if `stones` has k in a line in one of the directions `steps` (exactly k if `exact`).
template <int Words>
bool has_run(const BitSet<Words>& stones, std::span<const int> steps, int k, bool exact) {
  for (const int step : steps)
    if (runs(stones, step, k, exact).any()) return true;
  return false;
}

/// The same, for lines through `bit` only: a walk whose cost does not grow with the board.
template <int Words>
bool has_run_through(const BitSet<Words>& stones, std::span<const int> steps, int k, bool exact, int bit) {
  for (const int step : steps) {
    int length = 1;
    for (int b = bit + step; b < BitSet<Words>::bits && stones.test(b); b += step) ++length;
    for (int b = bit - step; b >= 0 && stones.test(b); b -= step) ++length;
    if (exact ? length == k : length >= k) return true;
  }
  return false;
}

}  // namespace mossa
