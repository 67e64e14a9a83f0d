// The place of the n-th set bit of a word: how a random one of many moves is found without listing them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace mossa {

/// The place of every set bit of a byte, in order.
inline constexpr auto nth_bits_of_byte = [] {
  std::array<std::array<std::uint8_t, 8>, 256> places{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t bit = 0, n = 0; bit < 8; ++bit)
      if (byte >> bit & 1) places[byte][n++] = static_cast<std::uint8_t>(bit);
  return places;
}();

/// The place of the set bit that comes after `n` others; there must be one. No branch: it would depend on
/// chance. (Vigna 2008, "Broadword implementation of rank/select queries".)
constexpr int nth_bit(std::uint64_t word, int n) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;
  std::uint64_t counts = word - (word >> 1 & 0x5555555555555555);  // of every two bits, four, eight
  counts = (counts & 0x3333333333333333) + (counts >> 2 & 0x3333333333333333);
  counts = (counts + (counts >> 4)) & 0x0F0F0F0F0F0F0F0F;
  const std::uint64_t sums = counts * ones;  // in every byte: the set bits up to its end
  // The top bit of a byte stays if its sum is at most n: the bit lies above it.
  const int bytes = std::popcount(((static_cast<std::uint64_t>(n) * ones | tops) - sums) & tops);
  const std::uint64_t below = sums << 8 >> (8 * bytes) & 0xFF;
  const std::uint64_t byte = word >> (8 * bytes) & 0xFF;
  return 8 * bytes + nth_bits_of_byte[byte][static_cast<std::size_t>(n) - below];
}

}  // namespace mossa
