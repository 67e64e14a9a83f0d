// The connect solver once more, for x86-64 processors with AVX2 (most since 2013): see lanes.hpp.
//
// The pragma must reach what is in the namespace MOSSA_ISA and nothing else: code that other files compile
// too could be linked from here, and would stop older processors. So every other header is included first.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include "../busy.hpp"
#include "../exclusive.hpp"
#include "../table.hpp"
#include "bits.hpp"
#include "book.hpp"
#include "findings.hpp"
#include "zeroed_memory.hpp"

#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#define MOSSA_ISA avx2
#define MOSSA_AVX2
#include "connect.hpp"

namespace mossa {

std::unique_ptr<AnySolver> make_connect_solver_avx2(std::shared_ptr<const AnyGame> game,
                                                    const SolverSettings& settings) {
  return avx2::make_narrow_connect_solver(std::move(game), settings);
}

}  // namespace mossa
