// Whole boards in one machine word, or two: what the solvers compute with.
//
// BitSet (bitboard.hpp) holds boards of any size; a solver also needs sums of boards (a stone dropped
// into every column at once is an addition), and those are native up to 128 bits.
#pragma once

#include <bit>
#include <cstdint>

namespace mossa {

#ifdef __SIZEOF_INT128__
#define MOSSA_HAS_WIDE_BITS
__extension__ using WideBits = unsigned __int128;

constexpr int count_bits(WideBits bits) {
  return std::popcount(static_cast<std::uint64_t>(bits)) +
         std::popcount(static_cast<std::uint64_t>(bits >> 64));
}
constexpr int lowest_bit(WideBits bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(bits >> 64));
}
#endif

constexpr int count_bits(std::uint64_t bits) { return std::popcount(bits); }
constexpr int lowest_bit(std::uint64_t bits) { return std::countr_zero(bits); }

template <class Bits>
constexpr Bits lowest_of(Bits bits) {
  return bits & (~bits + 1);
}
template <class Bits>
constexpr bool at_most_one(Bits bits) {
  return (bits & (bits - 1)) == 0;
}

}  // namespace mossa
