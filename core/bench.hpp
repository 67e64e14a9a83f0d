// The signature of the engine: fixed work whose node count changes only when the rules or a search do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "types.hpp"

namespace mossa {

struct BenchRow {
  std::string work;  // "perft connect:6x7x4 depth 8"
  std::uint64_t nodes = 0;
  double time = 0;  // seconds
};

/// Runs the fixed work; the sum of the nodes is the signature.
std::vector<BenchRow> bench(const Poll& poll);

}  // namespace mossa
