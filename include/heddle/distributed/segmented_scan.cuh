// Scans that restart at the first element of each segment, across the parts of all ranks.
//   strategy    as scan.cuh, carrying on the segment that is open at the end of the previous ranks
//   needs       sm_75; MPI, or NCCL between GPUs
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/reduce.cuh>
#include <heddle/device/segmented_scan.cuh>
#include <heddle/distributed/records.cuh>
#include <heddle/distributed/scan.cuh>
#include <heddle/distributed/segment_record.cuh>

#include <cstdint>

namespace heddle::distributed {

namespace detail {

// A segmented scan of a part that follows others, as the kernels see it: like
// device::detail::scan_of_segments, except that the first element continues from `before`.
template <typename Input, typename Marks, typename Output, typename Op, typename Segments,
          bool is_exclusive>
struct continued_segments {
  using value = device::element_of<Input>;
  using mark = device::element_of<Marks>;
  using sum = carried<value, Op>;
  using item = device::detail::part<sum>;
  using combine = device::detail::join_parts<sum, Op>;
  using record = segment_record<sum, typename Segments::template key<mark>>;
  static constexpr bool has_marks = true;
  static constexpr bool needs_previous = Segments::rule::looks_back;

  Input values;
  Marks marks;
  Output output;
  std::int64_t count;
  combine op;
  bool has_initial;
  item initial;
  sum first_of_segment;
  record before;

  [[nodiscard]] __device__ item make(const value& value, const mark& previous, const mark& own,
                                     bool is_first) const {
    const bool begins =
        is_first ? begins_behind_others(own) : Segments::rule::begins(previous, own);
    auto mine = static_cast<sum>(value);
    if constexpr (is_exclusive) {
      mine = warp::detail::combine_where(begins, first_of_segment, mine, mine, op.op);
    }
    return {mine, begins ? 1u : 0u};
  }
  [[nodiscard]] __device__ value result(const item& before_own, const item& own,
                                        const item& including) const {
    if constexpr (is_exclusive) {
      return static_cast<value>(own.has_begin != 0 ? first_of_segment : before_own.value);
    } else {
      return static_cast<value>(including.value);
    }
  }

 private:
  [[nodiscard]] __device__ bool begins_behind_others(const mark& own) const {
    if (Segments::begins_alone(own)) return true;
    return before.has(record::has_keys) && !(before.last_key == Segments::key_of(own));
  }
};

template <typename Segments, bool is_exclusive, typename Ranks, typename Input, typename Marks,
          typename Output, typename Op>
void scan_segments_of_ranks(Ranks& ranks, device::workspace& workspace, Input input, Marks marks,
                            Output output, std::int64_t count, Op op,
                            const device::detail::combined_type<Input, Op, Output>& initial,
                            source_location where) {
  const auto combined = device::detail::as_combined<Op, Output>(input);
  using problem = continued_segments<std::remove_const_t<decltype(combined)>, Marks, Output, Op,
                                     Segments, is_exclusive>;
  using sum = typename problem::sum;
  using record = typename problem::record;
  using key = typename Segments::template key<typename problem::mark>;
  static_assert(sizeof(record) <= 64,
                "a value, two keys and 4 bytes of a segmented scan over ranks have at most 64");
  check_count(count, where);
  const auto first = static_cast<sum>(initial);
  record start = nothing<record>();
  if constexpr (is_exclusive) {
    start.value = first;
    start.facts = record::is_there | record::has_begin;
  }
  const record before =
      before_own_rank(ranks, workspace, start, join_segments<sum, key, Op, is_exclusive>{op, first},
                      where, [&](record* mine) {
                        device::transform_reduce(
                            workspace, device::zipped{combined, marks}, count, mine,
                            join_segments<sum, key, Op, is_exclusive>{op, first},
                            record_of_element<sum, Marks, Segments, Op, is_exclusive>{op, first},
                            nothing<record>(), where);
                      });
  const bool has_before = before.has(record::is_there);
  device::detail::launch_scan(
      workspace,
      problem{combined, marks, output, count, {op}, has_before, {before.value, 1u}, first, before},
      where);
}

}  // namespace detail

// The contract of all segmented scans: that of the collectives in reduce.cuh, and for each part
// that of heddle/device/segmented_scan.cuh. Segments continue from rank to rank, also across empty
// parts.
//   flags       the caller's part of them: a segment begins at each element whose flag is not zero,
//               and at the very first element
//   keys        the caller's part of them: neighbours with equal keys (==) form a segment, even if
//               one is the last of a rank and the other the first of a later one
//   op          associative; need not commute
//   initial     comes before the first element of each segment; every rank passes the same one
//   cost        device::transform_reduce() of the part (not on the last rank, nor on a single one),
//               an all_gather of a value, two keys if there are keys, and 4 bytes, at most 64 bytes
//               in all, and a segmented scan of the part

// Inclusive: each output combines the elements of its segment up to and including its own.
template <exchanges Ranks, device::readable Input, device::readable Flags, typename Output,
          typename Op = plus>
requires device::detail::can_be_scanned<Input, Op>
void segmented_inclusive_scan(Ranks& ranks, device::workspace& workspace, Input input, Flags flags,
                              Output output, std::int64_t count, Op op = {},
                              source_location where = source_location::current()) {
  using value = device::detail::combined_type<Input, Op, Output>;
  detail::scan_segments_of_ranks<detail::by_flags, false>(
      ranks, workspace, input, flags, output, count, op, device::detail::zero_bits<value>(), where);
}
template <exchanges Ranks, device::readable Keys, device::readable Input, typename Output,
          typename Op = plus>
requires device::detail::can_be_scanned<Input, Op>
void inclusive_scan_by_key(Ranks& ranks, device::workspace& workspace, Keys keys, Input input,
                           Output output, std::int64_t count, Op op = {},
                           source_location where = source_location::current()) {
  using value = device::detail::combined_type<Input, Op, Output>;
  detail::scan_segments_of_ranks<detail::by_keys, false>(
      ranks, workspace, input, keys, output, count, op, device::detail::zero_bits<value>(), where);
}

// Exclusive: each output combines the elements of its segment before its own; the first of a
// segment is `initial`.
template <exchanges Ranks, device::readable Input, device::readable Flags, typename Output,
          typename Op = plus>
requires device::detail::can_be_scanned<Input, Op>
void segmented_exclusive_scan_from(Ranks& ranks, device::workspace& workspace,
                                   const device::detail::combined_type<Input, Op, Output>& initial,
                                   Input input, Flags flags, Output output, std::int64_t count,
                                   Op op = {}, source_location where = source_location::current()) {
  detail::scan_segments_of_ranks<detail::by_flags, true>(ranks, workspace, input, flags, output,
                                                         count, op, initial, where);
}
template <exchanges Ranks, device::readable Keys, device::readable Input, typename Output,
          typename Op = plus>
requires device::detail::can_be_scanned<Input, Op>
void exclusive_scan_by_key_from(Ranks& ranks, device::workspace& workspace,
                                const device::detail::combined_type<Input, Op, Output>& initial,
                                Keys keys, Input input, Output output, std::int64_t count,
                                Op op = {}, source_location where = source_location::current()) {
  detail::scan_segments_of_ranks<detail::by_keys, true>(ranks, workspace, input, keys, output,
                                                        count, op, initial, where);
}

// The same with the identity of op.
template <exchanges Ranks, device::readable Input, device::readable Flags, typename Output,
          typename Op = plus>
requires device::detail::can_be_scanned<Input, Op> &&
    has_identity<Op, device::detail::combined_type<Input, Op, Output>>
void segmented_exclusive_scan(Ranks& ranks, device::workspace& workspace, Input input, Flags flags,
                              Output output, std::int64_t count, Op op = {},
                              source_location where = source_location::current()) {
  segmented_exclusive_scan_from(ranks, workspace,
                                identity<Op, device::detail::combined_type<Input, Op, Output>>(),
                                input, flags, output, count, op, where);
}
template <exchanges Ranks, device::readable Keys, device::readable Input, typename Output,
          typename Op = plus>
requires device::detail::can_be_scanned<Input, Op> &&
    has_identity<Op, device::detail::combined_type<Input, Op, Output>>
void exclusive_scan_by_key(Ranks& ranks, device::workspace& workspace, Keys keys, Input input,
                           Output output, std::int64_t count, Op op = {},
                           source_location where = source_location::current()) {
  exclusive_scan_by_key_from(ranks, workspace,
                             identity<Op, device::detail::combined_type<Input, Op, Output>>(), keys,
                             input, output, count, op, where);
}

}  // namespace heddle::distributed
