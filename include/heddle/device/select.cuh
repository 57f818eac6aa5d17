// Keeps the elements of a range that are wanted, in their order, in one kernel.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/compaction.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/workspace.cuh>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace heddle::device {

// Numbers that the kernel is built with. A tile looks back at all tiles that are being worked on:
// the fewer they are, the shorter it waits.
struct select_tuning {
  static constexpr int threads = 512;
  static constexpr int blocks = 2;  // of a multiprocessor, at least: registers are kept so few
};

namespace detail {

// Which elements are wanted: by a question to the element, or by a flag beside it.
template <typename Predicate>
struct wanted_by_predicate {
  using mark = std::uint8_t;
  static constexpr int bytes = 0;
  Predicate predicate;
};
template <typename Flags>
struct wanted_by_flag {
  using mark = element_of<Flags>;
  static constexpr int bytes = static_cast<int>(sizeof(mark));
  Flags flags;
};

//   Place     of an element among those that are kept
template <typename Tuning, typename Place, typename Input, typename Wanted, typename Output,
          typename Number>
struct selection {
  using tuning = Tuning;
  using place = Place;
  using value = element_of<Input>;
  static constexpr int value_bytes = static_cast<int>(sizeof(value));
  static constexpr int bytes = value_bytes > Wanted::bytes ? value_bytes : Wanted::bytes;
  using shape = compaction_shape<bytes, (value_bytes > 4 ? value_bytes : 4), 64, Tuning::threads>;

  Input input;
  std::int64_t count;
  Wanted wanted;
  Output output;
  Number* number;
};

// Bit i of marks[row]: the lane's i-th element of that row is wanted.
template <typename Shape, typename Value, typename Predicate>
__device__ inline void mark_wanted(const wanted_by_predicate<Predicate>& wanted, std::int64_t,
                                   std::int64_t, const Value (&values)[Shape::rows][Shape::vector],
                                   std::uint32_t (&marks)[Shape::rows]) {
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    marks[row] = 0;
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      marks[row] |= static_cast<bool>(wanted.predicate(values[row][i])) ? 1u << i : 0u;
    }
  }
}
template <typename Shape, typename Value, typename Flags>
__device__ inline void mark_wanted(const wanted_by_flag<Flags>& wanted, std::int64_t first,
                                   std::int64_t count, const Value (&)[Shape::rows][Shape::vector],
                                   std::uint32_t (&marks)[Shape::rows]) {
  element_of<Flags> flags[Shape::rows][Shape::vector];
  load_lane<Shape>(wanted.flags, first, count, flags);
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    marks[row] = 0;
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      marks[row] |= static_cast<bool>(flags[row][i]) ? 1u << i : 0u;
    }
  }
}

// Bits of the lane's elements that are there.
template <typename Shape>
[[nodiscard]] __device__ inline std::uint32_t bits_before_end(std::int64_t mine, int row,
                                                              std::int64_t count) {
  const std::int64_t left = count - (mine + row * Shape::row_items);
  return left >= Shape::vector ? ~0u : left <= 0 ? 0u : (1u << left) - 1;
}

template <typename Selection>
__global__ void __launch_bounds__(Selection::tuning::threads, Selection::tuning::blocks)
    select_in_tiles(const Selection problem,
                    const look_back_board<typename Selection::place> board) {
  using place = typename Selection::place;
  using shape = typename Selection::shape;
  using value = typename Selection::value;
  constexpr int alignment = alignof(value) > 16 ? static_cast<int>(alignof(value)) : 16;
  __shared__ compaction_meeting<place, shape::warps> meeting;
  __shared__ alignas(alignment) unsigned char kept_bytes[shape::tile_items * sizeof(value)];
  const int warp = warp_rank();
  value* const kept = reinterpret_cast<value*>(kept_bytes) + warp * shape::warp_items;
  start_in_stream_order();
  if (threadIdx.x == 0) meeting.taken = board.take_tile();
  __syncthreads();
  const std::uint32_t launch = meeting.taken.launch;
  look_back<place, plus> earlier_tiles(board, launch, true, 0, plus{});
  for (std::uint32_t tile = meeting.taken.tile; tile < board.tiles; tile = meeting.taken.tile) {
    const std::int64_t first = static_cast<std::int64_t>(tile) * shape::tile_items +
                               static_cast<std::int64_t>(warp) * shape::warp_items;
    value values[shape::rows][shape::vector];
    std::uint32_t marks[shape::rows];
    load_lane<shape>(problem.input, first, problem.count, values);
    mark_wanted<shape>(problem.wanted, first, problem.count, values, marks);
    if (first + shape::warp_items > problem.count) {
#pragma unroll
      for (int row = 0; row < shape::rows; ++row) {
        marks[row] &= bits_before_end<shape>(first + lane_id() * shape::vector, row, problem.count);
      }
    }
    const lane_ranks ranks = rank_lanes(marks);
    // What the warp keeps comes to lie side by side in shared memory.
#pragma unroll
    for (int row = 0; row < shape::rows; ++row) {
      int rank = ranks.of_row(row);
#pragma unroll
      for (int i = 0; i < shape::vector; ++i) {
        if ((marks[row] >> i & 1) != 0) kept[rank++] = values[row][i];
      }
    }
    meet_in_tile(meeting, board, earlier_tiles, tile, static_cast<place>(ranks.total), plus{});
    const auto before = static_cast<std::int64_t>(meeting.before()[warp]);
    for (int i = lane_id(); i < ranks.total; i += warp_size) problem.output[before + i] = kept[i];
    if (tile == board.tiles - 1 && threadIdx.x == shape::threads - 1) {
      *problem.number =
          static_cast<std::remove_pointer_t<decltype(problem.number)>>(before + ranks.total);
    }
    __syncwarp();  // what was kept has been read
  }
  board.finish(launch);
}

template <typename Tuning, typename Place, typename Input, typename Wanted, typename Output,
          typename Number>
void launch_selection_with(workspace& workspace, const Input& input, std::int64_t count,
                           const Wanted& wanted, const Output& output, Number* number,
                           source_location where) {
  using problem = selection<Tuning, Place, Input, Wanted, Output, Number>;
  using shape = typename problem::shape;
  launch_compaction<Place>(workspace, &select_in_tiles<problem>, shape::threads,
                           problem{input, count, wanted, output, number},
                           (count + shape::tile_items - 1) / shape::tile_items, where);
}

template <typename Tuning, typename Input, typename Wanted, typename Output, typename Number>
void launch_selection(workspace& workspace, const Input& input, std::int64_t count,
                      const Wanted& wanted, const Output& output, Number* number,
                      source_location where) {
  static_assert(exchangeable<element_of<Input>>,
                "elements have at most 64 bytes that are copied as bits");
  static_assert(std::is_default_constructible_v<element_of<Input>>,
                "elements need a default constructor");
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  if (count == 0) {
    check(cudaMemsetAsync(number, 0, sizeof(Number), workspace.stream()), where);
  } else if (count <= std::int64_t{1} << 31) {
    launch_selection_with<Tuning, std::uint32_t>(workspace, input, count, wanted, output, number,
                                                 where);
  } else {
    launch_selection_with<Tuning, std::int64_t>(workspace, input, count, wanted, output, number,
                                                where);
  }
}

}  // namespace detail

// Copies the elements for which `predicate` is true, in their order, and tells how many they are.
//   called by   one host thread; everything runs in the workspace's stream, in one launch, and can
//               be captured in a graph
//   input       device memory, of any alignment, or an iterator of iterators.cuh; elements of at
//               most 64 bytes; `count` may be above 2^31
//   output      device memory or an iterator, with room for what is kept; the input itself, or
//               apart from it
//   number      device memory for one integer, of any type that the number fits
//   predicate   an object with `__device__ bool operator()(element) const`; it is asked once about
//               each element, and may be about the last one again
//   cost        each element is read once, each that is kept written once
template <typename Tuning = select_tuning, readable Input, typename Output, std::integral Number,
          typename Predicate>
requires std::predicate < const Predicate&, const element_of<Input>
& > void select(workspace& workspace, const Input& input, std::int64_t count, const Output& output,
                Number* number, Predicate predicate,
                source_location where = source_location::current()) {
  detail::launch_selection<Tuning>(workspace, input, count,
                                   detail::wanted_by_predicate<Predicate>{predicate}, output,
                                   number, where);
}

// The same for those elements whose flag, at the same place of another range, is not zero.
//   flags       device memory or an iterator, apart from the output
template <typename Tuning = select_tuning, readable Input, readable Flags, typename Output,
          std::integral Number>
void select_flagged(workspace& workspace, const Input& input, const Flags& flags,
                    std::int64_t count, const Output& output, Number* number,
                    source_location where = source_location::current()) {
  detail::launch_selection<Tuning>(workspace, input, count, detail::wanted_by_flag<Flags>{flags},
                                   output, number, where);
}

}  // namespace heddle::device
