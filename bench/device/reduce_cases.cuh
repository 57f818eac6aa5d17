// Device-wide sums and extremes against CUB, and with several settings of ours.
#pragma once
#include <cub/device/device_reduce.cuh>
#include <heddle/device/arg.cuh>
#include <heddle/device/min_max.cuh>
#include <heddle/device/reproducible_sum.cuh>
#include <heddle/device/sum.cuh>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/device_contest.cuh"

namespace heddle_bench {

// Settings to compare with the default.
using heddle::device::fold_tuning;
struct four_in_flight : fold_tuning {
  static constexpr int many_in_flight = in_flight;
};
struct eight_in_flight : fold_tuning {
  static constexpr int in_flight = 8;
};
struct without_small_blocks : fold_tuning {
  static constexpr int small_threads = threads;
};
struct in_small_blocks : fold_tuning {
  static constexpr int cluster_loads = small_cluster_loads;
  static constexpr int share = 2;
};
struct not_fetched_ahead : fold_tuning {
  static constexpr int bytes_fetched_ahead = 0;
};
struct exact_three_in_flight : heddle::device::reproducible_tuning {
  static constexpr int in_flight = 3;
};

// The exact results to compare with: samples are multiples of 2^-16 in [-1, 1), so 17-bit integers
// represent them. All zero before find_exact_results().
struct exact_results {
  unsigned long long units;     // the sum
  unsigned long long greatest;  // the maximum + 65536; in the low bits last_place - place
  unsigned least;               // 65536 - the minimum

  static constexpr double scale = 65536;
  static constexpr int place_bits = 40;
  static constexpr unsigned long long last_place = (1ull << place_bits) - 1;
  double sum() const { return static_cast<double>(static_cast<long long>(units)) / scale; }
  float largest() const {
    return static_cast<float>(static_cast<double>(greatest >> place_bits) / scale - 1);
  }
  std::int64_t place_of_largest() const {
    return static_cast<std::int64_t>(last_place - (greatest & last_place));
  }
  float smallest() const { return static_cast<float>(1 - static_cast<double>(least) / scale); }
};
static __global__ void find_exact_results(const float* values, std::size_t count,
                                          exact_results* result) {
  long long sum = 0;
  unsigned long long greatest = 0;
  unsigned least = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    const int units = static_cast<int>(values[i] * 65536);
    sum += units;
    greatest =
        max(greatest, static_cast<unsigned long long>(units + 65536) << exact_results::place_bits |
                          (exact_results::last_place - i));
    least = max(least, static_cast<unsigned>(65536 - units));
  }
  atomicAdd(&result->units, static_cast<unsigned long long>(sum));
  atomicMax(&result->greatest, greatest);
  atomicMax(&result->least, least);
}

// The input of all cases, and their outputs.
class reduce_inputs {
 public:
  reduce_inputs(device_contest& contest, std::int64_t count)
      : count_(count),
        turns_(static_cast<std::size_t>(count) * sizeof(float), contest.cache_bytes()),
        values_(turns_.bytes() / sizeof(float)),
        results_(64),
        exact_(1),
        workspace_(contest.stream()),
        stream_(contest.stream()) {
    const std::size_t numbers = turns_.bytes() / sizeof(float);
    fill_with_samples<<<4096, 256, 0, stream_>>>(values_.data(), numbers);
    check(cudaGetLastError());
    results_.poison();
    check(cudaMemset(exact_.data(), 0, sizeof(exact_results)));
    find_exact_results<<<1024, 256, 0, stream_>>>(values_.data(), static_cast<std::size_t>(count),
                                                  exact_.data());
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
  }

  device_case what(double target_us) const {
    return {static_cast<double>(count_) * sizeof(float), turns_.calls(), target_us};
  }
  const float* slice(int call) const {
    return values_.data() + turns_.offset(call) / sizeof(float);
  }

  // Ours; the result must be close to the exact sum of the first slice.
  template <typename Tuning = fold_tuning>
  device_contender sum(std::string name, double goal = 0) {
    return {std::move(name),
            [this](int i) {
              heddle::device::sum<Tuning>(workspace_, slice(i), count_, results_.data());
            },
            goal, [this] { return is_near(); }};
  }
  device_contender compensated(std::string name) {
    return {std::move(name),
            [this](int i) {
              heddle::device::compensated_sum(workspace_, slice(i), count_, results_.data());
            },
            0, [this] { return is_exact(); }};
  }
  template <typename Tuning = heddle::device::reproducible_tuning>
  device_contender reproducible(std::string name, double goal = 0) {
    return {std::move(name),
            [this](int i) {
              heddle::device::reproducible_sum<Tuning>(workspace_, slice(i), count_,
                                                       results_.data());
            },
            goal, [this] { return is_exact(); }};
  }
  template <typename Tuning = fold_tuning>
  device_contender arg_max(std::string name) {
    return {
        std::move(name),
        [this](int i) { heddle::device::arg_max<Tuning>(workspace_, slice(i), count_, found()); },
        0, [this] { return is_first_largest(); }};
  }
  device_contender min_max(std::string name) {
    return {std::move(name),
            [this](int i) { heddle::device::min_max(workspace_, slice(i), count_, both()); }, 0,
            [this] { return are_both_ends(); }};
  }

  // CUB's, with memory requested once, and with the count type that is fastest for it.
  device_contender cub_sum(std::string name, double goal = 1) {
    return {std::move(name),
            [this](int i) {
              const auto call = [&](void* memory, std::size_t& bytes) {
                return cub::DeviceReduce::Sum(memory, bytes, slice(i), results_.data(),
                                              static_cast<int>(count_), stream_);
              };
              with_memory(call);
            },
            goal, [this] { return is_near(); }};
  }
  device_contender cub_arg_max(std::string name) {
    return {std::move(name),
            [this](int i) {
              const auto call = [&](void* memory, std::size_t& bytes) {
                return cub::DeviceReduce::ArgMax(memory, bytes, slice(i), &found()->value,
                                                 &found()->index, count_, stream_);
              };
              with_memory(call);
            },
            1, [this] { return is_first_largest(); }};
  }

 private:
  using place = heddle::device::indexed<float, std::int64_t>;
  using ends = heddle::device::extremes<float>;
  place* found() const { return reinterpret_cast<place*>(results_.data() + 32); }
  ends* both() const { return reinterpret_cast<ends*>(results_.data() + 16); }

  template <typename Call>
  void with_memory(const Call& call) {
    std::size_t bytes = 0;
    check(call(nullptr, bytes));
    check(call(workspace_.scratch(bytes), bytes));
  }

  template <typename T>
  static T copied(const T* on_device) {
    T copy;
    check(cudaMemcpy(&copy, on_device, sizeof copy, cudaMemcpyDeviceToHost));
    return copy;
  }
  exact_results exact() const { return copied(exact_.data()); }
  float result() const { return copied(results_.data()); }
  bool is_exact() const { return result() == static_cast<float>(exact().sum()); }
  bool is_near() const {
    return std::abs(result() - exact().sum()) <= 1e-6 * static_cast<double>(count_);
  }
  bool is_first_largest() const {
    const place result = copied(found());
    return result.value == exact().largest() && result.index == exact().place_of_largest();
  }
  bool are_both_ends() const {
    const ends result = copied(both());
    return result.smallest == exact().smallest() && result.largest == exact().largest();
  }

  std::int64_t count_;
  rotation turns_;
  device_array<float> values_;
  device_array<float> results_;
  device_array<exact_results> exact_;
  heddle::device::workspace workspace_;
  cudaStream_t stream_;
};

struct sum_target {
  std::int64_t count;
  double us;
};
inline constexpr sum_target sum_targets[]{{1024, 1.5},
                                          {16'384, 1.8},
                                          {131'072, 2.3},
                                          {1'048'576, 3.2},
                                          {10'000'000, 11.5},
                                          {std::int64_t{1} << 24, 16.5},
                                          {std::int64_t{1} << 26, 61},
                                          {std::int64_t{1} << 28, 235},
                                          {std::int64_t{1} << 30, 925}};

inline void sums_of(device_contest& contest, std::int64_t count, double target_us) {
  const std::string name = "sum of " + std::to_string(count) + " floats";
  if (!contest.rows().wants(name)) return;
  if (!contest.has_memory(static_cast<std::size_t>(count) * sizeof(float) + (std::size_t{1} << 29)))
    return;
  reduce_inputs inputs(contest, count);
  std::vector<device_contender> contenders{inputs.sum(name),
                                           inputs.cub_sum("cub::DeviceReduce::Sum")};
  if (target_us > 0) {
    const auto add = [&](device_contender one) { contenders.push_back(std::move(one)); };
    if (count < std::int64_t{1} << 25) add(inputs.sum<eight_in_flight>("ours, 8 in flight"));
    if (count >= std::int64_t{1} << 25) add(inputs.sum<four_in_flight>("ours, 4 in flight"));
    if (count <= 1'048'576) add(inputs.sum<not_fetched_ahead>("ours, not fetched ahead"));
    if (count == 131'072) {
      add(inputs.sum<in_small_blocks>("ours, 64 blocks of 256"));
    } else if (count > 1024 && count <= 1'048'576) {
      add(inputs.sum<without_small_blocks>("ours, blocks of 512"));
    }
  }
  contest.run(inputs.what(target_us), contenders);
}

inline void other_reductions_of(device_contest& contest, std::int64_t count) {
  const std::string range = " of " + std::to_string(count) + " floats";
  if (!contest.rows().wants("arg_max" + range) &&
      !contest.rows().wants("compensated_sum" + range) &&
      !contest.rows().wants("reproducible_sum" + range) &&
      !contest.rows().wants("min_max" + range)) {
    return;
  }
  reduce_inputs inputs(contest, count);
  const bool is_large = count >= std::int64_t{1} << 28;
  const std::string own = "our own sum";
  contest.run(inputs.what(0),
              {inputs.arg_max("arg_max" + range), inputs.cub_arg_max("cub::DeviceReduce::ArgMax"),
               inputs.sum(own, is_large ? 1.05 : 0),
               is_large ? inputs.arg_max<four_in_flight>("ours, 4 in flight")
                        : inputs.arg_max<eight_in_flight>("ours, 8 in flight")});
  contest.run(inputs.what(0),
              {inputs.min_max("min_max" + range), inputs.sum(own, is_large ? 1.05 : 0)});
  contest.run(inputs.what(0), {inputs.compensated("compensated_sum" + range),
                               inputs.sum(own, is_large ? 1.10 : 0)});
  contest.run(inputs.what(0), {inputs.reproducible("reproducible_sum" + range),
                               inputs.sum(own, is_large ? 1.10 : 0),
                               inputs.reproducible<exact_three_in_flight>("ours, 3 in flight")});
}

inline void device_reduce_cases(device_contest& contest) {
  for (const auto& [count, us] : sum_targets) sums_of(contest, count, us);
  other_reductions_of(contest, std::int64_t{1} << 20);
  other_reductions_of(contest, std::int64_t{1} << 28);
}

}  // namespace heddle_bench
