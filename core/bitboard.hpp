// Sets of cells as bits, in one, two, four or many 64-bit words, and "k in a line" on them.
//
// The word count is the only thing fixed at compile time. One word holds Connect 4 and runs at the speed of
// plain integers; the compiler unrolls the loops over two and four. Larger boards, up to 100x100, share one
// type, which has room for all of them and works on the words that a set really uses.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "nth_bit.hpp"

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

  /// The set bit that comes after `n` others; there must be one.
  int nth(int n) const {
    std::size_t w = 0;
    for (int held; w + 1 < Words && n >= (held = std::popcount(words_[w])); ++w) n -= held;
    return static_cast<int>(w) * 64 + nth_bit(words_[w], n);
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

/// Sets of many words, for all larger boards. Only the first words are in use; the others are zero and are
/// neither written nor read.
template <int Words>
  requires(Words > 4)
class BitSet<Words> {
 public:
  static constexpr int bits = Words * 64;

  BitSet() {}  // not defaulted: that would write zeros first
  BitSet(const BitSet& b) : used_(b.used_) { copy_words(b); }
  BitSet& operator=(const BitSet& b) {
    used_ = b.used_;
    copy_words(b);
    return *this;
  }

  bool test(int bit) const { return word(bit / 64) >> (bit % 64) & 1; }
  void set(int bit) {
    for (; used_ <= bit / 64; ++used_) (*this)[used_] = 0;
    (*this)[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  void reset(int bit) {
    if (bit / 64 < used_) (*this)[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
  }

  bool any() const {
    return std::ranges::any_of(words(), [](std::uint64_t w) { return w != 0; });
  }
  int count() const {
    int total = 0;
    for (const std::uint64_t w : words()) total += std::popcount(w);
    return total;
  }
  int count(int begin, int length) const {
    int total = 0;
    for (int bit = begin; bit < begin + length;) {
      const int taken = std::min(64 - bit % 64, begin + length - bit);
      const std::uint64_t field = word(bit / 64) >> (bit % 64);
      total += std::popcount(taken < 64 ? field & ((1ULL << taken) - 1) : field);
      bit += taken;
    }
    return total;
  }

  template <class Use>
  void for_each(Use&& use) const {
    for (int w = 0; w < used_; ++w)
      for (std::uint64_t rest = (*this)[w]; rest; rest &= rest - 1) use(w * 64 + std::countr_zero(rest));
  }

  BitSet operator&(const BitSet& b) const {
    return zip(b, std::min(used_, b.used_), [](auto x, auto y) { return x & y; });
  }
  BitSet operator|(const BitSet& b) const {
    return zip(b, std::max(used_, b.used_), [](auto x, auto y) { return x | y; });
  }
  BitSet operator~() const {
    return zip(*this, Words, [](auto x, auto) { return ~x; });
  }
  BitSet without(const BitSet& b) const {
    return zip(b, used_, [](auto x, auto y) { return x & ~y; });
  }

  BitSet operator<<(int distance) const {
    return moved(distance, std::min(Words, used_ + distance / 64 + 1));
  }
  BitSet operator>>(int distance) const { return moved(-distance, std::max(0, used_ - distance / 64)); }

  /// Those in use.
  std::span<const std::uint64_t> words() const { return {words_.data(), static_cast<std::size_t>(used_)}; }

 private:
  std::uint64_t& operator[](int w) { return words_[static_cast<std::size_t>(w)]; }
  const std::uint64_t& operator[](int w) const { return words_[static_cast<std::size_t>(w)]; }
  std::uint64_t word(int w) const { return w >= 0 && w < used_ ? (*this)[w] : 0; }

  /// Copies whole blocks, the last of which may include unused words: for sets of this size, calling memmove
  /// takes longer than the copy itself.
  void copy_words(const BitSet& b) {
    constexpr std::size_t block = 4;
    static_assert(Words % block == 0);
    for (std::size_t w = 0; w < static_cast<std::size_t>(b.used_); w += block)
      std::memcpy(words_.data() + w, b.words_.data() + w, block * sizeof(std::uint64_t));
  }

  template <class Join>
  BitSet zip(const BitSet& b, int used, Join join) const {
    BitSet joined;
    joined.used_ = used;
    const int both = std::min({used, used_, b.used_});
    for (int w = 0; w < both; ++w) joined[w] = join((*this)[w], b[w]);
    for (int w = both; w < used; ++w) joined[w] = join(word(w), b.word(w));
    return joined;
  }

  /// Moved up by `distance` bits, or down if that is negative.
  BitSet moved(int distance, int used) const {
    BitSet moved;
    moved.used_ = used;
    const int whole = distance >= 0 ? distance / 64 : -((63 - distance) / 64);  // rounded down
    const int part = distance - whole * 64;
    for (int w = 0; w < used; ++w) {
      const std::uint64_t low = part ? word(w - whole - 1) >> (64 - part) : 0;
      moved[w] = word(w - whole) << part | low;
    }
    return moved;
  }

  std::array<std::uint64_t, static_cast<std::size_t>(Words)> words_;
  int used_ = 0;
};

/// Calls `use.template operator()<Words>()` with the smallest supported word count that holds `bits`.
/// The steps are chosen for the boards people play: 7x8, 10x11, 15x15, and all others up to 100x100.
/// MOSSA_FEW_WORDS leaves two of them out: those boards are slower, and the build takes half the time.
template <class Use>
auto with_words(int bits, Use&& use) {
  if (bits <= 64) return use.template operator()<1>();
#ifndef MOSSA_FEW_WORDS
  if (bits <= 128) return use.template operator()<2>();
  if (bits <= 256) return use.template operator()<4>();
#endif
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

/// The bits, set or not, on which one more stone makes a run of at least `k`: those with i stones just below
/// and k - 1 - i just above, for some i. There are none unless one of the two is at least half of k, which is
/// quick to check, and rare on boards with a large k.
template <int Words>
BitSet<Words> completing(const BitSet<Words>& stones, int step, int k) {
  if (k > 1 && !runs(stones, step, k / 2).any()) return {};
  constexpr int longest = 100;
  // above[i]: at least i stones follow directly. That many large sets would not fit the stack.
  std::conditional_t<(Words > 4), std::vector<BitSet<Words>>, std::array<BitSet<Words>, longest>> above;
  if constexpr (Words > 4) above.resize(static_cast<std::size_t>(k));
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

/// The same on a board of one word, of which the last bit is spare: all directions at once, which takes the
/// processor as long as one, at distances that are computed beforehand. A board of up to 12 bits, such as
/// that of tic-tac-toe, has so few sets of stones that the answers are looked up.
class RunTest {
 public:
  RunTest(std::span<const int, 4> steps, int k, int bits) {
    for (int length = 1; length < k; ++doublings_) {
      const int grow = std::min(length, k - length);
      for (std::size_t i = 0; i < 4; ++i)
        distances_[doublings_][i] = static_cast<std::uint8_t>(std::min(grow * steps[i], 63));
      length += grow;
    }
    if (std::uint64_t{1} << std::min(bits - 1, 63) > 64 * found_.size()) return;
    for (std::uint64_t stones = 0; stones < 64 * found_.size(); ++stones)
      found_[stones / 64] |= std::uint64_t{find_run(stones)} << (stones % 64);
    looked_up_ = 64 * found_.size();
  }

  bool has_run(std::uint64_t stones) const {
    return stones < looked_up_ ? found_[stones / 64] >> (stones % 64) & 1 : find_run(stones);
  }

 private:
  bool find_run(std::uint64_t stones) const {
    std::array begins{stones, stones, stones, stones};
    for (std::size_t d = 0; d < doublings_; ++d)
      for (std::size_t i = 0; i < 4; ++i) begins[i] &= begins[i] >> distances_[d][i];
    return (begins[0] | begins[1] | begins[2] | begins[3]) != 0;
  }

  std::size_t doublings_ = 0;
  std::array<std::array<std::uint8_t, 4>, 7> distances_{};  // k is at most 100: 1, 2, 4 ... 64
  std::uint64_t looked_up_ = 0;                             // the answers for all words below
  std::array<std::uint64_t, 32> found_{};                   // are here, a bit each
};

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
