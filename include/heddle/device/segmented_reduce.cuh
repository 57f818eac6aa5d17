// Reduces each segment of a range, whatever the lengths, in one kernel.
//   strategy    values and segment ends are divided evenly among the warps, whatever the lengths;
//               segments that are cut are joined through shared memory and a board
//   needs       sm_75; bulk copies and early start sm_90
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/kernel/hand_over.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/segment/ascending.cuh>
#include <heddle/device/segment/stream.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::device {

// Compile-time tuning for an H200. To change it, derive from it and hide what you change.
struct segment_tuning {
  static constexpr int threads = 320;
  static constexpr int blocks = 2;        // per multiprocessor, at least; limits the registers
  static constexpr int vectors = 7;       // 16-byte vectors of values per lane and tile; odd
  static constexpr int stages = 2;        // tiles of a warp in shared memory
  static constexpr int end_bytes = 2048;  // of a warp's segment ends in shared memory
  // How much of each warp's first values is prefetched while the warp still searches for them.
  // Their place is guessed as if all segments had the same length.
  static constexpr int bytes_fetched_ahead = 4096;
  static constexpr caching hint = caching::once;  // for values
  // If no segment has more values than this, each lane reduces one segment; otherwise the warp
  // scans.
  static constexpr int short_length = 4;
};

namespace detail {

struct segment_boards;

// What the warps of a block pass to each other.
template <typename T, int warps>
struct segment_meeting {
  static constexpr int alignment = alignof(T) > 16 ? static_cast<int>(alignof(T)) : 16;
  segment_row row;
  stream_share<T> shares[warps];
  int first_block[warps];  // where a warp's first segment begins; -1: in this block
  alignas(alignment) unsigned char of_blocks[warps * sizeof(T)];

  __device__ T* partials() { return reinterpret_cast<T*>(of_blocks); }
};

// Combines what blocks `first` … blockIdx.x - 1 have posted, in order; the result is in thread 0.
//   called by   every thread of the block
template <typename T, typename Op>
__device__ inline T take_blocks(board<T>& all, int first, T* partials, const Op& op) {
  const int threads = block_size();
  open_segment<T> total;
  for (int from = first; from < static_cast<int>(blockIdx.x); from += threads) {
    const int left = static_cast<int>(blockIdx.x) - from;
    const int valid = left < threads ? left : threads;
    const int lanes = valid - warp_rank() * warp_size;
    if (lanes > 0) {
      const int own = thread_rank() < valid ? thread_rank() : valid - 1;
      T value{};
      if (own == thread_rank()) value = all.take(from + own);
      __syncwarp();
      value = fold_first_lanes(value, lanes < warp_size ? lanes : warp_size, op);
      if (lane_id() == 0) partials[warp_rank()] = value;
    }
    __syncthreads();
    if (thread_rank() == 0) {
      for (int i = 0; i * warp_size < valid; ++i) total.append(partials[i], op);
    }
    __syncthreads();
  }
  return total.value;
}

// Prefetches into L2 the values at about the place where share number `share` begins.
//   called by   every lane of a warp
template <int bytes, typename Problem>
__device__ inline void fetch_share_ahead(const Problem& problem, const segment_row& row,
                                         std::int64_t share) {
  if constexpr (std::is_pointer_v<decltype(Problem::values)> && bytes > 0) {
    const auto values = static_cast<float>(row.final - row.origin);
    const float part = values / static_cast<float>(row.items());
    const auto guess = static_cast<std::int64_t>(static_cast<float>(share * row.share) * part);
    for (int i = lane_id() * bulk_line_bytes; i < bytes; i += warp_size * bulk_line_bytes) {
      const std::int64_t at = row.origin + guess + i / static_cast<int>(sizeof(*problem.values));
      if (at < row.final) asm volatile("prefetch.global.L2 [%0];" ::"l"(problem.values + at));
    }
  }
}

// Every warp has a share of the values and ends; shares have equal size and follow each other.
// Segments that are cut are joined afterwards: within the block through shared memory, between
// blocks through a board, from which each part is read by the one block in which the segment ends.
// A block has any number of whole warps up to Tuning::threads.
template <typename Problem, typename Tuning>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    reduce_segments(const __grid_constant__ Problem problem, std::byte* memory) {
  using stream = segment_stream<Problem, Tuning>;
  using value = typename Problem::value;
  extern __shared__ bulk_line segment_memory[];
  __shared__ segment_meeting<value, Tuning::threads / warp_size> meeting;
  const int warp = warp_rank();
  const int warps = warp_count();
  auto& scratch = reinterpret_cast<typename stream::scratch*>(segment_memory)[warp];
  const std::int64_t block_share = static_cast<std::int64_t>(blockIdx.x) * warps;
  const std::int64_t share = block_share + warp;
  stream::prepare(scratch);
  start_in_stream_order();
  expect_ascending(problem.offsets, problem.segments);

  {
    const segment_splits splits(problem.offsets, problem.segments,
                                static_cast<std::int64_t>(gridDim.x) * warps, stream::tile::items);
    fetch_share_ahead<Tuning::bytes_fetched_ahead>(problem, splits.row(), share);
    if (threadIdx.x == 0) meeting.row = splits.row();
    // The last warp also searches for the end of the block's last share. It runs one search after
    // the other: two at once would need more code, which every block has to fetch, and take longer.
    const int last = warp < warps - 1 ? warp : warps;
    for (int i = warp; i <= last; ++i) {
      const segment_split split = splits.before(block_share + i);
      if (lane_id() != 0) continue;
      if (i < warps) meeting.shares[i].begin = split;
      if (i > 0) meeting.shares[i - 1].end = split;
    }
  }
  __syncthreads();
  {
    auto& mine = meeting.shares[warp];
    stream(problem, meeting.row, mine, scratch).run();
  }
  __syncwarp();

  const segment_row row = meeting.row;
  const segment_split begin = meeting.shares[warp].begin;
  const segment_split end = meeting.shares[warp].end;
  // The first segment of the share began in an earlier share and ends here.
  const bool needs_earlier = begin.is_inside_segment() && end.segment > begin.segment;
  const std::int64_t from_share =
      needs_earlier ? row.share_of(begin.segment, begin.segment_begin) : share;
  if (lane_id() == 0) {
    meeting.first_block[warp] =
        from_share < block_share ? static_cast<int>(from_share / warps) : -1;
  }
  __syncthreads();
  board<value> all(memory);
  // Combines the block's parts of a segment that is cut.
  const auto join = [&](open_segment<value>& total, std::int64_t from, int before) {
    for (int i = from < block_share ? 0 : static_cast<int>(from - block_share); i < before; ++i) {
      total.append(meeting.shares[i].last(), problem.op);
    }
  };
  if (thread_rank() == block_size() - warp_size && end.is_inside_segment()) {
    open_segment<value> total;
    join(total, row.share_of(end.segment, end.segment_begin), warps);
    all.post(static_cast<int>(blockIdx.x), total.value);
  }
  // At most one warp's segment began in an earlier block.
  int earlier_block = -1;
  for (int i = 0; i < warps; ++i) {
    if (meeting.first_block[i] >= 0) earlier_block = meeting.first_block[i];
  }
  value of_blocks{};
  if (earlier_block >= 0) {
    of_blocks = take_blocks(all, earlier_block, meeting.partials(), problem.op);
    if (threadIdx.x == 0) meeting.partials()[0] = of_blocks;
    __syncthreads();
  }
  if (needs_earlier && lane_id() == 0) {
    open_segment<value> total;
    if (from_share < block_share) total.append(meeting.partials()[0], problem.op);
    join(total, from_share, warp);
    total.append(meeting.shares[warp].first(), problem.op);
    problem.write(begin.segment, total.value, false);
  }
}

template <bool has_initial, typename Tuning, typename Input, typename Offsets, typename Output,
          typename Op>
void launch_segments(workspace& workspace, const Input& input, const Offsets& offsets,
                     std::int64_t segments, const Output& output, const Op& op,
                     const carried<combined_type<Input, Op, Output>, Op>& initial,
                     source_location where) {
  using problem = segment_problem<Input, Offsets, Output, Op, has_initial>;
  using value = typename problem::value;
  static_assert(exchangeable<value> && exchangeable<typename problem::element>,
                "values of segments have at most 64 bytes that are copied as bits");
  static_assert(std::is_default_constructible_v<value>,
                "values of segments need a default constructor");
  if (segments < 0) throw error(cudaErrorInvalidValue, "there are no fewer than 0 segments", where);
  if (segments == 0) return;
  auto* const kernel = &reduce_segments<problem, Tuning>;
  // Fewer warps on GPUs with little shared memory.
  constexpr std::size_t bytes_of_warp = sizeof(typename segment_stream<problem, Tuning>::scratch);
  constexpr std::size_t bytes_of_meeting =
      sizeof(segment_meeting<value, Tuning::threads / warp_size>);
  const std::size_t room = workspace.facts().shared_bytes_per_block - bytes_of_meeting;
  const int warps =
      static_cast<int>(std::min<std::size_t>(room / bytes_of_warp, Tuning::threads / warp_size));
  const int threads = warps * warp_size;
  const std::size_t shared_bytes = bytes_of_warp * static_cast<std::size_t>(warps);
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared_bytes)),
        where);
  const int blocks = workspace.resident_blocks(kernel, threads, shared_bytes, where);
  std::byte* const memory =
      workspace.template kept<segment_boards>(board<value>::bytes_for(blocks), where);
  launch(workspace,
         {.blocks = blocks,
          .threads = threads,
          .shared_bytes = static_cast<int>(shared_bytes),
          .where = where},
         kernel, problem{input, offsets, segments, output, op, initial}, memory);
}

}  // namespace detail

// Combines the values of each segment.
//   called by   one host thread; everything runs in the workspace's stream, in one launch, and can
//               be captured in a graph
//   input       device memory, of any alignment, or an iterator of iterators.cuh; elements of at
//               most 64 bytes. Pointers are read 16 bytes at a time
//   offsets     device memory or an iterator, of any integers, segments + 1 of them: segment i is
//               input[offsets[i]] … input[offsets[i + 1] - 1]. They ascend; equal offsets denote an
//               empty segment; a precondition checks that. They need not begin with 0, and may be
//               above 2^31
//   output      device memory or an iterator: output[i] is written once and not read. It may not
//               overlap the input or the offsets
//   op          associative; need not commute. Elements are converted to the type in which they are
//               combined: for sums and products the wider type of input and output, so bytes add up
//               in int if the output is int; and float for those of half and bfloat16, which are
//               rounded once
//   empty       gives the initial value, otherwise op's identity
//   order       that of the elements; any order for an operator that is known to commute. The order
//               is fixed for given offsets, device and input address modulo 128, so floating-point
//               sums have the same bits on every run
//   cost        the time to read values and offsets and to write the results once: values and ends
//               are shared out evenly, whatever the lengths. Before that a search: two dependent
//               reads if segments have similar lengths, otherwise up to one more for each factor of
//               33 in their number
template <typename Tuning = segment_tuning, readable Input, readable Offsets, typename Output,
          combines<element_of<Input>> Op = plus>
requires has_identity<Op, carried<detail::combined_type<Input, Op, Output>, Op>>
void segmented_reduce(workspace& workspace, const Input& input, const Offsets& offsets,
                      std::int64_t segments, const Output& output, Op op = {},
                      source_location where = source_location::current()) {
  using value = carried<detail::combined_type<Input, Op, Output>, Op>;
  detail::launch_segments<false, Tuning>(workspace, input, offsets, segments, output, op,
                                         identity<Op, value>(), where);
}

// As above, with a value before the first element of each segment.
template <typename Tuning = segment_tuning, readable Input, readable Offsets, typename Output,
          combines<element_of<Input>> Op>
void segmented_reduce(workspace& workspace, const Input& input, const Offsets& offsets,
                      std::int64_t segments, const Output& output, Op op,
                      const carried<detail::combined_type<Input, Op, Output>, Op>& initial,
                      source_location where = source_location::current()) {
  detail::launch_segments<true, Tuning>(workspace, input, offsets, segments, output, op, initial,
                                        where);
}

}  // namespace heddle::device
