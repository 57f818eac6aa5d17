// Grids whose blocks all run at once and can synchronise: their launch, and a reduction in one
// kernel.
//   strategy    all blocks are resident and synchronise at grid barriers; the reduction reduces
//               within blocks, waits at one barrier, and reduces the blocks' results
//   needs       sm_75, and a cooperative launch
#pragma once
#include <cooperative_groups.h>

#include <heddle/block/reduce.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace heddle::device {

// The shape of a cooperative launch.
struct cooperative_shape {
  int threads = 256;  // per block
  std::size_t shared_bytes = 0;
  int blocks = 0;                                      // 0: as many as are resident at once
  source_location where = source_location::current();  // named in errors
};

namespace detail {

[[nodiscard]] inline std::string words_for(const cooperative_shape& shape) {
  return "blocks of " + std::to_string(shape.threads) + " threads and " +
         std::to_string(shape.shared_bytes) + " bytes of dynamic shared memory";
}

// Raises a kernel's shared-memory limit. Never lowers it: a captured graph may hold another launch.
template <typename... Parameters>
void allow_shared_bytes(void (*kernel)(Parameters...), std::size_t bytes, std::size_t most,
                        source_location where) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (bytes <= without_asking) return;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), where);
  if (static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes) >= bytes) return;
  if (attributes.sharedSizeBytes + bytes > most) {
    throw error(cudaErrorInvalidConfiguration,
                "the kernel has " + std::to_string(attributes.sharedSizeBytes) +
                    " bytes of shared memory of its own, so that a block cannot have " +
                    std::to_string(bytes) + " more of the device's " + std::to_string(most),
                where);
  }
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        where);
}

// Needed because workspace::resident_blocks() never returns less than 1.
template <typename... Parameters>
[[nodiscard]] bool fits_no_block(void (*kernel)(Parameters...), const cooperative_shape& shape,
                                 source_location where) {
  int per_multiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, shape.threads,
                                                      shape.shared_bytes),
        where);
  return per_multiprocessor == 0;
}

}  // namespace detail

// How many blocks of a kernel are resident at once, and hence can synchronise. Throws heddle::error
// if not even one fits, naming what is too large, or if the device has no cooperative launch.
//   shape       its `blocks` are ignored
//   cost        one driver query per kernel and shape; in every call also one about the device, and
//               one about the kernel for more than 48 KB of shared memory
template <typename... Parameters>
[[nodiscard]] int cooperative_blocks(workspace& workspace, const cooperative_shape& shape,
                                     void (*kernel)(Parameters...),
                                     source_location where = source_location::current()) {
  const device_facts& facts = workspace.facts();
  const std::string device = heddle::detail::words_for(facts);
  int has_cooperative_launch = 0;
  check(cudaDeviceGetAttribute(&has_cooperative_launch, cudaDevAttrCooperativeLaunch, facts.device),
        where);
  if (has_cooperative_launch == 0) {
    throw error(cudaErrorNotSupported, device + " has no cooperative launches", where);
  }
  constexpr int most_threads = 1024;
  if (shape.threads < 1 || shape.threads > most_threads) {
    throw error(cudaErrorInvalidConfiguration,
                "a block has 1 to 1024 threads, and not " + std::to_string(shape.threads), where);
  }
  if (shape.shared_bytes > facts.shared_bytes_per_block) {
    throw error(cudaErrorInvalidConfiguration,
                device + " gives a block at most " + std::to_string(facts.shared_bytes_per_block) +
                    " bytes of shared memory, and not " + std::to_string(shape.shared_bytes),
                where);
  }
  detail::allow_shared_bytes(kernel, shape.shared_bytes, facts.shared_bytes_per_block, where);
  const int blocks = workspace.resident_blocks(kernel, shape.threads, shape.shared_bytes, where);
  if (blocks == 1 && detail::fits_no_block(kernel, shape, where)) {
    throw error(cudaErrorCooperativeLaunchTooLarge,
                device + " has no room for " + detail::words_for(shape) +
                    " of this kernel: take fewer threads or bytes, or bound the kernel's registers",
                where);
  }
  return blocks;
}

// Launches a one-dimensional grid whose blocks are all resident at once, in the workspace's stream,
// so that its kernel may call cooperative_groups::this_grid().sync(). If it cannot, throws
// heddle::error, which says what would fit.
//   result      how many blocks the grid has
//   cost        one launch; see cooperative_blocks()
template <typename... Parameters, typename... Arguments>
int launch_cooperative(workspace& workspace, const cooperative_shape& shape,
                       void (*kernel)(Parameters...), Arguments&&... arguments) {
  const int most = cooperative_blocks(workspace, shape, kernel, shape.where);
  if (shape.blocks < 0 || shape.blocks > most) {
    throw error(cudaErrorCooperativeLaunchTooLarge,
                "of " + std::to_string(shape.blocks) + " " + detail::words_for(shape) + " only " +
                    std::to_string(most) + " run at once on " +
                    heddle::detail::words_for(workspace.facts()) +
                    ", and blocks that meet must all run",
                shape.where);
  }
  const int blocks = shape.blocks == 0 ? most : shape.blocks;
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = workspace.stream();
  config.attrs = &together;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, Parameters(std::forward<Arguments>(arguments))...),
        shape.where);
  return blocks;
}

// Combines the values of all threads of a one-dimensional cooperative grid.
//   called by   every thread of every block
//   result in   every thread, bit for bit the same
//   op          associative, with an identity; need not commute: values are combined in the order
//               of blocks, and of threads within them
//   scratch     may be reused at once
//   partials    one per block, in global memory; may be reused after the next grid barrier
//   cost        one grid barrier; two block::reduce(), the second repeated in every block
template <exchangeable T, combines<T> Op, int threads>
requires has_identity<Op, T>
[[nodiscard]] __device__ T reduce_over_grid(T value, Op op, block::scratch<T, threads>& scratch,
                                            T* partials) {
  const T own = block::reduce_to_first(value, op, scratch);
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
  cooperative_groups::this_grid().sync();
  // Each thread takes neighbouring partials, which keeps their order.
  const unsigned share = (gridDim.x + blockDim.x - 1) / blockDim.x;
  const unsigned first = threadIdx.x * share;
  T mine = identity<Op, T>();
  for (unsigned i = first; i < gridDim.x && i < first + share; ++i) mine = op(mine, partials[i]);
  return block::reduce(mine, op, scratch);
}

namespace detail {

inline constexpr int grid_reduce_threads = 256;
inline constexpr int grid_reduce_in_flight = 4;

template <typename Input, typename T, typename Op>
__global__ void __launch_bounds__(grid_reduce_threads)
    grid_reduce_kernel(Input input, division divided, Op op, carried<T, Op>* partials, T* result) {
  using value = carried<T, Op>;
  __shared__ block::scratch<value, grid_reduce_threads> scratch;
  value mine = identity<Op, value>();
  gather<loads_in_flight<Input, grid_reduce_in_flight>, caching::normal>(
      input, divided,
      [&](const auto& values, std::uint32_t, bool is_there) {
        if (!is_there) return;
#pragma unroll
        for (int i = 0; i < loaded<Input>::length; ++i) {
          mine = op(mine, static_cast<value>(values[i]));
        }
      },
      [&](const auto& element, std::int64_t) { mine = op(mine, static_cast<value>(element)); });
  const value all = reduce_over_grid(mine, op, scratch, partials);
  if (blockIdx.x == 0 && threadIdx.x == 0) *result = static_cast<T>(all);
}

}  // namespace detail

// Reduces a range in one kernel with one grid barrier: partial results of blocks, the barrier, the
// final result. reduce() does the same without the barrier, and faster; this is the plain pattern,
// for kernels that need a grid barrier anyway.
//   called by   a host thread; runs in the workspace's stream, in one cooperative launch
//   result      in device memory, written once; the identity for an empty range
//   op          associative and commuting, with an identity
//   order       fixed for a given count, device and input address modulo 16
template <readable Input, exchangeable T, combines<T> Op = plus>
void grid_reduce(workspace& workspace, const Input& input, std::int64_t count, T* result,
                 Op op = {}, source_location where = source_location::current()) {
  using value = carried<T, Op>;
  static_assert(has_identity<Op, value>, "grid_reduce needs an operator with an identity");
  static_assert(commutes<Op, value>, "grid_reduce needs an operator that commutes");
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  const auto kernel = &detail::grid_reduce_kernel<Input, T, Op>;
  constexpr int in_flight = detail::loads_in_flight<Input, detail::grid_reduce_in_flight>;
  cooperative_shape shape{detail::grid_reduce_threads, 0, 0, where};
  detail::division divided = detail::divide(input, count);
  const std::int64_t loads = std::max(divided.loads, divided.loose());
  const std::int64_t wanted = (loads + shape.threads - 1) / shape.threads;
  shape.blocks = static_cast<int>(
      std::clamp<std::int64_t>(wanted, 1, cooperative_blocks(workspace, shape, kernel, where)));
  detail::count_rounds<in_flight>(divided, std::int64_t{shape.blocks} * shape.threads);
  auto* const partials = reinterpret_cast<value*>(
      workspace.scratch(static_cast<std::size_t>(shape.blocks) * sizeof(value), where));
  launch_cooperative(workspace, shape, kernel, input, divided, op, partials, result);
}

}  // namespace heddle::device
