// Pairs of cells with which the defender holds: it answers a stone on one cell with a stone on the other.
//
// If every line of the attacker has both cells of some pair, and no two pairs have a cell in common, the
// attacker completes nothing, whoever is to move. Such pairs are looked for in two steps:
//
// 1. Neighbouring lines of a row, column or diagonal can share a pair if they have two cells in common.
//    Grouped like that, every group needs two of its common cells for itself: a matching (Kuhn 1955), found
//    or refuted in no time.
// 2. Where other groups might do, because hardly any is left without a pair, a short search takes the line
//    with the fewest cells and tries its pairs, those first that serve many lines and take little from
//    others.
#pragma once

#include <limits>

#include "mnk_lines.hpp"

namespace mossa {

template <class Bits>
class LinePairs {
 public:
  /// No line may be one move from completion. Cells to avoid are used only where others will not do.
  LinePairs(const OpenLines<Bits>& lines, Bits avoid) : lines_(lines), avoid_(avoid) {}

  bool find() {
    group();
    if (2 * groups_ > static_cast<std::size_t>(count_bits(lines_.cells())) + 2 * most_without) return false;
    const std::size_t without = match();
    if (without == 0) return true;
    return without <= most_without && search();
  }
  /// All cells of the pairs that were found.
  Bits cells() const { return used_; }

 private:
  static constexpr std::size_t most_without = 2;  // groups, for a search that has a chance
  static constexpr int most_steps = 60;  // of the search: those that succeed take fewer, nearly always
  static constexpr int most_tries = 4;   // pairs of a line

  static constexpr std::size_t most_pairs = 64;  // of a line that are considered
  struct Choice {
    int rank;
    Bits pair;
  };

  void group() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool neighbours = i > 0 && !at_most_one(lines_[i - 1].all & lines_[i].all);
      if (neighbours && !at_most_one(common_[groups_ - 1] & lines_[i].rest))
        common_[groups_ - 1] &= lines_[i].rest;
      else
        common_[groups_++] = lines_[i].rest;
    }
  }

  /// How many groups are left without a pair; counts no further than the search goes.
  std::size_t match() {
    std::size_t without = 0;
    std::fill_n(taken_.begin(), groups_, Bits{0});
    for (int least = 2; least <= most_common; ++least)  // those with the fewest cells choose first
      for (std::size_t g = 0; g < groups_ && without <= most_without; ++g)
        if (std::min(count_bits(common_[g]), most_common) == least && !(take(g) && take(g))) ++without;
    return without;
  }
  static constexpr int most_common = 5;

  /// Gives a group one more cell, and others what they lose to it.
  bool take(std::size_t group) {
    visited_ = 0;
    return augment(group);
  }
  bool augment(std::size_t group) {
    if (const Bits free = common_[group] & ~used_) {
      const Bits cell = lowest_of(free & ~avoid_ ? free & ~avoid_ : free);
      used_ |= cell;
      own(group, cell);
      return true;
    }
    while (const Bits others = common_[group] & ~taken_[group] & ~visited_) {
      const Bits cell = lowest_of(others);
      visited_ |= cell;
      const std::size_t owner = owner_[static_cast<std::size_t>(lowest_bit(cell))];
      if (!augment(owner)) continue;
      taken_[owner] &= ~cell;
      own(group, cell);
      return true;
    }
    return false;
  }
  void own(std::size_t group, Bits cell) {
    taken_[group] |= cell;
    owner_[static_cast<std::size_t>(lowest_bit(cell))] = static_cast<std::uint16_t>(group);
  }

  bool search() {
    for (std::size_t i = 0; i < lines_.size(); ++i) common_[i] = lines_[i].rest;
    used_ = 0;
    steps_left_ = most_steps;
    return extend(lines_.size());
  }
  /// The first `count` sets in common_ are the unused cells of lines without a pair.
  bool extend(std::size_t count) {
    if (count == 0) return true;
    if (--steps_left_ < 0) return false;
    const Bits tightest =
        *std::ranges::min_element(common_.begin(), common_.begin() + static_cast<std::ptrdiff_t>(count), {},
                                  [](Bits cells) { return count_bits(cells); });
    std::array<Choice, most_pairs> choices;
    const std::size_t pairs = choose(tightest, count, choices);
    std::array<Bits, MnkBoard<Bits>::max_lines> before;
    std::copy_n(common_.begin(), count, before.begin());
    const Bits used = used_;
    for (std::size_t i = 0; i < pairs && i < most_tries; ++i) {
      const Bits pair = choices[i].pair;
      std::size_t left = 0;
      for (std::size_t j = 0; j < count; ++j)
        if (pair & ~before[j]) common_[left++] = before[j] & ~pair;
      used_ = used | pair;
      if (extend(left)) return true;
      if (steps_left_ < 0) return false;
    }
    std::copy_n(before.begin(), count, common_.begin());
    used_ = used;
    return false;
  }

  /// The pairs of a line, the best ones first, without those that leave another line no pair.
  std::size_t choose(Bits line, std::size_t count, std::array<Choice, most_pairs>& choices) const {
    std::size_t pairs = 0;
    for (Bits first = line; first; first &= first - 1)
      for (Bits second = first & (first - 1); second && pairs < most_pairs; second &= second - 1) {
        const Bits pair = lowest_of(first) | lowest_of(second);
        if (const int rank = rank_of(pair, count); rank > impossible) choices[pairs++] = {rank, pair};
      }
    std::ranges::sort(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(pairs),
                      std::ranges::greater(), &Choice::rank);
    return pairs;
  }
  int rank_of(Bits pair, std::size_t count) const {
    int rank = 2 * count_bits(pair & ~avoid_);
    for (std::size_t i = 0; i < count; ++i) {
      const Bits shared = common_[i] & pair;
      if (!shared) continue;
      if (shared == pair) {
        rank += 12;
        continue;
      }
      const int left = count_bits(common_[i]) - 1;
      if (left < 2) return impossible;
      rank -= left == 2 ? 9 : left == 3 ? 3 : 1;
    }
    return rank;
  }
  static constexpr int impossible = std::numeric_limits<int>::min();

  const OpenLines<Bits>& lines_;
  const Bits avoid_;
  std::size_t groups_ = 0;
  std::array<Bits, MnkBoard<Bits>::max_lines> common_;  // by group; in the search by line
  std::array<Bits, MnkBoard<Bits>::max_lines> taken_;   // by group
  std::array<std::uint16_t, static_cast<std::size_t>(MnkBoard<Bits>::max_cells)> owner_;
  Bits used_ = 0, visited_ = 0;
  int steps_left_ = 0;
};

}  // namespace mossa
