// The kernels of networks once more, for x86-64 processors with AVX2 (most since 2013).
//
// The pragma must reach what is in the namespace MOSSA_ISA and nothing else: code that other files compile
// too could be linked from here, and would stop older processors. So every other header is included first.
#include "network.hpp"

#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#define MOSSA_ISA avx2
#include "network_kernels.hpp"

namespace mossa {

const NetworkKernels& network_kernels_avx2() { return avx2::kernels; }

}  // namespace mossa
