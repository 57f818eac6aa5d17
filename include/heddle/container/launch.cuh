// Launches the kernels by which containers process their memory.
#pragma once
#include <heddle/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heddle::container::detail {

// The block size that launch_for_each() uses.
inline constexpr unsigned launched_threads = 256;

// Launches a kernel with one thread per item, but at most 2^22 blocks: beyond that the kernel must
// loop. Throws heddle::error if CUDA refuses the launch.
template <typename... Parameters, typename... Arguments>
void launch_for_each(std::size_t items, cudaStream_t stream, source_location where,
                     void (*kernel)(Parameters...), Arguments&&... arguments) {
  constexpr std::size_t threads = launched_threads, most_blocks = 1u << 22;
  cudaLaunchConfig_t config{};
  config.gridDim =
      dim3(static_cast<unsigned>(std::min((items + threads - 1) / threads, most_blocks)));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, kernel, Parameters(std::forward<Arguments>(arguments))...),
        where);
}

}  // namespace heddle::container::detail
