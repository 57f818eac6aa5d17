// clangd includes this before a .cu file, because it parses CUDA by clang's own rules, without the
// frontend.
#pragma once
#if defined(__CUDA__) && defined(__clang__)

// The macros that `heddle cc` defines for its compiler.
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define HEDDLE_CHECK_PRECONDITIONS 1

// Kernels call functions without CUDA markers: those of the C library and of the stand-in headers.
// The pragmas make them host and device functions. The C++ library stays host-only except for
// constexpr functions, so everything the stand-in headers use of it is included between the two
// regions.
#include <host_defines.h>
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS 1  // C's own headers, not libstdc++'s wrappers
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end

#include <array>
#include <atomic>
#include <bit>
#include <bitset>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <ranges>
#include <ratio>
#include <source_location>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#pragma clang force_cuda_host_device begin
#include <detail/inline_ptx.h>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <dpx_functions.h>
#include <simd_functions.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/semaphore>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstring>

// What clang calls for `<<<…>>>`, with and without an installed CUDA toolkit.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                     cudaStream_t stream = nullptr);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                              cudaStream_t stream = nullptr);
#pragma clang force_cuda_host_device end

#endif
