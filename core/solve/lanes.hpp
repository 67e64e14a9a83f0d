// Several boards side by side: the same question asked of all moves of a position at once.
//
// `Lanes<Bits>::Set` is a register of `count` boards where the compiler has such types and a board fits
// 64 bits, else one board; the operators & | ^ ~ << >> + - work on each board by itself.
//
// The solver is compiled twice on x86-64: for every processor, and for those with AVX2, where four boards
// are one instruction (connect_avx2.cpp). What is compiled twice lives in the namespace MOSSA_ISA, so that
// the linker does not take one for the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "bits.hpp"

#ifndef MOSSA_ISA
#define MOSSA_ISA baseline
#endif
// Set by connect_avx2.cpp too: there the compiler's own macro comes too late, after all has been read.
#ifdef __AVX2__
#define MOSSA_AVX2
#endif

#ifdef __GNUC__
#define MOSSA_INLINE [[gnu::always_inline]] inline
#define MOSSA_NOINLINE [[gnu::noinline]]
#else
#define MOSSA_INLINE inline
#define MOSSA_NOINLINE
#endif

namespace mossa::MOSSA_ISA {

template <class Bits>
struct Lanes {
  using Set = Bits;
  static constexpr std::size_t count = 1;
  static Set load(const Bits* from) { return *from; }
  static void store(Bits* to, Set set) { *to = set; }
  /// All bits of the boards that have none, no bits of the others.
  static Set none(Set set) { return set ? Bits{0} : static_cast<Bits>(~Bits{0}); }
  static bool any(Set set) { return set != 0; }
  /// Bit i if board i has bits.
  static unsigned which(Set set) { return set != 0; }
  static Bits at(Set set, std::size_t) { return set; }
};

#ifdef __GNUC__
template <>
struct Lanes<std::uint64_t> {
  using Set [[gnu::vector_size(32)]] = std::uint64_t;
  static constexpr std::size_t count = 4;
  MOSSA_INLINE static Set load(const std::uint64_t* from) {
    Set set;
    std::memcpy(&set, from, sizeof set);
    return set;
  }
  MOSSA_INLINE static void store(std::uint64_t* to, Set set) { std::memcpy(to, &set, sizeof set); }
  MOSSA_INLINE static Set none(Set set) { return Set(set == 0); }
  MOSSA_INLINE static bool any(Set set) {
#ifdef MOSSA_AVX2
    using Signed [[gnu::vector_size(32)]] = long long;
    return !__builtin_ia32_ptestz256(Signed(set), Signed(set));
#else
    return (set[0] | set[1] | set[2] | set[3]) != 0;
#endif
  }
  MOSSA_INLINE static unsigned which(Set set) {
#ifdef MOSSA_AVX2
    using Doubles [[gnu::vector_size(32)]] = double;  // the instruction looks at their sign bits
    return static_cast<unsigned>(__builtin_ia32_movmskpd256(Doubles(Set(set != 0))));
#else
    return (set[0] != 0) | (set[1] != 0) << 1 | (set[2] != 0) << 2 | (set[3] != 0) << 3;
#endif
  }
  MOSSA_INLINE static std::uint64_t at(Set set, std::size_t i) { return set[i]; }
};
#endif

}  // namespace mossa::MOSSA_ISA
