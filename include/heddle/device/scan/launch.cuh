// Chooses and launches the kernel of a scan.
#pragma once
#include <heddle/core/architecture.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/kernel/look_back.cuh>
#include <heddle/device/scan/pipeline.cuh>
#include <heddle/device/scan/plain.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::device::detail {

// Names the kept memory in which tiles look back.
struct scan_memory {};

// Tiles of 20 KiB, ten in flight. With small elements there are more of them, so more warps reduce.
// Items of two words, which includes all with marks, take two words to publish and to read: tiles
// are twice as large, and more warps look back.
template <typename Problem>
using scan_setting_of = std::conditional_t<
    (sizeof(typename Problem::value) < 4), pipeline_setting<10, 64, 10, 5, 3>,
    std::conditional_t<(sizeof(typename Problem::item) > 4), pipeline_setting<10, 128, 5, 5, 3>,
                       pipeline_setting<10, 64, 10, 2, 2>>>;

// How short inputs are divided; each block scans one tile.
//   warps       per block
//   lane_bytes  of input per lane
template <int warps_of_tile, int bytes_of_lane>
struct at_once_setting {
  static constexpr int warps = warps_of_tile;
  static constexpr int lane_bytes = bytes_of_lane;
};
// 8 KiB while there is a multiprocessor for each tile; above that, as much as registers hold.
using short_scan_setting = at_once_setting<8, 32>;
template <typename Problem>
using medium_scan_setting = at_once_setting<8, (sizeof(typename Problem::value) < 4 ? 64 : 128)>;

// The element type of what can be read with input[index].
template <typename Input>
using element_of = std::remove_cvref_t<decltype(std::declval<const Input&>()[std::int64_t{}])>;

// A value with all bits zero, for places where the value does not matter.
template <typename T>
[[nodiscard]] T zero_bits() {
  T value;
  std::memset(static_cast<void*>(&value), 0, sizeof(T));
  return value;
}

// Launches a kernel that begins with start_in_stream_order().
template <typename Problem, typename... Parameters>
void launch_blocks(workspace& work, void (*kernel)(Parameters...), int threads, int shared_bytes,
                   const Problem& problem, std::uint32_t tiles, source_location where) {
  using board = look_back_board<typename Problem::item>;
  const int resident =
      work.resident_blocks(kernel, threads, static_cast<std::size_t>(shared_bytes), where);
  const std::uint32_t blocks = std::min(tiles, static_cast<std::uint32_t>(resident));
  launch(work, {static_cast<int>(blocks), threads, 1, true, shared_bytes, where}, kernel, problem,
         board(work.kept<scan_memory>(board::bytes_for(tiles), where), tiles));
}

template <typename Problem, typename Shape>
[[nodiscard]] std::uint32_t tiles_of(const Problem& problem, source_location where) {
  const std::int64_t tiles = (problem.count + Shape::tile_items - 1) / Shape::tile_items;
  // Every block takes one tile past the end.
  if (tiles > std::int64_t{1} << 31) {
    throw error(cudaErrorInvalidValue, "a scan of so many elements is not supported", where);
  }
  return static_cast<std::uint32_t>(tiles);
}

template <typename Setting, typename Problem>
void scan_plainly(workspace& work, const Problem& problem,
                  source_location where = source_location::current()) {
  using shape = shape_of<Problem, Setting::warps, Setting::lane_bytes>;
  launch_blocks(work, &scan_in_registers<Problem, Setting::warps, Setting::lane_bytes>,
                Setting::warps * warp_size, 0, problem, tiles_of<Problem, shape>(problem, where),
                where);
}

// Returns true if it launched. Needs pointers, a GPU with bulk copies, and enough shared memory.
template <typename Setting, typename Problem>
[[nodiscard]] bool scan_by_pipeline(workspace& work, const Problem& problem,
                                    source_location where = source_location::current()) {
  constexpr bool marks_are_contiguous =
      !Problem::has_marks || std::is_pointer_v<decltype(problem.marks)>;
  if constexpr (std::is_pointer_v<decltype(problem.values)> && marks_are_contiguous) {
    using parts = pipeline<Problem, Setting>;
    auto* const kernel = &scan_in_pipeline<Problem, Setting>;
    constexpr std::size_t shared_bytes = parts::shared_bytes + sizeof(typename parts::shared_state);
    if (work.facts().shared_bytes_per_block < shared_bytes ||
        !work.facts().has(feature::bulk_copy) ||
        work.architecture_of(kernel, where) < first_architecture_with<feature::bulk_copy>) {
      return false;
    }
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize, parts::shared_bytes),
          where);
    if (work.resident_blocks(kernel, parts::threads, parts::shared_bytes, where) == 0) return false;
    launch_blocks(work, kernel, parts::threads, parts::shared_bytes, problem,
                  tiles_of<Problem, typename parts::shape>(problem, where), where);
    return true;
  } else {
    return false;
  }
}

// Returns true if it launched. Needs at most one window of tiles, whose blocks all fit on the
// device.
template <typename Setting, typename Problem>
[[nodiscard]] bool scan_short(workspace& work, const Problem& problem,
                              source_location where = source_location::current(),
                              int most_tiles = window_tiles<typename Problem::item>) {
  using shape = shape_of<Problem, Setting::warps, Setting::lane_bytes>;
  using board = look_back_board<typename Problem::item>;
  constexpr int threads = Setting::warps * warp_size;
  auto* const kernel = &scan_at_once<Problem, Setting::warps, Setting::lane_bytes>;
  most_tiles = std::min(most_tiles, window_tiles<typename Problem::item>);
  if (problem.count > std::int64_t{shape::tile_items} * most_tiles) return false;
  const std::uint32_t tiles = tiles_of<Problem, shape>(problem, where);
  const bool is_alone = tiles == 1;
  if (!is_alone &&
      tiles > static_cast<std::uint32_t>(work.resident_blocks(kernel, threads, 0, where))) {
    return false;
  }
  std::byte* const memory =
      is_alone ? nullptr : work.kept<scan_memory>(board::bytes_for(tiles), where);
  launch(work, {static_cast<int>(tiles), threads, 1, true, 0, where}, kernel, problem,
         board(memory, tiles));
  return true;
}

// The pipeline and the plain kernel use the same tiles, so their results have the same bits.
template <typename Problem>
void launch_scan(workspace& work, const Problem& problem,
                 source_location where = source_location::current()) {
  using setting = scan_setting_of<Problem>;
  if (problem.count < 0)
    throw error(cudaErrorInvalidValue, "a scan needs a count of 0 or more", where);
  if (problem.count == 0) return;
  if (scan_short<short_scan_setting>(work, problem, where, work.multiprocessors())) return;
  if (scan_short<medium_scan_setting<Problem>>(work, problem, where)) return;
  if (!scan_by_pipeline<setting>(work, problem, where)) scan_plainly<setting>(work, problem, where);
}

}  // namespace heddle::device::detail
