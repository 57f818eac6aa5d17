// Sorts the keys of one tile by one digit in shared memory: counts, ranks and stages them.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/device/sort/plan.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>

namespace heddle::device::detail {

// The lanes whose digit is the caller's: one vote per bit. A match would look at one digit after
// the other, and a row of random keys has about thirty.
//   called by   all lanes of a warp
[[nodiscard]] __device__ inline lane_mask lanes_with_digit(std::uint32_t digit) {
  lane_mask same = all_lanes;
#pragma unroll
  for (int bit = 0; bit < digit_bits; ++bit) {
    const bool is_set = (digit >> bit & 1) != 0;
    const lane_mask set = __ballot_sync(all_lanes, is_set);
    same &= is_set ? set : ~set;
  }
  return same;
}

// A block's counters in shared memory, one row of digits for each warp. A warp reads and writes its
// own row; between two barriers the first threads, one for each digit, turn counts into places.
class digit_counters {
 public:
  __device__ explicit digit_counters(std::uint32_t* rows)
      : rows_(rows), own_(rows + warp_rank() * digit_values) {}
  [[nodiscard]] __host__ __device__ static constexpr int bytes_for(int warps) {
    return warps * digit_values * static_cast<int>(sizeof(std::uint32_t));
  }

  //   called by   all lanes of a warp
  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < digit_values; i += warp_size) own_[i + lane_id()] = 0;
    __syncwarp();
  }
  __device__ void count(std::uint32_t digit) { atomicAdd(own_ + digit, 1u); }

  // How many keys of the block have that digit.
  [[nodiscard]] __device__ std::uint32_t total(int digit, int warps) const {
    std::uint32_t sum = 0;
    for (int warp = 0; warp < warps; ++warp) sum += rows_[warp * digit_values + digit];
    return sum;
  }
  // Replaces the counts of a digit by where each warp's keys with that digit begin.
  //   first       where the block's keys with that digit begin
  __device__ void make_places(int digit, int warps, std::uint32_t first) {
    for (int warp = 0; warp < warps; ++warp) {
      std::uint32_t& place = rows_[warp * digit_values + digit];
      const std::uint32_t counted = place;
      place = first;
      first += counted;
    }
  }

  // The next place of a key with that digit; keys of equal digit in any order.
  [[nodiscard]] __device__ std::uint32_t take_any(std::uint32_t digit) {
    return atomicAdd(own_ + digit, 1u);
  }
  // The same for a row of keys, one for each lane: keys of equal digit in lane order. All lanes of
  // a digit read its counter, then the last of them moves it on; or that lane does both in one
  // atomic and passes the old value on.
  //   called by   all lanes of a warp, row after row
  template <bool by_atomic>
  [[nodiscard]] __device__ std::uint32_t take_in_order(std::uint32_t digit) {
    const lane_mask same = lanes_with_digit(digit);
    const auto before = static_cast<std::uint32_t>(rank(same));
    std::uint32_t place = 0;
    if constexpr (by_atomic) {
      const int last = last_lane(same);
      if (lane_id() == last) place = atomicAdd(own_ + digit, before + 1);
      __syncwarp();  // the next row's lanes come after this one's
      place = __shfl_sync(all_lanes, place, last);
    } else {
      place = own_[digit];
      __syncwarp();
      if ((same >> lane_id()) == 1) own_[digit] = place + before + 1;
      __syncwarp();
    }
    return place + before;
  }

 private:
  std::uint32_t* rows_;
  std::uint32_t* own_;
};

// Where the keys with the caller's digit begin in a tile: the sum of all smaller digits' counts.
//   called by   every thread of the block, which has at least a thread for each digit
//   total       of digit `thread_rank()`; other threads have none
//   result in   the thread of the digit
//   scratch     a word for each warp of digits; free again after the next barrier
//   cost        one barrier
[[nodiscard]] __device__ inline std::uint32_t begin_of_digit(std::uint32_t total,
                                                             std::uint32_t* scratch) {
  constexpr int warps = digit_values / warp_size;
  const int warp = warp_rank();
  const bool has_digit = agreed(warp < warps);
  std::uint32_t including = 0;
  if (has_digit) {
    including = warp::inclusive_scan(total);
    if (lane_id() == warp_size - 1) scratch[warp] = including;
  }
  __syncthreads();
  std::uint32_t begin = including - total;
  if (has_digit) {
#pragma unroll
    for (int earlier = 0; earlier < warps - 1; ++earlier) {
      begin += earlier < warp ? scratch[earlier] : 0u;
    }
  }
  return begin;
}

}  // namespace heddle::device::detail
