// The common part of algorithms that read a range tile by tile and write fewer elements than they
// read.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/kernel/look_back.cuh>
#include <heddle/device/reduce/ordered.cuh>
#include <heddle/device/select/tile.cuh>
#include <heddle/device/workspace.cuh>
#include <heddle/warp/combine.cuh>
#include <heddle/warp/scan.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

using heddle::detail::words_of;

// See run_tiles: a warp that looks back next to thirty others has few registers.
template <typename Part>
inline constexpr int compaction_run_tiles = slot_words<Part> <= 2   ? 4
                                            : slot_words<Part> <= 4 ? 2
                                                                    : 1;

// What the warps of a block pass to each other, for the two tiles in progress.
template <typename Part>
struct compaction_meeting {
  static constexpr int alignment = alignof(Part) > 16 ? static_cast<int>(alignof(Part)) : 16;
  alignas(alignment) unsigned char total_bytes[2][warp_size * sizeof(Part)];
  alignas(alignment) unsigned char before_bytes[2][warp_size * sizeof(Part)];
  std::uint32_t tiles[2];
  std::uint32_t launch;
  unsigned staged;  // warps that have finished their part of the tile; zero between tiles

  // The total of each warp, and its prefix.
  __device__ Part* totals(int buffer) { return reinterpret_cast<Part*>(total_bytes[buffer]); }
  __device__ Part* before(int buffer) { return reinterpret_cast<Part*>(before_bytes[buffer]); }
};

// The barrier between the warp that looks back and the other warps of the block. They arrive from
// different places in the code, which __syncthreads() forbids and a numbered barrier allows.
// compute-sanitizer accepts this only for the form without .aligned, which lanes of a warp may also
// reach diverged.
//   called by   every lane of every warp of the block, equally often by all
__device__ inline void meet_in_block() {
  __syncwarp();
  asm volatile("barrier.sync 1;" ::: "memory");
}

// Records the total of the caller's warp for a tile. The last warp to do so publishes the tile's
// aggregate, so that other blocks never wait for anything that this block waits for.
//   called by   every lane of a warp that has a part of the tile
//   made        valid in lane 0
template <typename Part, typename Op>
__device__ inline void add_to_tile(compaction_meeting<Part>& meeting,
                                   const look_back_board<Part>& board, std::uint32_t tile,
                                   int buffer, const Part& made, const Op& op) {
  const auto warps = static_cast<int>(tile_warps());
  bool is_last = false;
  if (lane_id() == 0) {
    meeting.totals(buffer)[warp_rank()] = made;
    __threadfence_block();
    is_last = atomicInc(&meeting.staged, static_cast<unsigned>(warps) - 1) ==
              static_cast<unsigned>(warps) - 1;
    __threadfence_block();
  }
  if (!agreed(is_last)) return;
  __syncwarp();  // makes the totals visible to the other lanes too; a vote does not
  const Part total = meeting.totals(buffer)[lane_id() < warps ? lane_id() : warps - 1];
  const Part aggregate = combine_first_lanes(total, warps, op);
  if (lane_id() == 0) board.publish_aggregate(meeting.launch, tile, aggregate);
}

// Finds the prefix of each warp of a tile.
//   called by   every lane of the warp that looks back
//   result in   meeting.before()
template <typename Part, typename Op>
__device__ inline void find_before(compaction_meeting<Part>& meeting, look_back<Part, Op>& earlier,
                                   std::uint32_t tile, int buffer, const Op& op) {
  const auto warps = static_cast<int>(tile_warps());
  const int lane = lane_id();
  const Part total = meeting.totals(buffer)[lane < warps ? lane : warps - 1];
  const Part up_to = warp::detail::scan_up<warp_size>(all_lanes, total, op);
  const Part in_tile = shuffle_up(all_lanes, up_to, 1);
  const Part carry = earlier.before(tile);
  const bool joins = lane > 0 && earlier.has_before(tile);
  const Part alone = lane == 0 ? carry : in_tile;
  const Part before = warp::detail::combine_where(joins, carry, in_tile, alone, op);
  if (lane < warps) meeting.before(buffer)[lane] = before;
}

// Looks back from each tile of the block, and takes tiles two ahead.
//   called by   every lane of the warp that has no part of the tiles
template <typename Part, typename Op>
__device__ inline void look_back_from_tiles(const look_back_board<Part>& board,
                                            compaction_meeting<Part>& meeting, const Op& op) {
  std::uint32_t tile = meeting.tiles[0];
  // A block takes tiles until it gets one past the end, and then no more.
  std::uint32_t next = tile;
  if (lane_id() == 0) {
    if (tile < board.tiles) next = board.take_tile().tile;
    meeting.tiles[1] = next;
  }
  meet_in_block();
  look_back<Part, Op> earlier(board, meeting.launch, false, words_of<Part>().value(), op);
  std::uint32_t staged_tile = 0;
  int buffer = 0;
  for (bool has_staged = false;; has_staged = true, buffer ^= 1) {
    const bool is_there = agreed(tile < board.tiles);
    // The tile taken here is not needed until after the next barrier.
    std::uint32_t later = next;
    if (lane_id() == 0 && next < board.tiles) later = board.take_tile().tile;
    if (has_staged) find_before(meeting, earlier, staged_tile, buffer ^ 1, op);
    if (lane_id() == 0) meeting.tiles[buffer] = later;
    meet_in_block();  // see write_tiles()
    if (!is_there) return;
    staged_tile = tile;
    tile = shuffle(all_lanes, next, 0);
    next = later;
  }
}

// Loads, stages and writes the warp's part of each tile of the block.
//   called by   every lane of the other warps
template <typename Part, typename Work, typename Op>
__device__ inline void write_tiles(Work& work, const look_back_board<Part>& board,
                                   compaction_meeting<Part>& meeting, const Op& op) {
  const int warp = shuffle(all_lanes, warp_rank(), 0);
  std::uint32_t tile = meeting.tiles[0];
  if (tile < board.tiles) work.load(tile);
  meet_in_block();
  std::uint32_t staged_tile = 0;
  typename Work::note staged_note{};
  int buffer = 0;
  for (bool has_staged = false;; has_staged = true, buffer ^= 1) {
    const bool is_there = agreed(tile < board.tiles);
    const std::uint32_t next = meeting.tiles[buffer ^ 1];
    typename Work::note note{};
    if (is_there) {
      const Part made = work.stage(tile, buffer, note);
      add_to_tile(meeting, board, tile, buffer, made, op);
      if (next < board.tiles) work.load(next);
    }
    meet_in_block();  // this tile is staged, and the previous tile's prefixes are known
    if (has_staged) {
      work.write(staged_tile, buffer ^ 1, staged_note, staged_tile > 0 || warp > 0,
                 meeting.before(buffer ^ 1)[warp]);
    }
    if (!is_there) return;
    __syncwarp();  // the warp has read what it had staged
    staged_tile = tile;
    staged_note = note;
    tile = next;
  }
}

// Takes tiles and processes each in three steps: load, stage in one of two buffers in shared
// memory, write. While one warp looks back for a tile, the others write the tile before it and
// stage the next one; the tile after that is in flight. All warps synchronise once per tile.
//   called by   every thread of the block
//   Work        note: what is kept of a tile from staging to writing
//               load(tile): starts loading the warp's elements
//               stage(tile, buffer, note): moves them to shared memory; returns the warp's total,
//               in lane 0
//               write(tile, buffer, note, has_before, before): writes the results, given the warp's
//               prefix
//   op          combines parts
template <typename Part, typename Work, typename Op>
__device__ inline void work_through_tiles(Work& work, const look_back_board<Part>& board,
                                          compaction_meeting<Part>& meeting, const Op& op) {
  if (threadIdx.x == 0) {
    const taken_tile first = board.take_tile();
    meeting.tiles[0] = first.tile;
    meeting.launch = first.launch;
    meeting.staged = 0;
  }
  __syncthreads();
  if (agreed(warp_rank() < static_cast<int>(tile_warps()))) {
    write_tiles(work, board, meeting, op);
  } else {
    look_back_from_tiles(board, meeting, op);
  }
  board.finish(meeting.launch);
}

// A unit of the shared memory in which tiles are staged: aligned for elements of every size.
struct alignas(64) staging_memory {
  unsigned char bytes[64];
};
// Where the staged elements of a warp end: `items` per tile, for two tiles, from `begin` on. The
// end is aligned for whatever follows.
template <typename T>
[[nodiscard]] constexpr int end_of_staged(int begin, int items) {
  constexpr int unit = static_cast<int>(sizeof(staging_memory));
  return begin + (2 * items * static_cast<int>(sizeof(T)) + unit - 1) / unit * unit;
}
// The staging memory of the caller's warp.
template <typename Problem>
[[nodiscard]] __device__ inline unsigned char* staging_of_warp(staging_memory* staging) {
  return reinterpret_cast<unsigned char*>(staging) + warp_rank() * Problem::staged_bytes;
}

// The threads of a block, including the extra warp that looks back.
template <typename Tuning>
inline constexpr int compaction_threads = Tuning::threads + warp_size;

// Names the kept memory in which tiles look back.
struct compaction_memory {};

// Launches a kernel that takes a problem and a board.
//   places      the number of elements, plus any places after them
template <typename Part, typename Problem>
void launch_compaction(workspace& workspace,
                       void (*kernel)(const Problem, const look_back_board<Part>),
                       const Problem& problem, std::int64_t places, source_location where) {
  static_assert(Problem::tuning::threads % warp_size == 0 &&
                    Problem::tuning::threads / warp_size <= warp_size - 1,
                "a block has 1 to 31 whole warps, and one that looks back");
  // As many warps as can stage their parts in the memory that the kernel's own variables leave.
  constexpr std::size_t declared = sizeof(compaction_meeting<Part>) + 1024;
  const std::size_t room = workspace.facts().shared_bytes_per_block - declared;
  const int warps = std::clamp(static_cast<int>(room / Problem::staged_bytes), 1,
                               Problem::tuning::threads / warp_size);
  const int threads = (warps + 1) * warp_size;
  const int shared_bytes = warps * Problem::staged_bytes;
  const std::int64_t tile_items = std::int64_t{warps} * Problem::shape::warp_items;
  const std::int64_t tiles = (places + tile_items - 1) / tile_items;
  // Every block takes one tile past the end.
  if (tiles > std::int64_t{1} << 31) {
    throw error(cudaErrorInvalidValue, "so many elements are not supported", where);
  }
  constexpr int without_asking = 40 * 1024;
  if (shared_bytes > without_asking) {
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
          where);
  }
  using board = look_back_board<Part>;
  const auto wanted = static_cast<std::uint32_t>(tiles);
  const std::int64_t resident = workspace.resident_blocks(kernel, threads, shared_bytes, where);
  std::byte* const memory =
      workspace.template kept<compaction_memory>(board::bytes_for(wanted), where);
  launch(workspace,
         {static_cast<int>(std::min(tiles, resident)), threads, 1, true, shared_bytes, where},
         kernel, problem, board(memory, wanted));
}

}  // namespace heddle::device::detail
