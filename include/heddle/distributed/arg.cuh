// The largest or smallest element of all ranks, and its index.
//   strategy    device::arg_max() on each rank, and one exchange of the results
//   needs       sm_75; MPI, or NCCL between GPUs
#pragma once
#include <heddle/device/arg.cuh>
#include <heddle/device/reduce.cuh>
#include <heddle/distributed/records.cuh>

#include <cstdint>

namespace heddle::distributed {

using device::indexed;

namespace detail {

using device::detail::extreme;

// The extreme element of consecutive parts, its index counted from the first of them (-1: there is
// none), and the number of their elements.
template <typename T>
struct extreme_of_part {
  indexed<T, std::int64_t> best;
  std::int64_t count;
};

template <extreme wanted, typename T>
struct better_of_parts {
  using part = extreme_of_part<T>;
  [[nodiscard]] __device__ part operator()(const part& a, const part& b) const {
    // All of a's elements come before b's, and win ties.
    const bool takes_b =
        b.best.index >= 0 &&
        (a.best.index < 0 || device::detail::better<wanted, T>::beats(b.best.value, a.best.value));
    part both = takes_b ? b : a;
    if (takes_b) both.best.index += a.count;
    both.count = a.count + b.count;
    return both;
  }
};

template <extreme wanted, typename Ranks, typename Input>
void find_extreme_of_all(Ranks& ranks, device::workspace& workspace, const Input& input,
                         std::int64_t count,
                         indexed<device::element_of<Input>, std::int64_t>* result,
                         source_location where) {
  using part = extreme_of_part<device::element_of<Input>>;
  check_count(count, where);
  const record_memory<part> records(workspace, ranks.size(), where);
  if constexpr (wanted == extreme::largest) {
    device::arg_max(workspace, input, count, &records.mine()->best, where);
  } else {
    device::arg_min(workspace, input, count, &records.mine()->best, where);
  }
  check(cudaMemcpyAsync(&records.mine()->count, &count, sizeof(count), cudaMemcpyHostToDevice,
                        workspace.stream()),
        where);
  gather_on_devices(ranks, workspace, records.mine(), records.all(), sizeof(part), where);
  device::reduce(workspace, records.all(), ranks.size(), records.together(),
                 better_of_parts<wanted, device::element_of<Input>>{}, where);
  copy_value(workspace, &records.together()->best, result, where);
}

}  // namespace detail

// The contract of both functions: that of the collectives in reduce.cuh, and
//   result      the index counts through the parts of all ranks in rank order
//   empty       on all ranks: gives the index -1
//   order       of equal values, the one with the smallest index wins; a NaN loses against any
//               number, as in heddle/device/arg.cuh
//   cost        device::arg_max(), an all_gather of 16 bytes plus the value, a small kernel

// The largest element of all ranks and its index.
template <exchanges Ranks, device::readable Input>
requires is_number<device::element_of<Input>>
void arg_max(Ranks& ranks, device::workspace& workspace, const Input& input, std::int64_t count,
             indexed<device::element_of<Input>, std::int64_t>* result,
             source_location where = source_location::current()) {
  detail::find_extreme_of_all<detail::extreme::largest>(ranks, workspace, input, count, result,
                                                        where);
}

// The smallest element of all ranks and its index.
template <exchanges Ranks, device::readable Input>
requires is_number<device::element_of<Input>>
void arg_min(Ranks& ranks, device::workspace& workspace, const Input& input, std::int64_t count,
             indexed<device::element_of<Input>, std::int64_t>* result,
             source_location where = source_location::current()) {
  detail::find_extreme_of_all<detail::extreme::smallest>(ranks, workspace, input, count, result,
                                                         where);
}

}  // namespace heddle::distributed
