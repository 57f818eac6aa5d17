// What algorithms have in common that read a range tile by tile and write fewer elements than they
// read.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/launch.cuh>
#include <heddle/device/prefix_look_back.cuh>
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
  static_assert(threads_of_block % warp_size == 0, "a block is made of whole warps");
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

// The first element of the caller's warp in a tile.
template <typename Shape>
[[nodiscard]] __device__ inline std::int64_t first_of_warp(std::uint32_t tile) {
  return static_cast<std::int64_t>(tile) * Shape::tile_items +
         static_cast<std::int64_t>(warp_rank()) * Shape::warp_items;
}
// True if the place behind the last element is in the caller's warp.
template <typename Shape>
[[nodiscard]] __device__ inline bool ends_in_warp(std::uint32_t tile, std::int64_t count) {
  const std::int64_t first = first_of_warp<Shape>(tile);
  return first <= count && count < first + Shape::warp_items;
}

template <int bytes>
using word_of_bytes = std::conditional_t<
    bytes == 16, uint4,
    std::conditional_t<bytes == 8, uint2,
                       std::conditional_t<bytes == 4, std::uint32_t, std::uint16_t>>>;

// The elements of a lane as they come from memory: nobody waits for them before they are asked for.
template <typename Shape, typename Input>
class lane_elements {
 public:
  using element = element_of<Input>;

  // Reads from the warp's first element on. Behind the end of the input stands the last element,
  // again and again.
  //   count       more than 0
  __device__ void load(const Input& input, std::int64_t first, std::int64_t count) {
    if constexpr (is_read_in_words_) {
      if (first + Shape::warp_items <= count &&
          reinterpret_cast<std::uintptr_t>(input) % bytes_ == 0) {
        const auto* const mine =
            reinterpret_cast<const word_*>(input + first + lane_id() * Shape::vector);
#pragma unroll
        for (int row = 0; row < Shape::rows; ++row) loaded_[row] = mine[row * warp_size];
        return;
      }
    }
    // The last element, counted from the warp's first: at most one tile before it.
    const int last =
        first + Shape::warp_items < count ? Shape::warp_items : static_cast<int>(count - 1 - first);
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
      element values[Shape::vector];
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) {
        const int wanted = row * Shape::row_items + lane_id() * Shape::vector + i;
        values[i] = input[first + (wanted < last ? wanted : last)];
      }
      std::memcpy(static_cast<void*>(&loaded_[row]), values, sizeof(values));
    }
  }
  __device__ void get(element (&values)[Shape::rows][Shape::vector]) const {
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
      std::memcpy(static_cast<void*>(values[row]), &loaded_[row], sizeof(values[row]));
    }
  }

 private:
  static constexpr int bytes_ = Shape::vector * static_cast<int>(sizeof(element));
  static constexpr bool is_read_in_words_ =
      std::is_pointer_v<Input> && (bytes_ == 2 || bytes_ == 4 || bytes_ == 8 || bytes_ == 16);
  struct several_ {
    element values[Shape::vector];
  };
  using word_ = std::conditional_t<is_read_in_words_, word_of_bytes<bytes_>, several_>;
  word_ loaded_[Shape::rows];
};

// What is the same everywhere is not kept.
template <typename Shape, typename T>
class lane_elements<Shape, constant<T>> {
 public:
  using element = T;
  __device__ void load(const constant<T>& input, std::int64_t, std::int64_t) {
    value_ = input.value;
  }
  __device__ void get(T (&values)[Shape::rows][Shape::vector]) const {
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) values[row][i] = value_;
    }
  }

 private:
  T value_;
};

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
template <typename Part, int warps>
struct compaction_meeting {
  static constexpr int alignment = alignof(Part) > 16 ? static_cast<int>(alignof(Part)) : 16;
  alignas(alignment) unsigned char total_bytes[warps * sizeof(Part)];
  alignas(alignment) unsigned char before_bytes[warps * sizeof(Part)];
  taken_tile taken[2];

  __device__ Part* totals() { return reinterpret_cast<Part*>(total_bytes); }
  __device__ Part* before() { return reinterpret_cast<Part*>(before_bytes); }
};

// Finds what stands before each warp of a tile that was published, and tells the tiles behind it.
//   called by   every lane of the first warp
//   totals      of the tile's warps: lane i speaks for warp i
//   result in   meeting.before()
template <int warps, typename Part, typename LookBack, typename Op>
__device__ inline void find_before(compaction_meeting<Part, warps>& meeting,
                                   const LookBack& earlier_tiles, std::uint32_t tile,
                                   const Part& totals, const Op& op) {
  const bool has_before = earlier_tiles.has_before(tile);
  const Part carry = earlier_tiles.before(tile);
  const Part aggregate = join_warps<warps>(totals, op);
  if (lane_id() == 0) {
    earlier_tiles.publish_inclusive(tile, has_before ? op(carry, aggregate) : aggregate);
  }
  const Part before_mine = before_warps<warps>(totals, has_before, carry, op);
  if (lane_id() < warps) meeting.before()[lane_id()] = before_mine;
}

// Takes tiles and brings them in three steps to an end: reading, staging in one of two parts of
// shared memory, writing. While a block looks for what stands before a tile, its next one has been
// staged and told to the others, and the one after that is on its way from memory.
//   called by   every thread of the block
//   Work        note: what is kept of a tile from staging to writing
//               load(tile): asks for the warp's elements
//               stage(tile, buffer, note): brings them to shared memory; what the warp makes, in
//               lane 0
//               write(tile, buffer, note, has_before, before): with what stands before the warp
//   op          of the parts, which LookBack finds
template <typename LookBack, int warps, typename Part, typename Work, typename Op>
__device__ inline void work_through_tiles(Work& work, const prefix_board<Part>& board,
                                          compaction_meeting<Part, warps>& meeting, const Op& op) {
  const int warp = warp_rank();
  const int lane = lane_id();
  if (threadIdx.x == 0) meeting.taken[1] = board.take_tile();
  __syncthreads();
  const std::uint32_t launch = meeting.taken[1].launch;
  const LookBack earlier_tiles(board, launch, op);
  std::uint32_t tile = meeting.taken[1].tile;
  std::uint32_t staged_tile = 0;
  typename Work::note staged_note{};
  Part staged_totals = words_of<Part>().value();  // of warp i in lane i of the first warp
  bool has_staged = false;
  int buffer = 0;
  if (tile < board.tiles) work.load(tile);
  while (tile < board.tiles) {
    taken_tile next{};
    if (threadIdx.x == 0) next = board.take_tile();
    typename Work::note note{};
    const Part made = work.stage(tile, buffer, note);
    if (lane == 0) meeting.totals()[warp] = made;
    if (threadIdx.x == 0) meeting.taken[buffer] = next;
    __syncthreads();  // the totals are there, and so is the next tile
    const std::uint32_t next_tile = meeting.taken[buffer].tile;
    Part totals = made;
    if (warp == 0) {
      totals = meeting.totals()[lane < warps ? lane : warps - 1];
      const Part aggregate = join_warps<warps>(totals, op);
      if (lane == 0) board.publish_aggregate(launch, tile, aggregate);
    }
    if (next_tile < board.tiles) work.load(next_tile);
    if (warp == 0 && has_staged) {
      find_before<warps>(meeting, earlier_tiles, staged_tile, staged_totals, op);
    }
    __syncthreads();  // what stands before each warp is there, and the totals have been read
    if (has_staged) {
      work.write(staged_tile, buffer ^ 1, staged_note, staged_tile > 0 || warp > 0,
                 meeting.before()[warp]);
    }
    __syncwarp();  // what the warp had staged has been read
    staged_tile = tile;
    staged_note = note;
    staged_totals = totals;
    has_staged = true;
    tile = next_tile;
    buffer ^= 1;
  }
  if (has_staged) {
    __syncthreads();  // what stood before the last tile but one has been read
    if (warp == 0) find_before<warps>(meeting, earlier_tiles, staged_tile, staged_totals, op);
    __syncthreads();
    work.write(staged_tile, buffer ^ 1, staged_note, staged_tile > 0 || warp > 0,
               meeting.before()[warp]);
  }
  board.finish(launch);
}

// The shared memory of a block in which tiles are staged: aligned for elements of every size.
struct alignas(64) staging_memory {
  unsigned char bytes[64];
};
// Where two tiles of `items` elements end, from `begin` on; what comes next is aligned, too.
template <typename T>
[[nodiscard]] constexpr int end_of_staged(int begin, int items) {
  constexpr int unit = static_cast<int>(sizeof(staging_memory));
  return begin + (2 * items * static_cast<int>(sizeof(T)) + unit - 1) / unit * unit;
}

// Names the memory of a workspace in which tiles look back.
struct compaction_memory {};

// Launches a kernel of a problem and a board for so many tiles.
template <typename Part, typename Problem>
void launch_compaction(workspace& workspace,
                       void (*kernel)(const Problem, const prefix_board<Part>),
                       const Problem& problem, std::int64_t tiles, source_location where) {
  // Every block takes one tile too many.
  if (tiles > std::int64_t{1} << 31) {
    throw error(cudaErrorInvalidValue, "so many elements are not offered", where);
  }
  using board = prefix_board<Part>;
  constexpr int threads = Problem::shape::threads;
  constexpr int shared_bytes = Problem::shared_bytes;
  constexpr int without_asking = 40 * 1024;
  if constexpr (shared_bytes > without_asking) {
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
          where);
  }
  const auto wanted = static_cast<std::uint32_t>(tiles);
  const std::int64_t resident = workspace.resident_blocks(kernel, threads, shared_bytes, where);
  std::byte* const memory =
      workspace.template kept<compaction_memory>(board::bytes_for(wanted), where);
  launch(workspace, {static_cast<int>(std::min(tiles, resident)), threads, 1, true, shared_bytes},
         kernel, problem, board(memory, wanted));
}

}  // namespace heddle::device::detail
