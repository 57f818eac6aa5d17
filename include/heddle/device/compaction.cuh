// What algorithms have in common that read a range tile by tile and write fewer elements than they
// read.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/vector_access.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/launch.cuh>
#include <heddle/device/look_back.cuh>
#include <heddle/device/scan_tile.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::device::detail {

// How a block holds a tile: a lane has `vector` neighbours of each row, the lanes of a warp make a
// row, a warp has `rows` rows one after the other, and so have the warps.
//   bytes         of the largest element that is read
//   all_bytes     of all that a lane keeps of one element
template <int bytes, int all_bytes, int lane_bytes, int threads_of_block>
struct compaction_shape {
  static constexpr int threads = threads_of_block;
  static constexpr int warps = threads / warp_size;
  static constexpr int wanted = lane_bytes / all_bytes > 1 ? lane_bytes / all_bytes : 1;
  static constexpr int neighbours = bytes <= 1   ? 16
                                    : bytes <= 2 ? 8
                                    : bytes <= 4 ? 4
                                    : bytes <= 8 ? 2
                                                 : 1;
  static constexpr int vector = neighbours < 8 ? neighbours : 8;
  static constexpr int rows = wanted / vector >= 4 ? 4 : wanted / vector >= 2 ? 2 : 1;
  static constexpr int row_items = vector * warp_size;
  static constexpr int warp_items = rows * row_items;
  static constexpr int tile_items = warps * warp_items;
};

template <int bytes>
using word_of_bytes = std::conditional_t<
    bytes == 16, uint4,
    std::conditional_t<bytes == 8, uint2,
                       std::conditional_t<bytes == 4, std::uint32_t, std::uint16_t>>>;

// The elements of a lane, from the warp's first on. Behind the end of the input stands the last
// element, again and again.
//   count       more than 0
template <typename Shape, typename Input>
__device__ inline void load_lane(const Input& input, std::int64_t first, std::int64_t count,
                                 element_of<Input> (&values)[Shape::rows][Shape::vector]) {
  using element = element_of<Input>;
  constexpr int bytes = Shape::vector * static_cast<int>(sizeof(element));
  if constexpr (std::is_pointer_v<Input> &&
                (bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16)) {
    using word = word_of_bytes<bytes>;
    if (first + Shape::warp_items <= count &&
        reinterpret_cast<std::uintptr_t>(input) % bytes == 0) {
      const auto* const mine =
          reinterpret_cast<const word*>(input + first + lane_id() * Shape::vector);
      word loaded[Shape::rows];
#pragma unroll
      for (int row = 0; row < Shape::rows; ++row) {
        loaded[row] = mine[row * warp_size];
      }
#pragma unroll
      for (int row = 0; row < Shape::rows; ++row) {
        std::memcpy(static_cast<void*>(values[row]), &loaded[row], bytes);
      }
      return;
    }
  }
  // The last element, counted from the warp's first: at most one tile before it.
  const int last =
      first + Shape::warp_items < count ? Shape::warp_items : static_cast<int>(count - 1 - first);
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      const int wanted = row * Shape::row_items + lane_id() * Shape::vector + i;
      values[row][i] = input[first + (wanted < last ? wanted : last)];
    }
  }
}

// How many marked elements stand before each lane's first one of each row, in its warp.
struct lane_ranks {
  std::uint64_t before;  // 16 bits for each row
  int total;             // of the warp

  [[nodiscard]] __device__ int of_row(int row) const {
    return static_cast<int>(before >> 16 * row & 0xffffu);
  }
};

//   called by   every lane of the warp
//   marks       bit i of marks[row] is for the i-th element of the lane in that row
//   cost        ten shuffles and two, for up to four rows
template <int rows>
[[nodiscard]] __device__ inline lane_ranks rank_lanes(const std::uint32_t (&marks)[rows]) {
  static_assert(rows <= 4, "16 bits of 64 count a row");
  std::uint64_t counts = 0;
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    counts |= static_cast<std::uint64_t>(__popc(static_cast<int>(marks[row]))) << 16 * row;
  }
  const std::uint64_t up_to = warp::detail::scan_up<warp_size>(all_lanes, counts, plus{});
  const std::uint64_t totals = shuffle(all_lanes, up_to, warp_size - 1);
  // Rows begin where the rows before them end.
  std::uint64_t starts = 0;
  std::uint64_t sum = 0;
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    starts |= sum << 16 * row;
    sum += totals >> 16 * row & 0xffffu;
  }
  return {up_to - counts + starts, static_cast<int>(sum)};
}

// What the warps of a block hand to each other in a tile.
template <typename Item, int warps>
struct compaction_meeting {
  static constexpr int alignment = alignof(Item) > 16 ? static_cast<int>(alignof(Item)) : 16;
  alignas(alignment) unsigned char total_bytes[warps * sizeof(Item)];
  alignas(alignment) unsigned char before_bytes[warps * sizeof(Item)];
  taken_tile taken;

  __device__ Item* totals() { return reinterpret_cast<Item*>(total_bytes); }
  __device__ Item* before() { return reinterpret_cast<Item*>(before_bytes); }
};

// Exchanges what each warp makes for what stands before it, and takes the next tile.
//   called by   every thread of the block; `total` of lane 0 counts
//   result in   meeting.before(), until the next call
template <int warps, typename Item, typename Op, typename LookBack>
__device__ inline void meet_in_tile(compaction_meeting<Item, warps>& meeting,
                                    const look_back_board<Item>& board, LookBack& earlier_tiles,
                                    std::uint32_t tile, const Item& total, const Op& op) {
  const int lane = lane_id();
  if (lane == 0) meeting.totals()[warp_rank()] = total;
  const std::uint32_t launch = meeting.taken.launch;
  __syncthreads();  // the totals are there, and everybody has read `taken`
  if (warp_rank() == 0) {
    if (lane == 0) meeting.taken = board.take_tile();
    const Item mine = meeting.totals()[lane < warps ? lane : warps - 1];
    const Item aggregate = join_warps<warps>(mine, op);
    if (lane == 0) board.publish_aggregate(launch, tile, aggregate);
    const Item carry = earlier_tiles.before(tile);
    const Item before_mine = before_warps<warps>(mine, earlier_tiles.has_before(tile), carry, op);
    if (lane < warps) meeting.before()[lane] = before_mine;
  }
  __syncthreads();  // what stands before each warp is there, and so is the next tile
}

// Names the memory of a workspace in which tiles look back.
struct compaction_memory {};

// Launches a kernel of a problem and a board for so many tiles.
template <typename Item, typename Problem>
void launch_compaction(workspace& workspace,
                       void (*kernel)(const Problem, const look_back_board<Item>), int threads,
                       const Problem& problem, std::int64_t tiles, source_location where) {
  // Every block takes one tile too many.
  if (tiles > std::int64_t{1} << 31) {
    throw error(cudaErrorInvalidValue, "so many elements are not offered", where);
  }
  using board = look_back_board<Item>;
  const auto wanted = static_cast<std::uint32_t>(tiles);
  const std::int64_t resident = workspace.resident_blocks(kernel, threads, 0, where);
  std::byte* const memory =
      workspace.template kept<compaction_memory>(board::bytes_for(wanted), where);
  launch(workspace, {static_cast<int>(std::min(tiles, resident)), threads}, kernel, problem,
         board(memory, wanted));
}

}  // namespace heddle::device::detail
