// Boards of sowing games for solvers and tables: all pits in one word, from the view of the side to move.
//
// The mover's pits come first, from its left, then the other side's; each has a lane of bits. Stores are not
// on the board: the rest of a game does not depend on them, so solvers look for the margin still to come.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "../handles.hpp"
#include "bits.hpp"

namespace mossa {

/// The number of ways to choose `k` of `n`.
constexpr std::uint64_t binomial(int n, int k) {
  std::uint64_t result = 1;
  for (int i = 1; i <= k; ++i)
    result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
  return k <= n ? result : 0;
}

/// `FixedPits` are the pits of a side where they are known when this is compiled.
template <class Bits, int FixedPits = 0>
class PitBoard {
 public:
  static constexpr int most_pits = FixedPits ? FixedPits : 12;
  /// The most seeds of a numbered board.
  static constexpr int most_numbered = 31;

  /// A pit can hold `most` seeds, if `lanes` such lanes have room; else as many as its share of the word.
  PitBoard(int pits, int most, int lanes) : pits_(pits), lane_bits_(lane_bits_of(most, lanes)) {
    for (int lane = 0; lane < 2 * pits; ++lane) {
      one_each_ |= Bits{1} << shift(lane);
      for (int seeds = 0; seeds <= most_numbered; ++seeds)
        terms_[at(lane)][at(seeds)] = binomial(seeds + lane, lane + 1);
    }
    row_ = (Bits{1} << shift(pits)) - 1;
  }

  int pits() const { return FixedPits ? FixedPits : pits_; }

  int operator()(Bits board, int lane) const { return static_cast<int>(board >> shift(lane) & lane_mask()); }
  void add(Bits& board, int lane, int seeds) const {
    board += static_cast<Bits>(static_cast<unsigned>(seeds)) << shift(lane);
  }
  /// Whether a pit can hold so many seeds.
  bool holds(int seeds) const { return static_cast<unsigned>(seeds) <= lane_mask(); }

  /// The mover's pits that are not empty: the lowest bit of their lanes.
  Bits movable(Bits board) const {
    Bits any = board;
    for (int bit = 1; bit < lane_bits(); ++bit) any |= board >> bit;
    return any & one_each_ & row_;
  }
  int pit_of(Bits lowest) const { return lowest_bit(lowest) / lane_bits(); }

  int row_seeds(Bits board) const {
    int seeds = 0;
    for (int pit = 0; pit < pits(); ++pit) seeds += (*this)(board, pit);
    return seeds;
  }

  /// The number of a board with at most `most_numbered` seeds: boards with fewer seeds come first; of two
  /// with the same row totals, the one whose seeds have moved further.
  std::uint64_t number(Bits board) const {
    const Bits sums = board * one_each_;  // of the lanes up to each
    std::uint64_t number = 0;
    for (int lane = 0; lane < 2 * pits(); ++lane) number += terms_[at(lane)][at((*this)(sums, lane))];
    return number;
  }

  /// The board that has this number.
  Bits numbered(std::uint64_t number) const {
    Bits board = 0;
    int above = 0;  // seeds up to the lane before this one, going down
    int sum = most_numbered;
    for (int lane = 2 * pits() - 1; lane >= 0; --lane) {
      while (terms_[at(lane)][at(sum)] > number) --sum;
      number -= terms_[at(lane)][at(sum)];
      if (lane < 2 * pits() - 1) add(board, lane + 1, above - sum);
      above = sum;
    }
    add(board, 0, above);
    return board;
  }

  /// The pits of a position, from the view of the side to move. Nothing if one holds too many seeds.
  std::optional<Bits> bits_of(const AnyPosition& position) const {
    const Cells cells = position.cells();
    const std::size_t mover = index(position.side());
    Bits bits = 0;
    for (int lane = 0; lane < 2 * pits(); ++lane) {
      const int seeds = cells[lane < pits() ? mover : mover ^ 1][at(lane % pits())];
      if (!holds(seeds)) return {};
      add(bits, lane, seeds);
    }
    return bits;
  }

 protected:
  static constexpr int word_bits = static_cast<int>(sizeof(Bits)) * 8;
  static constexpr int fixed_lane_bits = FixedPits ? word_bits / (2 * FixedPits) : 0;

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static int bits_of_seeds(int most) { return std::bit_width(static_cast<unsigned>(most)); }
  /// As many as all seeds need, so that keys are short, if there is room.
  static int lane_bits_of(int most, int lanes) {
    if (FixedPits) return fixed_lane_bits;
    return std::min(bits_of_seeds(most), word_bits / lanes);
  }
  int lane_bits() const { return FixedPits ? fixed_lane_bits : lane_bits_; }
  int shift(int lane) const { return lane * lane_bits(); }
  Bits lane_mask() const { return (Bits{1} << lane_bits()) - 1; }
  Bits one_each() const { return one_each_; }
  Bits row() const { return row_; }
  const auto& terms() const { return terms_; }

 private:
  int pits_, lane_bits_;
  Bits one_each_ = 0;  // 1 in every pit
  Bits row_ = 0;       // all bits of the mover's pits
  std::array<std::array<std::uint64_t, most_numbered + 1>, 2 * most_pits> terms_{};
};

}  // namespace mossa
