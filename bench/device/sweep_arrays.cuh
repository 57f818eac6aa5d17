// The arrays of a sweep over sizes: allocated for the largest size, and shared by all others.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "support/device_contest.cuh"

namespace heddle_bench {

inline constexpr int sweep_run_length = 16;  // equal keys per run
inline constexpr int sweep_segment = 64;     // values per segment
inline constexpr int sweep_most_bins = 65'536;

static __global__ void fill_for_sweep(int* keys, int* offsets, std::uint8_t* bytes,
                                      std::size_t count) {
  for (std::size_t i = std::size_t{1} * blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    keys[i] = static_cast<int>(i / sweep_run_length);
    bytes[i] = static_cast<std::uint8_t>(thread_bits(static_cast<int>(i)) >> 11);
    if (i % sweep_segment == 0) offsets[i / sweep_segment] = static_cast<int>(i);
  }
}

// Results of one contender that are compared with the other's.
struct sweep_results {
  std::vector<double> exact;    // integers
  std::vector<double> rounded;  // sums, compared with a tolerance

  // Adds the first and the last of `count` results.
  template <typename T>
  sweep_results& take(const T* from, std::int64_t count) {
    const std::int64_t some = std::min<std::int64_t>(count, 512);
    std::vector<T> ends(static_cast<std::size_t>(2 * some));
    const std::size_t bytes = static_cast<std::size_t>(some) * sizeof(T);
    check(cudaMemcpy(ends.data(), from, bytes, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(ends.data() + some, from + count - some, bytes, cudaMemcpyDeviceToHost));
    auto& kind = std::is_integral_v<T> ? exact : rounded;
    kind.insert(kind.end(), ends.begin(), ends.end());
    return *this;
  }
  bool agrees_with(const sweep_results& other, double tolerance) const {
    return exact == other.exact &&
           std::equal(rounded.begin(), rounded.end(), other.rounded.begin(), other.rounded.end(),
                      [&](double a, double b) { return std::abs(a - b) <= tolerance; });
  }
};

class sweep_arrays {
 public:
  static constexpr int least_power = 10, most_power = 30, power_step = 2;

  explicit sweep_arrays(device_contest& contest)
      : cache_bytes_(contest.cache_bytes()),
        largest_power_(largest_that_fits(contest)),
        slots_(slots(largest_power_, cache_bytes_)),
        values_(slots_),
        results_(slots_),
        keys_(slots_),
        unique_(slots_),
        offsets_(slots_ / sweep_segment + 1),
        bytes_(slots_),
        found_(1),
        bins_(sweep_most_bins),
        stream_(contest.stream()) {
    fill_with_samples<<<4096, 256, 0, stream_>>>(values_.data(), slots_);
    fill_for_sweep<<<4096, 256, 0, stream_>>>(keys_.data(), offsets_.data(), bytes_.data(), slots_);
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
  }

  int largest_power() const { return largest_power_; }
  // Later calls are for `count` elements of this size.
  void set(std::int64_t count, std::size_t element_bytes) {
    count_ = count;
    element_bytes_ = element_bytes;
    turns_ = rotation(static_cast<std::size_t>(count) * element_bytes, cache_bytes_);
    spoil();
  }
  std::int64_t count() const { return count_; }
  int calls() const { return turns_.calls(); }

  // The inputs and outputs of the i-th call.
  const float* values(int i) const { return values_.data() + slot(i); }
  const int* keys(int i) const { return keys_.data() + slot(i); }
  const std::uint8_t* bytes(int i) const { return bytes_.data() + slot(i); }
  float* results(int i) const { return results_.data() + slot(i); }
  int* unique(int i) const { return unique_.data() + slot(i); }
  // Shared by all calls.
  const int* offsets() const { return offsets_.data(); }
  unsigned* bins() const { return bins_.data(); }
  std::int64_t* found() const { return found_.data(); }

  std::int64_t number_found() const {
    return std::clamp<std::int64_t>(found_.values(1)[0], 0, count_);
  }
  // Overwrites all outputs of the first call.
  void spoil() const {
    const std::size_t bytes = static_cast<std::size_t>(count_) * sizeof(float);
    check(cudaMemsetAsync(results(0), 0xa5, bytes, stream_));
    check(cudaMemsetAsync(unique(0), 0xa5, bytes, stream_));
    check(cudaMemsetAsync(bins(), 0xa5, sweep_most_bins * sizeof(unsigned), stream_));
    check(cudaMemsetAsync(found(), 0xa5, sizeof(std::int64_t), stream_));
    check(cudaStreamSynchronize(stream_));
  }

 private:
  // A rotation takes less than five times the cache, or one slice.
  static std::size_t slots(int power, std::size_t cache_bytes) {
    const std::size_t most = std::max(std::size_t{1} << power, 5 * cache_bytes);
    return (most + sweep_segment - 1) / sweep_segment * sweep_segment;
  }
  static int largest_that_fits(const device_contest& contest) {
    constexpr std::size_t slot_bytes = 18, others = std::size_t{1} << 29;
    int power = most_power;
    while (power > least_power &&
           !contest.has_memory(slots(power, contest.cache_bytes()) * slot_bytes + others)) {
      power -= power_step;
    }
    return power;
  }
  std::size_t slot(int i) const { return turns_.offset(i) / element_bytes_; }

  std::size_t cache_bytes_;
  int largest_power_;
  std::size_t slots_;
  device_array<float> values_, results_;
  device_array<int> keys_, unique_, offsets_;
  device_array<std::uint8_t> bytes_;
  device_array<std::int64_t> found_;
  device_array<unsigned> bins_;
  cudaStream_t stream_;
  std::int64_t count_ = 0;
  std::size_t element_bytes_ = 1;
  rotation turns_{1, 1};
};

}  // namespace heddle_bench
