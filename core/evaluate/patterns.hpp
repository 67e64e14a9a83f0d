// Line patterns of mnk: what a stone on an empty cell would make, for either side and in each of the four
// directions.
//
// The names are those of Gomoku, where k is 5, and hold for every k:
//
//     win     k in a row
//     four    a row that one more stone completes; open if two cells complete it, on either of which it wins
//     three   a row that one more stone makes an open four
//
// A code says how many stones a row would still need after the stone, and in how many ways it could go on.
// It depends on the k - 1 cells on either side only (k with exact=yes, where a longer row does not win), so
// a new stone changes the codes of that many cells, and for k up to 6 a code is looked up in a table that
// fills as it is used (patterns by table: the idea of every strong Gomoku program since the 1990s).
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "../bitboard.hpp"
#include "../table.hpp"

namespace mossa {

/// What a stone makes in one direction.
class PatternCode {
 public:
  static constexpr int most_needs = 14, most_ways = 7, count = 128;

  constexpr PatternCode() = default;  // no row can come of it
  /// `needs` more stones make a row; `ways` counts the cells that complete a four, the cells that make an
  /// open four of a three, and else the rows; a lone stone has one way, for most of the board is such cells.
  constexpr PatternCode(int needs, int ways)
      : code_(static_cast<std::uint8_t>(std::min(needs, most_needs) * 8 + std::min(ways, most_ways))) {}
  static constexpr PatternCode of(int number) { return PatternCode(static_cast<std::uint8_t>(number)); }

  constexpr bool dead() const { return code_ == count - 1; }
  constexpr int needs() const { return code_ >> 3; }
  constexpr int ways() const { return code_ & 7; }
  constexpr std::uint8_t number() const { return code_; }
  constexpr bool operator==(const PatternCode&) const = default;

 private:
  constexpr explicit PatternCode(std::uint8_t code) : code_(code) {}
  std::uint8_t code_ = count - 1;
};

/// What a stone makes in all directions together: the most forcing of it.
enum class Threat : std::uint8_t { none, three, four, open_four, win };

constexpr Threat threat_of(PatternCode code) {
  if (code.dead() || code.needs() > 2 || (code.needs() == 2 && code.ways() == 0)) return Threat::none;
  if (code.needs() == 2) return Threat::three;
  return code.needs() == 0 ? Threat::win : code.ways() >= 2 ? Threat::open_four : Threat::four;
}

/// The codes of a rule: of k, and whether the row must be exact.
class PatternRule {
 public:
  static constexpr int narrow_reach = 31;  // so far to either side fits one word

  PatternRule(int k, bool exact)
      : k_(k),
        exact_(exact),
        reach_(exact ? k : k - 1),
        looked_up_(4 * reach_ <= most_index_bits ? std::size_t{1} << 4 * reach_ : 0) {}

  int k() const { return k_; }
  bool exact() const { return exact_; }
  /// How far to either side a stone matters.
  int reach() const { return reach_; }
  std::size_t bytes() const { return looked_up_.size() * sizeof(looked_up_[0]); }

  /// The codes of either side's stone in the middle of 2 reach + 1 cells, by the stones of both. What is not
  /// on the board is set for both.
  std::array<PatternCode, 2> codes(std::uint64_t first, std::uint64_t second) const {
    if (looked_up_.empty()) return compute_both(first, second);
    const std::size_t low = (std::size_t{1} << reach_) - 1;
    const auto squeeze = [&](std::uint64_t bits) {
      return (bits & low) | (bits >> (reach_ + 1) & low) << reach_;
    };
    std::atomic<std::uint16_t>& known = looked_up_[squeeze(first) << 2 * reach_ | squeeze(second)];
    std::uint16_t numbers = known.load(std::memory_order_relaxed);
    if (!numbers) {
      const auto [of_first, of_second] = compute_both(first, second);
      numbers = static_cast<std::uint16_t>((of_first.number() + 1) | (of_second.number() + 1) << 8);
      known.store(numbers, std::memory_order_relaxed);
    }
    return {PatternCode::of((numbers & 0xFF) - 1), PatternCode::of((numbers >> 8) - 1)};
  }

  template <int Words>
  PatternCode compute(BitSet<Words> own, const BitSet<Words>& blocked) const {
    // The cells on either side that can be had.
    int low = reach_, high = reach_;
    bool alone = true;
    for (; low > reach_ - k_ + 1 && !blocked.test(low - 1); --low) alone = alone && !own.test(low - 1);
    for (; high < reach_ + k_ - 1 && !blocked.test(high + 1); ++high) alone = alone && !own.test(high + 1);
    if (high - low + 1 < k_) return {};
    own.set(reach_);
    if (alone && k_ > 3 && !(exact_ && (own.test(0) || own.test(2 * k_)))) return {k_ - 1, 1};
    int needs = k_ + 1, rows = 0;
    BitSet<Words> empties;  // of the rows that need the fewest
    for (int begin = low; begin + k_ - 1 <= high; ++begin) {
      if (too_long(own, begin)) continue;
      const int missing = k_ - own.count(begin, k_);
      if (missing > needs) continue;
      if (missing < needs) empties = BitSet<Words>(), rows = 0;
      needs = missing;
      ++rows;
      if (missing <= 2)
        for (int i = begin; i < begin + k_; ++i)
          if (!own.test(i)) empties.set(i);
    }
    if (needs > k_) return {};
    if (needs == 1) return {1, empties.count()};
    if (needs != 2) return {needs, needs == 0 || needs == k_ - 1 ? 1 : rows};
    int openings = 0;
    empties.for_each([&](int next) {
      BitSet<Words> more = own;
      more.set(next);
      openings += completions(more, blocked).count() >= 2;
    });
    return {2, openings};
  }

  /// The cells that complete a row through the middle.
  template <int Words>
  BitSet<Words> completions(const BitSet<Words>& own, const BitSet<Words>& blocked) const {
    BitSet<Words> cells;
    for (int begin = reach_ - k_ + 1; begin <= reach_; ++begin) {
      if (blocked.count(begin, k_) || too_long(own, begin) || own.count(begin, k_) != k_ - 1) continue;
      for (int i = begin; i < begin + k_; ++i)
        if (!own.test(i)) cells.set(i);
    }
    return cells;
  }

  template <int Words>
  static BitSet<Words> wide(std::uint64_t word) {
    return BitSet<Words>(std::array<std::uint64_t, Words>{word});
  }

 private:
  static constexpr int most_index_bits = 20;  // two megabytes

  std::array<PatternCode, 2> compute_both(std::uint64_t first, std::uint64_t second) const {
    return {compute(wide<1>(first & ~second), wide<1>(second)),
            compute(wide<1>(second & ~first), wide<1>(first))};
  }

  template <int Words>
  bool too_long(const BitSet<Words>& own, int begin) const {
    return exact_ && (own.test(begin - 1) || own.test(begin + k_));
  }

  int k_;
  bool exact_;
  int reach_;
  mutable std::vector<std::atomic<std::uint16_t>> looked_up_;  // a byte each, code + 1; 0: not known yet
};

}  // namespace mossa
