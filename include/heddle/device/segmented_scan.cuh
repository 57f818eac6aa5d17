// Scans that restart at the first element of each segment, in one kernel, for segments of any
// length.
//   strategy    one pass with decoupled look-back over pairs of flag and value
//   needs       sm_75; bulk copies and early start sm_90
#pragma once
#include <heddle/device/iterators.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/scan.cuh>
#include <heddle/device/scan/part.cuh>
#include <heddle/device/segment/ascending.cuh>
#include <heddle/device/workspace.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::device {

namespace detail {

// Segments begin where a mark is not zero.
struct begins_at_mark {
  static constexpr bool looks_back = false;
  template <typename Mark>
  [[nodiscard]] __device__ static bool begins(const Mark&, const Mark& own) {
    return static_cast<bool>(own);
  }
};

// Segments begin where a key differs from the one before it.
struct begins_at_change {
  static constexpr bool looks_back = true;
  template <typename Key>
  [[nodiscard]] __device__ static bool begins(const Key& previous, const Key& own) {
    return !(previous == own);
  }
};

// A segmented scan, as the kernels see it. An initial value is combined into the first element of
// each segment.
template <typename Input, typename Marks, typename Output, typename Op, typename Rule,
          bool is_exclusive>
struct scan_of_segments {
  using value = element_of<Input>;
  using mark = element_of<Marks>;
  using sum = carried<value, Op>;
  using item = part<sum>;
  using combine = join_parts<sum, Op>;
  static constexpr bool has_marks = true;
  static constexpr bool needs_previous = Rule::looks_back;

  Input values;
  Marks marks;
  Output output;
  std::int64_t count;
  combine op;
  bool has_initial;  // always false: there is nothing before the first element of all
  item initial;
  sum first_of_segment;

  [[nodiscard]] __device__ item make(const value& value, const mark& previous, const mark& own,
                                     bool is_first) const {
    const bool begins = is_first || Rule::begins(previous, own);
    auto mine = static_cast<sum>(value);
    if constexpr (is_exclusive) {
      mine = warp::detail::combine_where(begins, first_of_segment, mine, mine, op.op);
    }
    return {mine, begins ? 1u : 0u};
  }
  [[nodiscard]] __device__ value result(const item& before, const item& own,
                                        const item& including) const {
    if constexpr (is_exclusive) {
      return static_cast<value>(own.has_begin != 0 ? first_of_segment : before.value);
    } else {
      return static_cast<value>(including.value);
    }
  }
};

template <typename Rule, bool is_exclusive, typename Input, typename Marks, typename Output,
          typename Op>
void scan_segments(workspace& work, Input input, Marks marks, Output output, std::int64_t count,
                   Op op, const combined_type<Input, Op, Output>& initial, source_location where) {
  const auto combined = as_combined<Op, Output>(input);
  using problem = scan_of_segments<std::remove_const_t<decltype(combined)>, Marks, Output, Op, Rule,
                                   is_exclusive>;
  static_assert(exchangeable<typename problem::item>,
                "the elements of a segmented scan have at most 60 bytes");
  const auto first = static_cast<typename problem::sum>(initial);
  launch_scan(work, problem{combined, marks, output, count, {op}, false, {first, 0}, first}, where);
}

// Sets the mark of each segment's first element. An empty segment begins where the next one does:
// volatile stores may collide there, plain ones may not.
template <typename Offsets>
__global__ void __launch_bounds__(256) mark_offsets(const Offsets offsets, std::int64_t segments,
                                                    std::uint8_t* marks, std::int64_t count) {
  start_in_stream_order();
  expect_ascending(offsets, segments - 1);
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < segments; i += stride) {
    const auto begin = static_cast<std::int64_t>(offsets[i]);
    HEDDLE_EXPECTS(0 <= begin && begin <= count, "offsets of segments lie in 0 … count");
    if (begin < count) *static_cast<volatile std::uint8_t*>(marks + begin) = 1;
  }
}

// Turns offsets into marks, in the workspace's scratch.
template <typename Offsets>
[[nodiscard]] const std::uint8_t* marks_from_offsets(workspace& work, Offsets offsets,
                                                     std::int64_t segments, std::int64_t count,
                                                     source_location where) {
  if (count <= 0) return nullptr;  // nothing to scan, or the count will be rejected
  auto* const marks =
      reinterpret_cast<std::uint8_t*>(work.scratch(static_cast<std::size_t>(count), where));
  check(cudaMemsetAsync(marks, 0, static_cast<std::size_t>(count), work.stream()), where);
  if (segments > 0) {
    const std::int64_t wanted = (segments + 255) / 256;
    const std::int64_t most = std::int64_t{32} * work.multiprocessors();
    const auto blocks = static_cast<int>(wanted < most ? wanted : most);
    // Must follow the memset, which is not a kernel.
    launch(work, shape{.blocks = blocks, .threads = 256, .starts_early = false, .where = where},
           &mark_offsets<Offsets>, offsets, segments, marks, count);
  }
  return marks;
}

}  // namespace detail

// The contract of all segmented scans:
//   called by   as the scans of scan.cuh; what is said there about input, output, count, order and
//               capture holds here too; elements have at most 60 bytes
//   output      disjoint from flags, keys and offsets
//   flags       pointer or iterator: a segment begins at the first element and at each element
//               whose flag is not zero
//   keys        pointer or iterator: neighbours with equal keys (==) form a segment
//   offsets     pointer or iterator: segment i begins at element offsets[i]; ascending; equal
//               offsets denote empty segments. Elements before the first offset form a segment of
//               their own
//   op          associative; need not commute
//   initial     precedes the first element of each segment
//   cost        one kernel; each element and its flag or key are read once. With offsets: one
//               memset and one kernel more, which write one byte per element, and as much scratch
//               in the workspace

// Each element becomes the combination of its segment's elements up to and including itself.
template <readable Input, readable Flags, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void segmented_inclusive_scan(workspace& work, Input input, Flags flags, Output output,
                              std::int64_t count, Op op = {},
                              source_location where = source_location::current()) {
  using value = detail::combined_type<Input, Op, Output>;
  detail::scan_segments<detail::begins_at_mark, false>(work, input, flags, output, count, op,
                                                       detail::zero_bits<value>(), where);
}
template <readable Keys, readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void inclusive_scan_by_key(workspace& work, Keys keys, Input input, Output output,
                           std::int64_t count, Op op = {},
                           source_location where = source_location::current()) {
  using value = detail::combined_type<Input, Op, Output>;
  detail::scan_segments<detail::begins_at_change, false>(work, input, keys, output, count, op,
                                                         detail::zero_bits<value>(), where);
}
template <readable Input, readable Offsets, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void inclusive_scan_by_offsets(workspace& work, Input input, Offsets offsets, std::int64_t segments,
                               Output output, std::int64_t count, Op op = {},
                               source_location where = source_location::current()) {
  segmented_inclusive_scan(work, input,
                           detail::marks_from_offsets(work, offsets, segments, count, where),
                           output, count, op, where);
}

// Each element becomes the combination of `initial` and the elements before it in its segment; the
// first element of a segment becomes `initial`.
template <readable Input, readable Flags, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void segmented_exclusive_scan_from(workspace& work,
                                   const detail::combined_type<Input, Op, Output>& initial,
                                   Input input, Flags flags, Output output, std::int64_t count,
                                   Op op = {}, source_location where = source_location::current()) {
  detail::scan_segments<detail::begins_at_mark, true>(work, input, flags, output, count, op,
                                                      initial, where);
}
template <readable Keys, readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void exclusive_scan_by_key_from(workspace& work,
                                const detail::combined_type<Input, Op, Output>& initial, Keys keys,
                                Input input, Output output, std::int64_t count, Op op = {},
                                source_location where = source_location::current()) {
  detail::scan_segments<detail::begins_at_change, true>(work, input, keys, output, count, op,
                                                        initial, where);
}
template <readable Input, readable Offsets, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void exclusive_scan_by_offsets_from(workspace& work,
                                    const detail::combined_type<Input, Op, Output>& initial,
                                    Input input, Offsets offsets, std::int64_t segments,
                                    Output output, std::int64_t count, Op op = {},
                                    source_location where = source_location::current()) {
  segmented_exclusive_scan_from(work, initial, input,
                                detail::marks_from_offsets(work, offsets, segments, count, where),
                                output, count, op, where);
}

// As above, starting from the identity of op.
template <readable Input, readable Flags, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op> &&
    has_identity<Op, detail::combined_type<Input, Op, Output>>
void segmented_exclusive_scan(workspace& work, Input input, Flags flags, Output output,
                              std::int64_t count, Op op = {},
                              source_location where = source_location::current()) {
  segmented_exclusive_scan_from(work, identity<Op, detail::combined_type<Input, Op, Output>>(),
                                input, flags, output, count, op, where);
}
template <readable Keys, readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op> &&
    has_identity<Op, detail::combined_type<Input, Op, Output>>
void exclusive_scan_by_key(workspace& work, Keys keys, Input input, Output output,
                           std::int64_t count, Op op = {},
                           source_location where = source_location::current()) {
  exclusive_scan_by_key_from(work, identity<Op, detail::combined_type<Input, Op, Output>>(), keys,
                             input, output, count, op, where);
}
template <readable Input, readable Offsets, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op> &&
    has_identity<Op, detail::combined_type<Input, Op, Output>>
void exclusive_scan_by_offsets(workspace& work, Input input, Offsets offsets, std::int64_t segments,
                               Output output, std::int64_t count, Op op = {},
                               source_location where = source_location::current()) {
  exclusive_scan_by_offsets_from(work, identity<Op, detail::combined_type<Input, Op, Output>>(),
                                 input, offsets, segments, output, count, op, where);
}

}  // namespace heddle::device
