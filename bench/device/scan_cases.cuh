// Device-wide scans against CUB, and with several settings of ours.
#pragma once
#include <cub/device/device_scan.cuh>
#include <heddle/device/scan.cuh>
#include <heddle/device/segmented_scan.cuh>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/device_contest.cuh"

namespace heddle_bench {

// Settings to compare with the defaults. For the pipeline: scanning warps, bytes per lane, stages,
// reducing warps and look-back warps.
template <int... numbers>
using scan_tuning = heddle::device::detail::pipeline_setting<numbers...>;
using three_lookers = scan_tuning<10, 64, 10, 2, 3>;
using five_reducers = scan_tuning<10, 64, 10, 5, 2>;
using tiles_of_16k = scan_tuning<8, 64, 12, 2, 2>;
using four_lookers = scan_tuning<10, 128, 5, 5, 4>;

// Counts the results of two scans that differ by more than rounding.
template <typename T>
static __global__ void count_differences(const T* a, const T* b, std::int64_t count,
                                         double tolerance, unsigned* wrong) {
  for (std::int64_t i = blockIdx.x * std::int64_t{1} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{1} * gridDim.x * blockDim.x) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    if (!(fabs(difference) <= tolerance)) atomicAdd(wrong, 1u);
  }
}

// Input for a scan: small multiples of 2^-16, or any integers.
template <typename T>
static __global__ void fill_for_scans(T* values, std::size_t count) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    const std::uint32_t bits = thread_bits(static_cast<int>(i ^ i >> 31));
    if constexpr (std::is_integral_v<T>) {
      values[i] = static_cast<T>(bits);
    } else {
      values[i] = static_cast<T>(static_cast<std::int32_t>(bits) >> 15) / T{65536};
    }
  }
}

// Keys of segments of 1 to about 200 elements.
static __global__ void fill_with_keys(int* keys, std::size_t count) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    const std::size_t hundred = i / 100;
    const std::size_t cut = thread_bits(static_cast<int>(hundred)) % 100;
    keys[i] = static_cast<int>(hundred + (i % 100 >= cut ? 1 : 0));
  }
}

// The inputs and outputs of all calls of a case.
template <typename T, bool has_keys = false>
class scan_inputs {
 public:
  using problem = heddle::device::detail::whole_scan<const T*, T*, heddle::plus, false>;
  using key_problem =
      heddle::device::detail::scan_of_segments<const T*, const int*, T*, heddle::plus,
                                               heddle::device::detail::begins_at_change, false>;

  scan_inputs(device_contest& contest, std::int64_t count)
      : count_(count),
        turns_(static_cast<std::size_t>(count) * sizeof(T), contest.cache_bytes()),
        values_(turns_.bytes() / sizeof(T)),
        results_(turns_.bytes() / sizeof(T)),
        keys_(has_keys ? turns_.bytes() / sizeof(T) : 1),
        wanted_(static_cast<std::size_t>(count)),
        wrong_(1),
        workspace_(contest.stream()),
        stream_(contest.stream()) {
    fill_for_scans<<<4096, 256, 0, stream_>>>(values_.data(), turns_.bytes() / sizeof(T));
    if constexpr (has_keys) {
      fill_with_keys<<<4096, 256, 0, stream_>>>(keys_.data(), turns_.bytes() / sizeof(T));
    }
    check(cudaGetLastError());
    check(cub_scan(nullptr, storage_bytes_, 0, wanted_.data()));
    storage_ = std::make_unique<device_array<std::byte>>(storage_bytes_ + 1);
    check(cub_scan(storage_->data(), storage_bytes_, 0, wanted_.data()));
    check(cudaStreamSynchronize(stream_));
  }

  static std::size_t bytes(std::int64_t count, std::size_t cache_bytes) {
    const rotation turns(static_cast<std::size_t>(count) * sizeof(T), cache_bytes);
    return turns.bytes() * (has_keys ? 3 : 2) + static_cast<std::size_t>(count) * sizeof(T);
  }
  device_case what(double target_us) const {
    const double moved = 2.0 * sizeof(T) + (has_keys ? sizeof(int) : 0);
    return {static_cast<double>(count_) * moved, turns_.calls(), target_us};
  }

  // False on GPUs without bulk copies, where all scans work in registers.
  bool has_pipeline() const { return workspace_.facts().has(heddle::feature::bulk_copy); }

  device_contender ours(std::string name) {
    return {std::move(name),
            [this](int i) {
              poison(i);
              if constexpr (has_keys) {
                heddle::device::inclusive_scan_by_key(workspace_, keys(i), values(i), results(i),
                                                      count_);
              } else {
                heddle::device::inclusive_scan(workspace_, values(i), results(i), count_);
              }
            },
            0, [this] { return is_right(); }};
  }
  template <typename Setting>
  device_contender pipeline(std::string name) {
    return {std::move(name),
            [this](int i) {
              poison(i);
              bool is_launched = false;
              if constexpr (has_keys) {
                is_launched = heddle::device::detail::scan_by_pipeline<Setting>(workspace_,
                                                                                key_problem_of(i));
              } else {
                is_launched =
                    heddle::device::detail::scan_by_pipeline<Setting>(workspace_, problem_of(i));
              }
              check(is_launched, "this GPU has no bulk copies, or too little shared memory");
            },
            0, [this] { return is_right(); }};
  }
  device_contender plain(std::string name) {
    using setting =
        heddle::device::detail::scan_setting_of<std::conditional_t<has_keys, key_problem, problem>>;
    return {std::move(name),
            [this](int i) {
              poison(i);
              if constexpr (has_keys) {
                heddle::device::detail::scan_plainly<setting>(workspace_, key_problem_of(i));
              } else {
                heddle::device::detail::scan_plainly<setting>(workspace_, problem_of(i));
              }
            },
            0, [this] { return is_right(); }};
  }
  device_contender cub(double goal = 1) {
    return {has_keys ? "cub::DeviceScan by key" : "cub::DeviceScan",
            [this](int i) { check(cub_scan(storage_->data(), storage_bytes_, i, results(i))); },
            goal,
            {}};
  }

 private:
  const T* values(int i) const { return values_.data() + turns_.offset(i) / sizeof(T); }
  const int* keys(int i) const { return keys_.data() + turns_.offset(i) / sizeof(T); }
  T* results(int i) const { return results_.data() + turns_.offset(i) / sizeof(T); }
  problem problem_of(int i) const { return {values(i), {}, results(i), count_, {}, false, T{0}}; }
  key_problem key_problem_of(int i) const {
    return {values(i), keys(i), results(i), count_, {}, false, {T{0}, 0}, T{0}};
  }

  cudaError_t cub_scan(void* storage, std::size_t& bytes, int i, T* results) {
    if constexpr (has_keys) {
      return cub::DeviceScan::InclusiveSumByKey(storage, bytes, keys(i), values(i), results, count_,
                                                cuda::std::equal_to<>{}, stream_);
    } else {
      return cub::DeviceScan::InclusiveSum(storage, bytes, values(i), results, count_, stream_);
    }
  }

  // Only before the first call of a contender, which is not timed.
  void poison(int i) {
    cudaStreamCaptureStatus status{};
    check(cudaStreamIsCapturing(stream_, &status));
    if (i == 0 && status == cudaStreamCaptureStatusNone) {
      check(
          cudaMemsetAsync(results(0), 0xff, static_cast<std::size_t>(count_) * sizeof(T), stream_));
    }
  }
  bool is_right() {
    const double tolerance = std::is_integral_v<T> ? 0 : 1e-3 + 1e-5 * std::sqrt(1.0 * count_);
    check(cudaMemsetAsync(wrong_.data(), 0, sizeof(unsigned), stream_));
    count_differences<<<4096, 256, 0, stream_>>>(static_cast<const T*>(results(0)),
                                                 static_cast<const T*>(wanted_.data()), count_,
                                                 tolerance, wrong_.data());
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
    return wrong_.values(1)[0] == 0;
  }

  std::int64_t count_;
  rotation turns_;
  device_array<T> values_;
  device_array<T> results_;
  device_array<int> keys_;
  device_array<T> wanted_;
  device_array<unsigned> wrong_;
  heddle::device::workspace workspace_;
  cudaStream_t stream_;
  std::size_t storage_bytes_ = 0;
  std::unique_ptr<device_array<std::byte>> storage_;
};

inline std::string power_of_two(std::int64_t count) {
  int exponent = 0;
  while (std::int64_t{1} << (exponent + 1) <= count) ++exponent;
  return "2^" + std::to_string(exponent);
}

inline void scan_floats(device_contest& contest, std::int64_t count, double target_us) {
  const std::string name = "inclusive_scan(float), " + power_of_two(count);
  if (!contest.rows().wants(name)) return;
  if (!contest.has_memory(scan_inputs<float>::bytes(count, contest.cache_bytes()))) return;
  scan_inputs<float> inputs(contest, count);
  std::vector<device_contender> contenders{inputs.ours(name), inputs.cub(),
                                           inputs.plain("ours, in registers")};
  if (inputs.has_pipeline() && count >= std::int64_t{1} << 20) {
    contenders.push_back(inputs.pipeline<three_lookers>("ours, 3 look back"));
    contenders.push_back(inputs.pipeline<five_reducers>("ours, 5 reduce"));
    contenders.push_back(inputs.pipeline<tiles_of_16k>("ours, 16 KiB, 12 stages"));
  }
  contest.run(inputs.what(target_us), contenders);
}

template <typename T>
void scan_others(device_contest& contest, const std::string& type, std::int64_t count) {
  const std::string name = "inclusive_scan(" + type + "), " + power_of_two(count);
  if (!contest.rows().wants(name)) return;
  if (!contest.has_memory(scan_inputs<T>::bytes(count, contest.cache_bytes()))) return;
  scan_inputs<T> inputs(contest, count);
  std::vector<device_contender> contenders{inputs.ours(name), inputs.cub(),
                                           inputs.plain("ours, in registers")};
  if (inputs.has_pipeline()) {
    contenders.push_back(inputs.template pipeline<four_lookers>("ours, 40 KiB, 4 look back"));
  }
  contest.run(inputs.what(0), contenders);
}

inline void scan_floats_by_key(device_contest& contest, std::int64_t count, double target_us) {
  const std::string name = "inclusive_scan_by_key(float, int), " + power_of_two(count);
  if (!contest.rows().wants(name)) return;
  if (!contest.has_memory(scan_inputs<float, true>::bytes(count, contest.cache_bytes()))) return;
  scan_inputs<float, true> inputs(contest, count);
  std::vector<device_contender> contenders{inputs.ours(name), inputs.cub(),
                                           inputs.plain("ours, in registers")};
  if (inputs.has_pipeline()) {
    contenders.push_back(inputs.pipeline<four_lookers>("ours, 4 look back"));
  }
  contest.run(inputs.what(target_us), contenders);
}

inline void device_scan_cases(device_contest& contest) {
  scan_floats(contest, std::int64_t{1} << 10, 0);
  scan_floats(contest, std::int64_t{1} << 13, 0);
  scan_floats(contest, std::int64_t{1} << 16, 0);
  scan_floats(contest, std::int64_t{1} << 20, 6);
  scan_floats(contest, std::int64_t{1} << 22, 0);
  scan_floats(contest, std::int64_t{1} << 24, 38);
  scan_floats(contest, std::int64_t{1} << 26, 142);
  scan_floats(contest, std::int64_t{1} << 28, 545);
  scan_floats(contest, std::int64_t{1} << 30, 2180);
  scan_others<double>(contest, "double", std::int64_t{1} << 26);
  scan_others<int>(contest, "int", std::int64_t{1} << 28);
  scan_others<std::uint8_t>(contest, "uint8", std::int64_t{1} << 28);
  scan_floats_by_key(contest, std::int64_t{1} << 26, 220);
}

}  // namespace heddle_bench
