// Scans across the parts of all ranks.
//   strategy    each rank reduces its part, one exchange gives it the total of the ranks before it,
//               and it scans its part from there
//   needs       sm_75; MPI, or NCCL between GPUs
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/device/reduce.cuh>
#include <heddle/device/scan.cuh>
#include <heddle/distributed/records.cuh>

#include <cstdint>

namespace heddle::distributed {

namespace detail {

// Combines `start` and the results of the ranks before the caller's: each rank reduces its part,
// and all ranks get all results. The last rank's part precedes no other, so it is not reduced.
//   reduce_part   writes the reduction of the caller's part into a record
template <typename Record, typename Ranks, typename Op, typename ReducePart>
[[nodiscard]] Record before_own_rank(Ranks& ranks, device::workspace& workspace,
                                     const Record& start, const Op& op, source_location where,
                                     const ReducePart& reduce_part) {
  if (ranks.size() == 1) return start;
  const record_memory<Record> records(workspace, ranks.size(), where);
  if (ranks.rank() + 1 < ranks.size()) {
    reduce_part(records.mine());
  } else {
    check(cudaMemsetAsync(records.mine(), 0, sizeof(Record), workspace.stream()), where);
  }
  gather_on_devices(ranks, workspace, records.mine(), records.all(), sizeof(Record), where);
  device::reduce(workspace, records.all(), ranks.rank(), records.together(), op, start, where);
  return fetched(workspace, records.together(), where);
}

template <bool is_exclusive, typename Ranks, typename Input, typename Output, typename Op>
void scan_all_ranks(Ranks& ranks, device::workspace& workspace, const Input& input, Output output,
                    std::int64_t count, Op op,
                    const device::detail::combined_type<Input, Op, Output>* initial,
                    source_location where) {
  const auto combined = device::detail::as_combined<Op, Output>(input);
  using problem =
      device::detail::whole_scan<std::remove_const_t<decltype(combined)>, Output, Op, is_exclusive>;
  using item = typename problem::item;
  using record = maybe<item>;
  static_assert(sizeof(record) <= 64, "the elements of a scan over ranks have at most 60 bytes");
  check_count(count, where);
  record start = nothing<record>();
  if (initial != nullptr) start = {static_cast<item>(*initial), 1u};
  const auto reduce_part = [&](record* mine) {
    mark(workspace, mine, count > 0, where);
    if (count > 0) device::reduce(workspace, combined, count, &mine->value, op, where);
  };
  const record before =
      before_own_rank(ranks, workspace, start, join_maybe<item, Op>{op}, where, reduce_part);
  device::detail::launch_scan(
      workspace, problem{combined, {}, output, count, op, before.is_there != 0, before.value},
      where);
}

}  // namespace detail

// The contract of all scans: that of the collectives in reduce.cuh, and for each part that of the
// scans in heddle/device/scan.cuh; elements have at most 60 bytes.
//   output      the caller's part of the result, as long as its part of the input
//   op          associative; need not commute
//   order       fixed for a given number of ranks and parts: the same bits on every run.
//               Floating-point sums depend on how the elements are divided among ranks
//   cost        device::reduce() of the part (not on the last rank, nor on a single one), an
//               all_gather of an element and 4 bytes, and a scan of the part; the host waits for
//               the total of the ranks before it

// Inclusive scan: each output combines the elements up to and including its own.
template <exchanges Ranks, device::readable Input, typename Output, typename Op = plus>
requires device::detail::can_be_scanned<Input, Op>
void inclusive_scan(Ranks& ranks, device::workspace& workspace, Input input, Output output,
                    std::int64_t count, Op op = {},
                    source_location where = source_location::current()) {
  detail::scan_all_ranks<false>(
      ranks, workspace, input, output, count, op,
      static_cast<const device::detail::combined_type<Input, Op, Output>*>(nullptr), where);
}

// The same with `initial` before the very first element; every rank passes the same one.
template <exchanges Ranks, device::readable Input, typename Output, typename Op = plus>
requires device::detail::can_be_scanned<Input, Op>
void inclusive_scan_from(Ranks& ranks, device::workspace& workspace,
                         const device::detail::combined_type<Input, Op, Output>& initial,
                         Input input, Output output, std::int64_t count, Op op = {},
                         source_location where = source_location::current()) {
  detail::scan_all_ranks<false>(ranks, workspace, input, output, count, op, &initial, where);
}

// Exclusive scan: each output combines the elements before its own; the very first is op's
// identity.
template <exchanges Ranks, device::readable Input, typename Output, typename Op = plus>
requires device::detail::can_be_scanned<Input, Op> &&
    has_identity<Op, device::detail::combined_type<Input, Op, Output>>
void exclusive_scan(Ranks& ranks, device::workspace& workspace, Input input, Output output,
                    std::int64_t count, Op op = {},
                    source_location where = source_location::current()) {
  const auto initial = identity<Op, device::detail::combined_type<Input, Op, Output>>();
  detail::scan_all_ranks<true>(ranks, workspace, input, output, count, op, &initial, where);
}

// The same with `initial` before the very first element.
template <exchanges Ranks, device::readable Input, typename Output, typename Op = plus>
requires device::detail::can_be_scanned<Input, Op>
void exclusive_scan_from(Ranks& ranks, device::workspace& workspace,
                         const device::detail::combined_type<Input, Op, Output>& initial,
                         Input input, Output output, std::int64_t count, Op op = {},
                         source_location where = source_location::current()) {
  detail::scan_all_ranks<true>(ranks, workspace, input, output, count, op, &initial, where);
}

}  // namespace heddle::distributed
