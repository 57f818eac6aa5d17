// The limits of a launch: extents, threads, shared memory and resident blocks.
#include "api/launch_limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <heddle_host/function.hpp>
#include <heddle_host/kernel_image.hpp>

#include "api/call.hpp"
#include "api/device_facts.hpp"
#include "api/function.hpp"

namespace heddle_host::api {
namespace {

std::uint64_t volume(dim3 extent) { return std::uint64_t{extent.x} * extent.y * extent.z; }

cudaError_t refuse_value(launch_limit which, std::uint64_t asked, std::uint64_t allowed) {
  return refuse(cudaErrorInvalidValue, exceeded_limit{which, asked, allowed});
}

}  // namespace

cudaError_t check_extents(const launch_shape& shape) {
  const dim3 grid = shape.grid;
  const dim3 block = shape.block;
  for (const unsigned side : {grid.x, grid.y, grid.z, block.x, block.y, block.z}) {
    if (side == 0) return refuse_value(launch_limit::empty, 0, 0);
  }
  const std::array<exceeded_limit, 5> limits{{
      {launch_limit::block_threads, volume(block), max_threads_per_block},
      {launch_limit::block_depth, block.z, max_block_z},
      {launch_limit::grid_width, grid.x, max_grid_x},
      {launch_limit::grid_height, grid.y, max_grid_y_or_z},
      {launch_limit::grid_depth, grid.z, max_grid_y_or_z},
  }};
  for (const exceeded_limit& one : limits) {
    if (one.asked > one.allowed) return refuse(cudaErrorInvalidValue, one);
  }
  return cudaSuccess;
}

cudaError_t check_resources(const launch_request& request) {
  const kernel_image& kernel = *request.kernel;
  const std::size_t shared = request.dynamic_shared_bytes;
  const std::size_t most_shared = most_dynamic_shared_bytes(kernel);
  if (shared > most_shared) {
    const std::size_t own = static_shared_bytes_of(kernel);
    const std::size_t most_on_request =
        shared_per_block_optin - std::min(own, shared_per_block_optin);
    const bool may_have_more = shared <= most_on_request;
    return refuse_value(
        may_have_more ? launch_limit::chosen_shared_memory : launch_limit::shared_memory, shared,
        may_have_more ? most_shared : most_on_request);
  }
  const std::uint64_t threads = volume(request.block);
  const auto most_threads = static_cast<std::uint64_t>(block_limit(kernel));
  if (threads > most_threads) {
    return refuse_value(launch_limit::launch_bounds, threads, most_threads);
  }
  if (!request.is_cooperative) return cudaSuccess;
  const auto per_multiprocessor = static_cast<std::uint64_t>(occupancy(kernel, threads, shared));
  const std::uint64_t resident = per_multiprocessor * static_cast<std::uint64_t>(multiprocessors());
  const std::uint64_t blocks = volume(request.grid);
  if (blocks <= resident) return cudaSuccess;
  return refuse(cudaErrorCooperativeLaunchTooLarge,
                exceeded_limit{launch_limit::resident_blocks, blocks, resident});
}

}  // namespace heddle_host::api
