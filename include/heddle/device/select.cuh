// Copies the selected elements of a range, in order, in one kernel.
//   strategy    one pass with decoupled look-back: votes rank the kept elements, which are staged
//               in shared memory and written side by side
//   needs       sm_75; early start sm_90
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/select/compaction.cuh>
#include <heddle/device/workspace.cuh>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace heddle::device {

// Compile-time tuning; blocks are smaller on GPUs with less shared memory.
struct select_tuning {
  static constexpr int threads = 736;     // per block, besides the warp that looks back
  static constexpr int blocks = 1;        // per multiprocessor, at least; limits the registers
  static constexpr int lane_bytes = 128;  // of elements per lane and tile
};

namespace detail {

// How elements are selected: by a predicate, or by a flag at the same place of another range.
template <typename Predicate>
struct wanted_by_predicate {
  static constexpr int bytes = 0;
  Predicate predicate;
};
template <typename Flags>
struct wanted_by_flag {
  static constexpr int bytes = static_cast<int>(sizeof(element_of<Flags>));
  Flags flags;
};

// How many elements of a contiguous part are kept.
template <typename Place>
struct kept_part {
  Place kept;
};
template <typename Place>
inline constexpr int run_tiles<kept_part<Place>> = compaction_run_tiles<kept_part<Place>>;

struct join_kept_parts {
  template <typename Place>
  [[nodiscard]] __device__ kept_part<Place> operator()(const kept_part<Place>& a,
                                                       const kept_part<Place>& b) const {
    return {static_cast<Place>(a.kept + b.kept)};
  }
};

//   Place     counts kept elements
template <typename Tuning, typename Place, typename Input, typename Wanted, typename Output,
          typename Number>
struct selection {
  using tuning = Tuning;
  using part = kept_part<Place>;
  using value = element_of<Input>;
  static constexpr int value_bytes = static_cast<int>(sizeof(value));
  static constexpr int bytes = value_bytes > Wanted::bytes ? value_bytes : Wanted::bytes;
  using shape = compaction_shape<bytes, (value_bytes > 4 ? value_bytes : 4), Tuning::lane_bytes>;
  static constexpr int staged_bytes = end_of_staged<value>(0, shape::warp_items);  // of a warp

  Input input;
  std::int64_t count;
  Wanted wanted;
  Output output;
  Number* number;
};

// What a lane reads to decide which of its elements are kept: bit i of marks[row] is for its i-th
// element of that row.
template <typename Shape, typename Wanted>
struct lane_marks;
template <typename Shape, typename Predicate>
struct lane_marks<Shape, wanted_by_predicate<Predicate>> {
  __device__ void load(const wanted_by_predicate<Predicate>&, std::int64_t, std::int64_t) {}
  template <typename Value>
  __device__ void get(const wanted_by_predicate<Predicate>& wanted,
                      const Value (&values)[Shape::rows][Shape::vector],
                      std::uint32_t (&marks)[Shape::rows]) const {
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
      marks[row] = 0;
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) {
        marks[row] |= static_cast<bool>(wanted.predicate(values[row][i])) ? 1u << i : 0u;
      }
    }
  }
};
template <typename Shape, typename Flags>
struct lane_marks<Shape, wanted_by_flag<Flags>> {
  lane_elements<Shape, Flags> loaded;

  __device__ void load(const wanted_by_flag<Flags>& wanted, std::int64_t first,
                       std::int64_t count) {
    loaded.load(wanted.flags, first, count);
  }
  template <typename Value>
  __device__ void get(const wanted_by_flag<Flags>&, const Value (&)[Shape::rows][Shape::vector],
                      std::uint32_t (&marks)[Shape::rows]) const {
    element_of<Flags> flags[Shape::rows][Shape::vector];
    loaded.get(flags);
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
      marks[row] = 0;
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) {
        marks[row] |= static_cast<bool>(flags[row][i]) ? 1u << i : 0u;
      }
    }
  }
};

// Bits of the lane's elements that lie before the end of the input.
template <typename Shape>
[[nodiscard]] __device__ inline std::uint32_t bits_before_end(std::int64_t mine, int row,
                                                              std::int64_t count) {
  const std::int64_t left = count - (mine + row * Shape::row_items);
  return left >= Shape::vector ? ~0u : left <= 0 ? 0u : (1u << left) - 1;
}

// A warp's work on its part of a tile: see work_through_tiles().
template <typename Selection>
class select_work {
 public:
  using part = typename Selection::part;
  using shape = typename Selection::shape;
  using value = typename Selection::value;
  using note = int;  // how many elements the warp keeps

  // `kept` has room for two tiles of the warp.
  __device__ select_work(const Selection& problem, value* kept) : problem_(problem), kept_(kept) {}

  __device__ void load(std::uint32_t tile) {
    loaded_.load(problem_.input, first_of_warp<shape>(tile), problem_.count);
    marks_.load(problem_.wanted, first_of_warp<shape>(tile), problem_.count);
  }

  // Compacts the warp's kept elements in shared memory.
  [[nodiscard]] __device__ part stage(std::uint32_t tile, int buffer, note& total) {
    const std::int64_t first = first_of_warp<shape>(tile);
    value values[shape::rows][shape::vector];
    std::uint32_t marks[shape::rows];
    loaded_.get(values);
    marks_.get(problem_.wanted, values, marks);
    if (first + shape::warp_items > problem_.count) {
#pragma unroll
      for (int row = 0; row < shape::rows; ++row) {
        marks[row] &=
            bits_before_end<shape>(first + lane_id() * shape::vector, row, problem_.count);
      }
    }
    int ranks[shape::rows];
    total = rank_lanes<shape>(marks, ranks);
#pragma unroll
    for (int row = 0; row < shape::rows; ++row) {
      int rank = buffer * shape::warp_items + ranks[row];
#pragma unroll
      for (int i = 0; i < shape::vector; ++i) {
        const bool is_kept = (marks[row] >> i & 1) != 0;
        if (is_kept) kept_.put(rank, values[row][i]);
        rank += is_kept ? 1 : 0;
      }
    }
    return {static_cast<decltype(part::kept)>(total)};
  }

  __device__ void write(std::uint32_t tile, int buffer, note total, bool has_before,
                        const part& earlier) const {
    const std::int64_t before = has_before ? static_cast<std::int64_t>(earlier.kept) : 0;
    const value* const kept = &kept_[buffer * shape::warp_items];
    for (int i = lane_id(); i < total; i += warp_size) problem_.output[before + i] = kept[i];
    // The place after the last element lies in exactly one warp.
    if (ends_in_warp<shape>(tile, problem_.count) && lane_id() == 0) {
      *problem_.number =
          static_cast<std::remove_pointer_t<decltype(problem_.number)>>(before + total);
    }
  }

 private:
  const Selection& problem_;
  staged_values<value> kept_;
  lane_elements<shape, decltype(Selection::input)> loaded_;
  lane_marks<shape, decltype(Selection::wanted)> marks_;
};

template <typename Selection>
__global__ void __launch_bounds__(compaction_threads<typename Selection::tuning>,
                                  Selection::tuning::blocks)
    select_in_tiles(const Selection problem,
                    const look_back_board<typename Selection::part> board) {
  __shared__ compaction_meeting<typename Selection::part> meeting;
  extern __shared__ staging_memory staging[];
  start_in_stream_order();
  select_work<Selection> work(
      problem, reinterpret_cast<typename Selection::value*>(staging_of_warp<Selection>(staging)));
  work_through_tiles(work, board, meeting, join_kept_parts{});
}

template <typename Tuning, typename Place, typename Input, typename Wanted, typename Output,
          typename Number>
void launch_selection_with(workspace& workspace, const Input& input, std::int64_t count,
                           const Wanted& wanted, const Output& output, Number* number,
                           source_location where) {
  using problem = selection<Tuning, Place, Input, Wanted, Output, Number>;
  launch_compaction(workspace, &select_in_tiles<problem>,
                    problem{input, count, wanted, output, number}, count + 1, where);
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

// Copies the elements for which `predicate` is true, in order, and counts them.
//   called by   one host thread; everything runs in the workspace's stream, in one launch, and can
//               be captured in a graph
//   input       device memory, of any alignment, or an iterator of iterators.cuh; elements of at
//               most 64 bytes; `count` may be above 2^31
//   output      device memory or an iterator, with room for the kept elements; either the input
//               itself or disjoint from it
//   number      device memory for one integer, of any type that can hold the count
//   predicate   an object with `__device__ bool operator()(element) const`; called once per
//               element, and possibly again for the last one
//   cost        reads each element once and writes each kept element once
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

// As select(), for elements whose flag, at the same place of another range, is not zero.
//   flags       device memory or an iterator, disjoint from the output
template <typename Tuning = select_tuning, readable Input, readable Flags, typename Output,
          std::integral Number>
void select_flagged(workspace& workspace, const Input& input, const Flags& flags,
                    std::int64_t count, const Output& output, Number* number,
                    source_location where = source_location::current()) {
  detail::launch_selection<Tuning>(workspace, input, count, detail::wanted_by_flag<Flags>{flags},
                                   output, number, where);
}

}  // namespace heddle::device
