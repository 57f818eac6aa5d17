// Reduces the elements of all ranks with any associative operator.
//   strategy    device::reduce() on each rank, one exchange of the results, and a reduction of
//               these in rank order on every rank
//   needs       sm_75; MPI, or NCCL between GPUs
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/device/reduce.cuh>
#include <heddle/distributed/records.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::distributed {

namespace detail {

// For operators with an identity, which is the result of ranks without elements.
template <typename Ranks, typename Input, typename T, typename Op, typename... Initial>
void reduce_with_identity(Ranks& ranks, device::workspace& workspace, const Input& input,
                          std::int64_t count, T* result, const Op& op, source_location where,
                          const Initial&... initial) {
  const record_memory<carried<T, Op>> records(workspace, ranks.size(), where);
  device::reduce(workspace, input, count, records.mine(), op, where);
  gather_on_devices(ranks, workspace, records.mine(), records.all(), sizeof(carried<T, Op>), where);
  device::reduce(workspace, records.all(), ranks.size(), result, op, initial..., where);
}

template <typename Ranks, typename Input, typename T, typename Op>
void reduce_without_identity(Ranks& ranks, device::workspace& workspace, const Input& input,
                             std::int64_t count, T* result, const Op& op, const T* initial,
                             source_location where) {
  using record = maybe<T>;
  static_assert(sizeof(record) <= 64,
                "values that an operator without an identity reduces have at most 60 bytes");
  const record_memory<record> records(workspace, ranks.size(), where);
  mark(workspace, records.mine(), count > 0, where);
  if (count > 0) device::reduce(workspace, input, count, &records.mine()->value, op, where);
  gather_on_devices(ranks, workspace, records.mine(), records.all(), sizeof(record), where);
  const join_maybe<T, Op> join{op};
  if (initial != nullptr) {
    device::reduce(workspace, records.all(), ranks.size(), records.together(), join,
                   record{*initial, 1u}, where);
  } else {
    device::reduce(workspace, records.all(), ranks.size(), records.together(), join, where);
    if (fetched(workspace, &records.together()->is_there, where) == 0) {
      throw error(cudaErrorInvalidValue,
                  "a reduction of nothing needs an initial value or an operator with an identity",
                  where);
    }
  }
  copy_value(workspace, &records.together()->value, result, where);
}

}  // namespace detail

// The contract of all collectives on devices:
//   called by   one host thread of every rank, in the same order on all; `ranks` is a communicator
//               or an nccl_communicator, and all ranks use the same kind
//   input       the caller's part: device memory or an iterator, as in heddle/device. The parts, in
//               rank order, form one range; any of them may be empty
//   result      in device memory, on every rank, in the order of the workspace's stream
//   errors      heddle::error. Errors that depend on all ranks' input are thrown on all ranks
//   exchange    one, of a few bytes for each rank, after the local work; the host waits for the
//               device and for the other ranks, but never longer than the communicator's time limit

// Combines the elements of all ranks.
//   op          associative; need not commute. Values are combined in T as device::reduce() does
//   empty       on all ranks: gives the initial value, or else op's identity; heddle::error if
//               there is neither. With operators without an identity the host waits for the result
//   order       rank order, and within each rank as in device::reduce(): fixed for a given number
//               of ranks and parts, so that sums have the same bits on every run
//   cost        device::reduce(), an all_gather of sizeof(T) bytes (4 more without an identity),
//               and device::reduce() of one value per rank
template <exchanges Ranks, device::readable Input, typename T, combines<T> Op>
void reduce(Ranks& ranks, device::workspace& workspace, const Input& input, std::int64_t count,
            T* result, Op op, source_location where = source_location::current()) {
  detail::check_count(count, where);
  if constexpr (has_identity<Op, carried<T, Op>>) {
    detail::reduce_with_identity(ranks, workspace, input, count, result, op, where);
  } else {
    detail::reduce_without_identity(ranks, workspace, input, count, result, op,
                                    static_cast<const T*>(nullptr), where);
  }
}
// The same with a value before the very first element; every rank passes the same one.
template <exchanges Ranks, device::readable Input, typename T, combines<T> Op>
void reduce(Ranks& ranks, device::workspace& workspace, const Input& input, std::int64_t count,
            T* result, Op op, std::type_identity_t<T> initial,
            source_location where = source_location::current()) {
  detail::check_count(count, where);
  if constexpr (has_identity<Op, carried<T, Op>>) {
    detail::reduce_with_identity(ranks, workspace, input, count, result, op, where, initial);
  } else {
    detail::reduce_without_identity(ranks, workspace, input, count, result, op, &initial, where);
  }
}

}  // namespace heddle::distributed
