// Counts every digit of all keys in one kernel, and from the counts makes the plan of a sort.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/device/histogram/counters.cuh>
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/kernel/hand_over.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/sort/key_code.cuh>
#include <heddle/device/sort/plan.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>

namespace heddle::device::detail {

// Counts of the whole input, in kept memory: all zero between calls.
struct digit_totals {
  unsigned arrived;  // blocks
  unsigned long long counts[most_passes][digit_values];
};

// Where the keys of each digit begin in the output of each pass.
using digit_begins = std::uint64_t[digit_values];

// What the kernel is told about the sort besides its keys.
struct plan_request {
  key_digits digits;
  std::int64_t count;
  bool is_in_place;
  int least_passes;
};

// A warp turns the totals of a pass into begins, and clears them.
//   called by   all lanes of a warp of the last block
//   result in   all lanes: whether all keys have the same digit
[[nodiscard]] __device__ inline bool finish_pass(unsigned long long (&counts)[digit_values],
                                                 digit_begins& begins, std::int64_t all) {
  constexpr int own = digit_values / warp_size;
  const int first = lane_id() * own;
  std::uint64_t counted[own];
  std::uint64_t sum = 0;
  bool is_constant = false;
#pragma unroll
  for (int i = 0; i < own; ++i) {
    counted[i] = counts[first + i];
    counts[first + i] = 0;
    sum += counted[i];
    is_constant = is_constant || counted[i] == static_cast<std::uint64_t>(all);
  }
  std::uint64_t begin = warp::inclusive_scan(sum) - sum;
#pragma unroll
  for (int i = 0; i < own; ++i) {
    begins[first + i] = begin;
    begin += counted[i];
  }
  return agreed(is_constant);
}

// The last block to finish makes the plan.
//   column_bits   see counted_in_columns
//   dynamic       shared memory for 256 << column_bits counters of each pass
template <int threads, int in_flight, typename Word>
__global__ void __launch_bounds__(threads, 1)
    count_digits_kernel(const Word* keys, division divided, key_code<Word> code,
                        plan_request request, int column_bits, digit_totals* totals,
                        digit_begins* begins, sort_plan* plan) {
  extern __shared__ uint4 digit_count_memory[];
  __shared__ std::uint32_t constant_digits;
  const key_digits digits = request.digits;
  const int passes = digits.passes;
  counted_in_columns counters(reinterpret_cast<std::uint32_t*>(digit_count_memory), column_bits);
  counters.clear(passes * digit_values);
  if (threadIdx.x == 0) constant_digits = 0;
  __syncthreads();
  start_in_stream_order();
  constexpr int most = static_cast<int>(sizeof(Word)) + 1;  // one may be empty
  const auto count_key = [&](Word key) {
    const Word encoded = code.encode(key);
#pragma unroll
    for (int pass = 0; pass < most; ++pass) {
      if (pass >= passes) break;
      counters.count(pass * digit_values + static_cast<int>(digits[pass].of(encoded)));
    }
  };
  gather<in_flight, caching::normal>(
      keys, divided,
      [&](const auto& values, std::uint32_t, bool is_there) {
        if (!is_there) return;
#pragma unroll
        for (int i = 0; i < loaded<const Word*>::length; ++i) count_key(values[i]);
      },
      [&](Word key, std::int64_t) { count_key(key); });
  __syncthreads();
  for_each_own_bin(passes * digit_values, [&](int bin) {
    const std::uint32_t total = counters.total(bin);
    if (total != 0) add_to_counter(&totals->counts[0][0] + bin, total);
  });
  if (!is_last_block(&totals->arrived)) return;
  for (int pass = warp_rank(); pass < passes; pass += threads / warp_size) {
    const bool is_constant = finish_pass(totals->counts[pass], begins[pass], request.count);
    if (is_constant && lane_id() == 0) atomicOr(&constant_digits, 1u << pass);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  plan->make(passes, constant_digits, request.is_in_place, request.least_passes);
}

}  // namespace heddle::device::detail
