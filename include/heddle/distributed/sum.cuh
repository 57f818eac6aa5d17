// Sums over all ranks: plain, compensated for rounding, or reproducible for any number of ranks.
//   strategy    as reduce(); reproducible sums are long integers, added up element by element
//   needs       sm_75; MPI, or NCCL between GPUs
#pragma once
#include <heddle/core/compensated.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/reproducible_sum.cuh>
#include <heddle/device/sum.cuh>
#include <heddle/distributed/records.cuh>
#include <heddle/distributed/reduce.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::distributed {

namespace detail {

template <typename T, typename Result>
__global__ void round_compensated(const compensated<T>* sum, Result* result) {
  device::detail::start_in_stream_order();
  if (threadIdx.x == 0) *result = static_cast<Result>(sum->value());
}

template <typename T>
__global__ void round_exactly(device::exact_total<T>* total, T* result) {
  device::detail::start_in_stream_order();
  if (threadIdx.x == 0) *result = total->rounded();
}

}  // namespace detail

// The sum of all elements, computed in T; half and bfloat16 are summed in float and rounded once.
//   contract    that of reduce() with plus; the empty sum is 0
template <exchanges Ranks, device::readable Input, typename T>
requires is_number<T>
void sum(Ranks& ranks, device::workspace& workspace, const Input& input, std::int64_t count,
         T* result, source_location where = source_location::current()) {
  reduce(ranks, workspace, input, count, result, plus{}, where);
}

// The sum with a correction term, which is also carried between ranks: accurate to about twice the
// digits of T, rounded once.
//   contract    that of reduce(), and for each part that of device::compensated_sum()
//   cost        device::compensated_sum(), an all_gather of twice the bytes of T, two small kernels
template <exchanges Ranks, device::readable Input, typename T>
requires is_floating<T>
void compensated_sum(Ranks& ranks, device::workspace& workspace, const Input& input,
                     std::int64_t count, T* result,
                     source_location where = source_location::current()) {
  using number = accumulator<T>;
  detail::check_count(count, where);
  const detail::record_memory<compensated<number>> records(workspace, ranks.size(), where);
  device::compensated_sum(workspace, input, count, records.mine(), where);
  gather_on_devices(ranks, workspace, records.mine(), records.all(), sizeof(compensated<number>),
                    where);
  device::reduce(workspace, records.all(), ranks.size(), records.together(), plus{}, where);
  device::detail::launch(workspace, {1, warp_size}, &detail::round_compensated<number, T>,
                         records.together(), result);
}

// The sum of all elements as if computed without rounding, then rounded once to the nearest number.
//   order       any: the same bits for every number of ranks and every division of the elements
//               among them, equal to device::reproducible_sum() of all elements on one device
//   contract    otherwise that of device::reproducible_sum() for each part
//   cost        that, the sum over ranks of 14 (double: 71) 64-bit integers, and a small kernel
template <exchanges Ranks, device::readable Input, typename T>
requires std::is_same_v<T, float> || std::is_same_v<T, double>
void reproducible_sum(Ranks& ranks, device::workspace& workspace, const Input& input,
                      std::int64_t count, T* result,
                      source_location where = source_location::current()) {
  using total = device::exact_total<T>;
  static_assert(sizeof(total) == total::numbers * sizeof(std::int64_t));
  detail::check_count(count, where);
  const detail::record_memory<total> records(workspace, 0, where);
  device::reproducible_sum(workspace, input, count, records.mine(), where);
  sum_on_devices(ranks, workspace, reinterpret_cast<std::int64_t*>(records.mine()), total::numbers,
                 where);
  device::detail::launch(workspace, {1, warp_size}, &detail::round_exactly<T>, records.mine(),
                         result);
}

}  // namespace heddle::distributed
