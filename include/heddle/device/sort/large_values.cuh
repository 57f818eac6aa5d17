// Sorts pairs whose values are too large to travel with their keys from pass to pass.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/sort/launch.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

struct large_values_memory;  // names the kept memory

// Neighbouring threads copy neighbouring words of a value.
template <typename Part, typename Index>
__global__ void __launch_bounds__(256)
    fetch_values_kernel(const Part* values, const Index* places, std::int64_t count, int parts,
                        Part* sorted) {
  start_in_stream_order();
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count * parts;
       i += threads) {
    const std::int64_t value = i / parts;
    sorted[i] = values[static_cast<std::int64_t>(places[value]) * parts + i % parts];
  }
}

// Sorts the keys together with their places, then fetches the value of each place.
//   Index       of a place
template <typename Tuning, typename Index, typename Word, typename Value>
void sort_by_places(workspace& workspace, const sort_request<Word, Value>& request,
                    source_location where) {
  using part =
      heddle::detail::unsigned_of<static_cast<int>(std::min<std::size_t>(alignof(Value), 8))>;
  constexpr int parts_of_value = static_cast<int>(sizeof(Value) / sizeof(part));
  const auto count = static_cast<std::size_t>(request.count);
  scratch_parts parts;
  const std::size_t places_at = parts.add(sizeof(Index) * count);
  const std::size_t copy_at = parts.add(request.values_are_in_place() ? sizeof(Value) * count : 0);
  std::byte* const memory = workspace.kept<large_values_memory>(parts.bytes(), where);
  auto* const places = reinterpret_cast<Index*>(memory + places_at);
  const auto* values = reinterpret_cast<const part*>(request.values);
  if (request.values_are_in_place()) {
    check(cudaMemcpyAsync(memory + copy_at, request.values, sizeof(Value) * count,
                          cudaMemcpyDeviceToDevice, workspace.stream()),
          where);
    values = reinterpret_cast<const part*>(memory + copy_at);
  }
  sort_words<Tuning>(
      workspace,
      sort_request<Word, Index>{request.keys, nullptr, request.count, request.sorted_keys, places,
                                request.code, request.begin_bit, request.end_bit},
      where);
  const auto kernel = &fetch_values_kernel<part, Index>;
  constexpr int threads = 256;
  const std::int64_t wanted = (request.count * parts_of_value + threads - 1) / threads;
  launch(workspace,
         {.blocks = static_cast<int>(std::clamp<std::int64_t>(
              wanted, 1, workspace.resident_blocks(kernel, threads, 0, where))),
          .threads = threads,
          .where = where},
         kernel, values, places, request.count, parts_of_value,
         reinterpret_cast<part*>(request.sorted_values));
}

}  // namespace heddle::device::detail
