// Kernels that compute the size, box and centroid of each cluster.
#pragma once
#include <heddle/cluster/device_cells.cuh>
#include <heddle/cluster/result.hpp>
#include <heddle/core/operators.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster {

// A description of a cluster's points, core and border, in device memory.
template <typename T, int axes>
struct device_statistics {
  std::uint32_t size;
  // Off by at most 2^-32 of the box, and the same on every run.
  double centroid[axes];
  T low[axes];
  T high[axes];
};

namespace detail {

// Integer sums, which do not depend on the order of the additions: each point's distance from the
// low side of its cluster's box, in units of 2^-32 of the box. So 2^31 points sum to less than
// 2^64.
template <typename T, int axes>
struct device_description {
  device_statistics<T, axes>* clusters;
  std::uint64_t* sums;  // one for each axis of each cluster
};

// Half the length of a box, so that it never overflows to infinity.
template <typename T, int axes>
[[nodiscard]] __device__ inline double half_length(const device_statistics<T, axes>& cluster,
                                                   int axis) {
  return static_cast<double>(cluster.high[axis]) / 2 - static_cast<double>(cluster.low[axis]) / 2;
}

template <typename T, int axes>
__global__ void begin_description(device_cells<T, axes> all, device_description<T, axes> result) {
  device::detail::start_in_stream_order();
  const std::uint32_t clusters = *all.clusters;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < clusters;
       i += gridDim.x * blockDim.x) {
    device_statistics<T, axes>& mine = result.clusters[i];
    mine.size = 0;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      mine.low[axis] = identity<minimum, T>();
      mine.high[axis] = identity<maximum, T>();
      result.sums[i * std::uint64_t{axes} + static_cast<unsigned>(axis)] = 0;
    }
  }
}

// Calls visit(cluster, point, members) for each point that is in a cluster; `members` are the lanes
// of the warp that call it. Points of a cell are consecutive, so most lanes of a warp have the same
// cluster.
template <typename T, int axes, typename Visit>
__device__ inline void for_each_member(const device_cells<T, axes>& all, Visit&& visit) {
  const std::uint32_t places = all.tally->places;
  for (std::uint32_t first = warp_of_grid() * warp_size; first < places;
       first += warps_of_grid() * warp_size) {
    const std::uint32_t place = first + static_cast<std::uint32_t>(lane_id());
    const std::int32_t label = place < places ? all.labels[all.numbers[place]] : noise;
    const lane_mask members = warp::ballot(label != noise);
    if (label != noise) visit(static_cast<std::uint32_t>(label), all.at(place), members);
  }
}

template <typename T, int axes>
__global__ void measure_clusters(device_cells<T, axes> all, device_description<T, axes> result) {
  device::detail::start_in_stream_order();
  for_each_member(all, [&](std::uint32_t cluster, const device_point<T, axes>& point,
                           lane_mask members) {
    device_statistics<T, axes>& mine = result.clusters[cluster];
    warp::aggregated_update_without_result(&mine.size, std::uint32_t{1}, plus{}, members);
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      warp::aggregated_update_without_result(&mine.low[axis], point.at[axis], minimum{}, members);
      warp::aggregated_update_without_result(&mine.high[axis], point.at[axis], maximum{}, members);
    }
  });
}

template <typename T, int axes>
__global__ void add_up_clusters(device_cells<T, axes> all, device_description<T, axes> result) {
  device::detail::start_in_stream_order();
  for_each_member(
      all, [&](std::uint32_t cluster, const device_point<T, axes>& point, lane_mask members) {
        const device_statistics<T, axes>& mine = result.clusters[cluster];
#pragma unroll
        for (int axis = 0; axis < axes; ++axis) {
          const double length = half_length(mine, axis);
          const double from_low =
              static_cast<double>(point.at[axis]) / 2 - static_cast<double>(mine.low[axis]) / 2;
          const double share = length > 0 ? from_low / length : 0;
          std::uint64_t* const sum =
              &result.sums[cluster * std::uint64_t{axes} + static_cast<unsigned>(axis)];
          warp::aggregated_update_without_result(
              sum, static_cast<std::uint64_t>(__double2ull_rn(share * 0x1p32)), plus{}, members);
        }
      });
}

template <typename T, int axes>
__global__ void end_description(device_cells<T, axes> all, device_description<T, axes> result) {
  device::detail::start_in_stream_order();
  const std::uint32_t clusters = *all.clusters;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < clusters;
       i += gridDim.x * blockDim.x) {
    device_statistics<T, axes>& mine = result.clusters[i];
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const auto sum =
          static_cast<double>(result.sums[i * std::uint64_t{axes} + static_cast<unsigned>(axis)]);
      const double share = sum / mine.size * 0x1p-32;
      mine.centroid[axis] =
          static_cast<double>(mine.low[axis]) + 2 * (share * half_length(mine, axis));
    }
  }
}

}  // namespace detail
}  // namespace heddle::cluster
