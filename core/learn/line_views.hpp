// The view of a side from a cell: what it sees along one line, as a number.
//
// Going outwards from a cell, a side sees its own stones and empty cells. The first cell that it cannot have,
// a stone of the other side or the edge of the board, ends the view, and so does the distance `reach`: k - 1
// cells, for no row through the cell is longer, but never more than five. So an arm has length 0 to reach and
// one bit for each of its cells, the nearest lowest:
//
//     x . x x o      from the first x to the right: length 3, bits 110 (empty, own, own)
//
// A line through a cell is a pair of arms, and it does not matter which is which. With the cell itself,
// empty or an own stone, the pair is a pattern: 993 of them for k = 5. Pattern 0 is that of a cell with a
// stone of the other side, from which nothing can be made.
#pragma once

#include <cstdint>
#include <vector>

#include "../types.hpp"

namespace mossa {

/// The patterns that both sides see. In one word, which is written and read as a whole: to read two halves
/// together that were just written apart would stall.
class BothViews {
 public:
  constexpr BothViews() = default;
  constexpr BothViews(std::uint32_t first, std::uint32_t second) : word_(first | second << 16) {}

  constexpr std::uint16_t operator[](Side side) const {
    return static_cast<std::uint16_t>(side == Side::first ? word_ : word_ >> 16);
  }

 private:
  std::uint32_t word_ = 0;
};

class LineViews {
 public:
  static constexpr int most_reach = 5;

  static constexpr int reach_of(int k) { return std::min(k - 1, most_reach); }
  /// Every pair of arms with an empty cell between them and with an own stone, and none.
  static constexpr int patterns_of(int k) { return 1 + 2 * pairs_of(reach_of(k)); }

  explicit LineViews(int k)
      : reach_(reach_of(k)), pairs_count_(static_cast<std::uint32_t>(pairs_of(reach_))) {
    const int sets = 1 << reach_;
    for (auto* table : {&above_, &below_}) table->resize(static_cast<std::size_t>(sets * sets));
    for (int first = 0; first < sets; ++first)
      for (int second = 0; second < sets; ++second) {
        const auto place = static_cast<std::size_t>(first << reach_ | second);
        above_[place] = arms(first, second, [](int i) { return i; });
        below_[place] = arms(first, second, [this](int i) { return reach_ - 1 - i; });
      }
    pairs_.resize(arm_room * arm_room);
    for (int a = 0; a < arms_of(reach_); ++a)
      for (int b = 0; b < arms_of(reach_); ++b) {
        const int longer = std::max(a, b), shorter = std::min(a, b);
        pairs_[static_cast<std::size_t>(a) * arm_room + static_cast<std::size_t>(b)] =
            static_cast<std::uint16_t>(1 + longer * (longer + 1) / 2 + shorter);
      }
  }

  int reach() const { return reach_; }
  int patterns() const { return static_cast<int>(1 + 2 * pairs_count_); }

  /// What both sides see from a cell. The sets are the stones of either side in a window of a line: bit
  /// `reach` is the cell, with `reach` more below it and above. Bits beyond the window do not matter. What
  /// lies off the board is in both sets.
  BothViews see(std::uint32_t first, std::uint32_t second) const {
    const std::uint32_t mask = (1U << reach_) - 1;
    const Arms below = below_[(first & mask) << reach_ | (second & mask)];
    first >>= reach_;
    second >>= reach_;
    const Arms above = above_[(first >> 1 & mask) << reach_ | (second >> 1 & mask)];
    const std::uint32_t of_first = first & 1, of_second = second & 1;  // the cell itself
    const std::uint32_t seen_by_first =
        pairs_[below.first * arm_room + above.first] + of_first * pairs_count_;
    const std::uint32_t seen_by_second =
        pairs_[below.second * arm_room + above.second] + of_second * pairs_count_;
    return {of_second ? 0 : seen_by_first, of_first ? 0 : seen_by_second};
  }

 private:
  struct Arms {
    std::uint8_t first, second;  // as either side sees it
  };
  static constexpr std::size_t arm_room = 1 << (most_reach + 1);

  static constexpr int arms_of(int reach) { return (1 << (reach + 1)) - 1; }
  static constexpr int pairs_of(int reach) { return arms_of(reach) * (arms_of(reach) + 1) / 2; }

  /// The numbers of an arm whose i-th cell outwards is bit `place(i)`, for both sides.
  template <class Place>
  Arms arms(int first, int second, Place&& place) const {
    return {arm(first & ~second, second, place), arm(second & ~first, first, place)};
  }
  /// Arms of one length follow each other.
  template <class Place>
  std::uint8_t arm(int own, int blocked, Place&& place) const {
    int bits = 0, length = 0;
    for (; length < reach_ && !(blocked >> place(length) & 1); ++length)
      bits |= (own >> place(length) & 1) << length;
    return static_cast<std::uint8_t>((1 << length | bits) - 1);
  }

  int reach_;
  std::uint32_t pairs_count_;
  std::vector<Arms> above_, below_;   // by the sets of both sides above and below a cell
  std::vector<std::uint16_t> pairs_;  // by both arms
};

}  // namespace mossa
