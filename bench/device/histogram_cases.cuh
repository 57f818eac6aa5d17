// Histograms of bytes and floats against CUB, for noise, skewed and constant input, and settings.
#pragma once
#include <cub/device/device_histogram.cuh>
#include <heddle/device/histogram.cuh>

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/device_contest.cuh"

namespace heddle_bench {

// Settings to compare with the default.
namespace histogram_settings {
struct two_blocks : heddle::device::histogram_tuning {
  static constexpr int blocks = 2;
  static constexpr int in_flight = 4;
};
struct read_once : heddle::device::histogram_tuning {
  static constexpr heddle::caching hint = heddle::caching::once;
};
struct few_columns : heddle::device::histogram_tuning {
  static constexpr int column_bytes = 8 * 1024;
};
struct packed : heddle::device::histogram_tuning {
  static constexpr bool packs = true;
};
struct in_global_memory : heddle::device::histogram_tuning {
  static constexpr int most_parts = 0;
  static constexpr int large_bins = 0;
};
}  // namespace histogram_settings

static __global__ void fill_with_noise(std::uint8_t* values, std::size_t count) {
  for (std::size_t i = std::size_t{1} * blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    values[i] = static_cast<std::uint8_t>(thread_bits(static_cast<int>(i ^ i >> 31)) >> 11);
  }
}
// Three of four values are equal.
static __global__ void fill_with_skew(float* values, std::size_t count) {
  for (std::size_t i = std::size_t{1} * blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    if (thread_bits(static_cast<int>(i ^ i >> 31)) >> 20 & 3) values[i] = 0.25f;
  }
}

enum class histogram_data { noisy, skewed, constant };
inline const char* name_of(histogram_data look) {
  const char* const names[] = {"noise", "skewed", "one value"};
  return names[static_cast<int>(look)];
}

// The input of a case, and the counters of ours and of each peer, which must agree.
template <typename T, typename Bound>
class histogram_inputs {
 public:
  using bins_type = heddle::device::even_bins<Bound>;

  histogram_inputs(device_contest& contest, std::int64_t count, histogram_data look,
                   const bins_type& bins)
      : count_(count),
        bins_(bins),
        turns_(static_cast<std::size_t>(count) * sizeof(T), contest.cache_bytes()),
        values_(turns_.bytes() / sizeof(T)),
        counts_(static_cast<std::size_t>(bins.count)),
        workspace_(contest.stream()),
        stream_(contest.stream()) {
    const std::size_t numbers = turns_.bytes() / sizeof(T);
    if (look == histogram_data::constant) {
      check(cudaMemsetAsync(values_.data(), 0x3e, turns_.bytes(), stream_));
    } else if constexpr (std::is_same_v<T, float>) {
      fill_with_samples<<<4096, 256, 0, stream_>>>(values_.data(), numbers);
      if (look == histogram_data::skewed) {
        fill_with_skew<<<4096, 256, 0, stream_>>>(values_.data(), numbers);
      }
    } else {
      fill_with_noise<<<4096, 256, 0, stream_>>>(reinterpret_cast<std::uint8_t*>(values_.data()),
                                                 turns_.bytes());
    }
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
  }

  device_case what(double target_us) const {
    return {static_cast<double>(count_) * sizeof(T), turns_.calls(), target_us};
  }

  template <typename Tuning = heddle::device::histogram_tuning>
  device_contender ours(std::string name) {
    return {std::move(name),
            [this](int i) {
              heddle::device::histogram<Tuning>(workspace_, slice(i), count_, bins_,
                                                counts_.data());
            },
            0, [this] { return is_as_before(); }};
  }
  device_contender cub(std::string name = "cub::DeviceHistogram") {
    return {std::move(name),
            [this](int i) {
              const auto call = [&](void* memory, std::size_t& bytes) {
                return ::cub::DeviceHistogram::HistogramEven(
                    memory, bytes, slice(i), counts_.data(), static_cast<int>(bins_.count) + 1,
                    bins_.lower, bins_.upper, static_cast<int>(count_), stream_);
              };
              std::size_t bytes = 0;
              check(call(nullptr, bytes));
              check(call(workspace_.scratch(bytes), bytes));
            },
            1, [this] { return is_as_before(); }};
  }
  // Edges with the same distances as the even bins.
  template <typename Tuning = heddle::device::histogram_tuning>
  device_contender ours_between(std::string name, const Bound* edges) {
    return {std::move(name),
            [this, edges](int i) {
              const heddle::device::bin_edges<Bound> bins{edges, bins_.count};
              heddle::device::histogram<Tuning>(workspace_, slice(i), count_, bins, counts_.data());
            },
            0, [this] { return is_as_before(); }};
  }
  device_contender cub_between(const Bound* edges) {
    return {"cub::DeviceHistogram::HistogramRange",
            [this, edges](int i) {
              const auto call = [&](void* memory, std::size_t& bytes) {
                return ::cub::DeviceHistogram::HistogramRange(
                    memory, bytes, slice(i), counts_.data(), static_cast<int>(bins_.count) + 1,
                    edges, static_cast<int>(count_), stream_);
              };
              std::size_t bytes = 0;
              check(call(nullptr, bytes));
              check(call(workspace_.scratch(bytes), bytes));
            },
            1, [this] { return is_as_before(); }};
  }

 private:
  const T* slice(int call) const { return values_.data() + turns_.offset(call) / sizeof(T); }

  // Whether the counters equal those of the first contender. Poisons them for the next one.
  bool is_as_before() {
    auto found = counts_.values(static_cast<std::size_t>(bins_.count));
    counts_.poison();
    if (first_.empty()) first_ = found;
    std::uint64_t total = 0;
    for (const unsigned one : found) total += one;
    return found == first_ && total == static_cast<std::uint64_t>(count_);
  }

  std::int64_t count_;
  bins_type bins_;
  rotation turns_;
  device_array<T> values_;
  device_array<unsigned> counts_;
  heddle::device::workspace workspace_;
  cudaStream_t stream_;
  std::vector<unsigned> first_;
};

inline void byte_histograms(device_contest& contest, histogram_data look, int bins) {
  namespace settings = histogram_settings;
  const std::string name =
      "histogram of 2^28 bytes in " + std::to_string(bins) + ", " + name_of(look);
  if (!contest.rows().wants(name)) return;
  constexpr std::int64_t count = std::int64_t{1} << 28;
  histogram_inputs<std::uint8_t, int> inputs(contest, count, look, {0, 256, bins});
  constexpr double target_us = static_cast<double>(count) / 3700e3;
  std::vector<device_contender> contenders{inputs.ours(name), inputs.cub()};
  if (bins == 256) contenders.push_back(inputs.ours<settings::read_once>("ours, read once"));
  contest.run(inputs.what(bins == 256 ? target_us : 0), contenders);
}

inline void float_histograms(device_contest& contest, histogram_data look, int bins) {
  namespace settings = histogram_settings;
  const std::string name =
      "histogram of 2^26 floats in " + std::to_string(bins) + ", " + name_of(look);
  if (!contest.rows().wants(name)) return;
  constexpr std::int64_t count = std::int64_t{1} << 26;
  histogram_inputs<float, float> inputs(contest, count, look, {-1, 1, bins});
  std::vector<device_contender> contenders{inputs.ours(name), inputs.cub()};
  if (bins <= 4096) {
    contenders.push_back(inputs.ours<settings::read_once>("ours, read once"));
  }
  if (bins <= 256) {
    contenders.push_back(inputs.ours<settings::two_blocks>("ours, 2 blocks, 4 in flight"));
    contenders.push_back(inputs.ours<settings::few_columns>("ours, copies in 8 KiB"));
  }
  if (bins > 4096) {
    contenders.push_back(inputs.ours<settings::packed>("ours, 16-bit counters"));
    contenders.push_back(inputs.ours<settings::in_global_memory>("ours, global"));
  }
  contest.run(inputs.what(bins == 65'536 ? 150 : 0), contenders);
}

//   is_even     otherwise the distances of the edges shrink towards 0, quadratically
inline void histograms_between_edges(device_contest& contest, int bins, bool is_even) {
  const std::string name = "histogram of 2^26 floats between " + std::to_string(bins + 1) +
                           (is_even ? " edges" : " uneven edges");
  if (!contest.rows().wants(name)) return;
  histogram_inputs<float, float> inputs(contest, std::int64_t{1} << 26, histogram_data::noisy,
                                        {-1, 1, bins});
  std::vector<float> edges(static_cast<std::size_t>(bins) + 1);
  for (int i = 0; i <= bins; ++i) {
    const float even = 2.0f * static_cast<float>(i) / static_cast<float>(bins) - 1;
    edges[static_cast<std::size_t>(i)] = is_even ? even : even * std::abs(even);
  }
  const device_array<float> on_device(edges.size());
  check(cudaMemcpy(on_device.data(), edges.data(), edges.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  std::vector<device_contender> contenders{inputs.ours_between(name, on_device.data()),
                                           inputs.cub_between(on_device.data())};
  if (is_even) contenders.push_back(inputs.ours("our even bins"));
  contest.run(inputs.what(0), contenders);
}

// Fewer values, where launching and clearing dominate.
inline void small_histograms(device_contest& contest, std::int64_t count, int bins) {
  const std::string name =
      "histogram of " + std::to_string(count) + " floats in " + std::to_string(bins);
  if (!contest.rows().wants(name)) return;
  histogram_inputs<float, float> inputs(contest, count, histogram_data::noisy, {-1, 1, bins});
  contest.run(inputs.what(0), {inputs.ours(name), inputs.cub()});
}

inline void device_histogram_cases(device_contest& contest) {
  for (const auto look : {histogram_data::noisy, histogram_data::constant}) {
    for (const int bins : {256, 2, 16}) byte_histograms(contest, look, bins);
  }
  for (const auto look :
       {histogram_data::noisy, histogram_data::skewed, histogram_data::constant}) {
    for (const int bins : {2, 16, 256, 4096, 65'536, 1 << 20})
      float_histograms(contest, look, bins);
  }
  for (const int bins : {16, 256, 4096}) histograms_between_edges(contest, bins, true);
  histograms_between_edges(contest, 256, false);
  for (const int bins : {256, 4096, 65'536}) {
    small_histograms(contest, 1 << 16, bins);
    small_histograms(contest, 1 << 20, bins);
  }
}

}  // namespace heddle_bench
