// The kernels of networks for every processor, and the choice of those for this.
#include "network_kernels.hpp"

namespace mossa {

#ifdef MOSSA_AVX2_TOO
const NetworkKernels& network_kernels_avx2();  // of network_avx2.cpp
#endif

const NetworkKernels& network_kernels([[maybe_unused]] bool portable) {
#ifdef MOSSA_AVX2_TOO
  if (!portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
    return network_kernels_avx2();
#endif
  return baseline::kernels;
}

}  // namespace mossa
