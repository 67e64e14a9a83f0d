// Connect positions as the solver and its books see them: stones as two sets of bits, scores as one number.
//
// Scores are those of most Connect 4 solvers: n if the side to move wins with its n-th last stone, -n if it
// loses to the other side's n-th last stone, 0 for a draw.
#pragma once

#include "bits.hpp"
#include "solver.hpp"

namespace mossa {

/// A position to be solved: not over.
template <class Bits>
struct ConnectRoot {
  Bits mine, all;
  int stones() const { return count_bits(all); }
};

template <class Bits>
ConnectRoot<Bits> connect_root(const AnyPosition& position) {
  const std::vector<std::uint64_t> words = position.key();
  std::array<Bits, 2> stones{};
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t w = 0; w < std::min(sizeof(Bits) / 8, words.size() / 2); ++w)
      stones[side] |= static_cast<Bits>(words[side * words.size() / 2 + w]) << (64 * w);
  return {stones[index(position.side())], stones[0] | stones[1]};
}

/// A score with so many cells left, for people. The side to move places the first of the stones left, the
/// third, ...; the other one the second, the fourth, ...
inline Proven to_proven(int left, int score) {
  if (score == 0) return {0, left};
  const int distance = left + 2 - 2 * std::abs(score);  // or one less, whichever is the winner's move
  return {score > 0 ? 1 : -1, distance - (distance % 2 != (score > 0))};
}

/// The inverse of to_proven.
inline int to_score(int left, const Proven& proven) {
  return proven.value * ((left + 2 - *proven.distance) / 2);
}

}  // namespace mossa
