// Shuffle against shared memory, xor against down, and unrolling.
#pragma once
#include "experiments/laboratory.cuh"
// After the header that turns preconditions off.
#include <cstddef>
#include <string>
#include <vector>

#include "experiments/array_sums.cuh"
#include "experiments/warp_sums.cuh"

namespace heddle_bench {

inline const char* const shuffle_or_shared = "shuffle against shared memory";
inline const char* const xor_or_down = "xor against down";
inline const char* const unrolling = "unrolling";

// Small integers, whose sums are exact in any order.
static __global__ void fill_with_small_numbers(float* values, std::size_t count) {
  const std::size_t threads = std::size_t{1} * gridDim.x * blockDim.x;
  for (std::size_t i = std::size_t{1} * blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += threads) {
    values[i] = static_cast<float>(i * 2654435761u >> 7 & 3);
  }
}

class number_array {
 public:
  explicit number_array(std::size_t count) : values_(count), count_(count) {
    fill_with_small_numbers<<<1024, 256>>>(values_.data(), count);
    check(cudaGetLastError());
    for (const float one : values_.values(count)) sum_ += one;
  }
  const float* data() const { return values_.data(); }
  std::size_t count() const { return count_; }

  bool is_sum_of(const std::vector<float>& parts) const {
    double sum = 0;
    for (const float one : parts) sum += one;
    return sum == sum_;
  }
  double gigabytes_per_second(double nanoseconds) const {
    return static_cast<double>(count_) * sizeof(float) / nanoseconds;
  }

 private:
  device_array<float> values_;
  std::size_t count_;
  double sum_ = 0;
};

template <typename Sum, bool votes>
void sum_rows_by(laboratory& laboratory, const number_array& numbers, const std::string& variant) {
  const auto rows = static_cast<unsigned>(numbers.count() / heddle::warp_size);
  const device_array<float> sums(rows);
  const int blocks = laboratory.multiprocessors() * 8;
  const double took = laboratory.nanoseconds([&] { sums.poison(); },
                                             [&] {
                                               sum_rows<Sum, votes><<<blocks, warp_bench_threads>>>(
                                                   numbers.data(), rows, sums.data());
                                             });
  check(numbers.is_sum_of(sums.values(rows)), "sums of rows are wrong");
  laboratory.rows().row(shuffle_or_shared,
                        (votes ? "rows from memory, agreed: " : "rows from memory: ") + variant,
                        "speed", "GB/s", numbers.gigabytes_per_second(took));
}

template <bool votes>
void sum_rows_by_all(laboratory& laboratory, const number_array& numbers) {
  sum_rows_by<sum_by_xor, votes>(laboratory, numbers, "shuffles");
  sum_rows_by<sum_by_shared_exchange, votes>(laboratory, numbers, "shared memory, the same steps");
  sum_rows_by<sum_by_shared_tree, votes>(laboratory, numbers, "shared memory, tree");
  sum_rows_by<sum_by_shared_reading, votes>(laboratory, numbers,
                                            "shared memory, every lane reads all");
}

using sum_kernel = void (*)(const float*, unsigned, float*);

inline void sum_array_by(laboratory& laboratory, const number_array& numbers, int blocks_each,
                         sum_kernel kernel, const std::string& variant) {
  const int blocks = laboratory.multiprocessors() * blocks_each;
  const std::size_t threads = std::size_t{1} * blocks * warp_bench_threads;
  const device_array<float> sums(threads);
  const double took = laboratory.nanoseconds(
      [&] { sums.poison(); },
      [&] {
        kernel<<<blocks, warp_bench_threads>>>(numbers.data(),
                                               static_cast<unsigned>(numbers.count()), sums.data());
      });
  check(numbers.is_sum_of(sums.values(threads)), "the sum of an array is wrong");
  const int warps_each = blocks_each * warp_bench_threads / heddle::warp_size;
  laboratory.rows().row(
      unrolling, "array, " + std::to_string(warps_each) + " warps a multiprocessor: " + variant,
      "speed", "GB/s", numbers.gigabytes_per_second(took));
}

inline void sum_experiments(laboratory& laboratory) {
  constexpr std::size_t count = std::size_t{1} << 27;  // ten times what the cache holds
  using feed = number_feed<float>;
  // Only lane 0 uses the result, since that is where `down` leaves the sum.
  using first_lane_feed = number_feed<float, 32, 32>;
  if (laboratory.rows().wants(shuffle_or_shared)) {
    laboratory.compare<feed>(
        shuffle_or_shared,
        {warps<feed, sum_by_xor>("shuffles"),
         warps<feed, sum_by_shared_exchange>("shared memory, the same steps"),
         warps<feed, sum_by_shared_tree>("shared memory, tree"),
         warps<feed, sum_by_shared_reading>("shared memory, every lane reads all")});
    const number_array numbers(count);
    sum_rows_by_all<false>(laboratory, numbers);
    sum_rows_by_all<true>(laboratory, numbers);
  }
  laboratory.compare<feed>(
      xor_or_down, {warps<feed, sum_by_xor>("xor: sum in all lanes"),
                    warps<feed, sum_by_down_and_broadcast>("down and broadcast: in all lanes")});
  laboratory.compare<first_lane_feed>(xor_or_down,
                                      {warps<first_lane_feed, sum_by_xor>("xor: lane 0 listens"),
                                       warps<first_lane_feed, sum_by_down>("down: in lane 0")});
  if (laboratory.rows().wants(unrolling)) {
    laboratory.compare<feed>(unrolling, {warps<feed, sum_by_xor>("sum of a warp, unrolled"),
                                         warps<feed, sum_by_rolled_xor>("sum of a warp, a loop")});
    const number_array numbers(count);
    for (const int blocks_each : {1, 8}) {
      const auto sum_by = [&](sum_kernel kernel, const std::string& variant) {
        sum_array_by(laboratory, numbers, blocks_each, kernel, variant);
      };
      sum_by(sum_unrolled<1>, "a loop");
      sum_by(sum_unrolled<2>, "unrolled by 2");
      sum_by(sum_unrolled<4>, "unrolled by 4");
      sum_by(sum_unrolled<8>, "unrolled by 8");
      sum_by(sum_unrolled<16>, "unrolled by 16");
      sum_by(sum_grid_stride<8>, "grid-stride loop, unrolled by 8");
    }
  }
}

}  // namespace heddle_bench
