// A small fast generator of random numbers (SplitMix64): the same seed gives the same numbers on every
// machine, which std::uniform_int_distribution does not promise.
#pragma once

#include "table.hpp"

namespace mossa {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15ULL); }
  /// 0 to n - 1, all alike (Lemire's multiplication; the bias of 2^-32 does not matter here).
  int below(int n) { return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(n) >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace mossa
