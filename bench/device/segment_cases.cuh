// Segmented sums, sums by key, run lengths and selections against CUB, and our own in several
// settings beside each other.
#pragma once
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <heddle/device/reduce_by_key.cuh>
#include <heddle/device/run_length.cuh>
#include <heddle/device/segmented_reduce.cuh>
#include <heddle/device/select.cuh>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/device_contest.cuh"

namespace heddle_bench {

// Settings that are tried beside the default one.
struct segments_three_blocks : heddle::device::segment_tuning {
  static constexpr int blocks = 3;
};
struct segments_small_lanes : heddle::device::segment_tuning {
  static constexpr int blocks = 5;
  static constexpr int lane_bytes = 32;
};
struct segments_cached : heddle::device::segment_tuning {
  static constexpr heddle::caching hint = heddle::caching::normal;
};
struct segments_wide_window : heddle::device::segment_tuning {
  static constexpr int blocks = 3;
  static constexpr int batches = 4;
};

struct runs_two_blocks : heddle::device::run_tuning {
  static constexpr int threads = 320;
  static constexpr int blocks = 2;
};
struct runs_small_lanes : heddle::device::run_tuning {
  static constexpr int threads = 512;
  static constexpr int blocks = 2;
  static constexpr int lane_bytes = 64;
};
struct lengths_two_blocks : heddle::device::run_length_tuning {
  static constexpr int threads = 512;
  static constexpr int blocks = 2;
};
struct lengths_four_blocks : heddle::device::run_length_tuning {
  static constexpr int threads = 256;
  static constexpr int blocks = 4;
};
struct select_four_blocks : heddle::device::select_tuning {
  static constexpr int threads = 256;
  static constexpr int blocks = 4;
};
struct select_three_blocks : heddle::device::select_tuning {
  static constexpr int threads = 384;
  static constexpr int blocks = 3;
};

// Counts the segments whose sum is not near that of the plain loop of a warp.
static __global__ void count_wrong_sums(const float* values, const int* offsets, int segments,
                                        const float* sums, unsigned* wrong) {
  const int warps = static_cast<int>(gridDim.x * blockDim.x / 32);
  for (int i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32); i < segments;
       i += warps) {
    const int begin = offsets[i], end = offsets[i + 1];
    double sum = 0;
    for (int j = begin + static_cast<int>(threadIdx.x % 32); j < end; j += 32) sum += values[j];
    for (int distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    }
    const bool is_near = fabs(sum - sums[i]) <= 1e-6 * (end - begin) + 1e-6;
    if (!is_near && threadIdx.x % 32 == 0) atomicAdd(wrong, 1u);
  }
}

// Keys that change every `length` elements.
static __global__ void fill_with_keys(int* keys, std::size_t count, std::size_t length) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    keys[i] = static_cast<int>(i / length);
  }
}

class segment_inputs {
 public:
  segment_inputs(device_contest& contest, std::int64_t count, const std::vector<int>& offsets)
      : count_(count),
        segments_(static_cast<int>(offsets.size()) - 1),
        values_(static_cast<std::size_t>(count)),
        offsets_(offsets.size()),
        sums_(offsets.size()),
        wrong_(1),
        workspace_(contest.stream()),
        peer_memory_(contest.stream()),
        stream_(contest.stream()) {
    fill_with_samples<<<4096, 256, 0, stream_>>>(values_.data(), static_cast<std::size_t>(count));
    check(cudaGetLastError());
    check(cudaMemcpyAsync(offsets_.data(), offsets.data(), offsets.size() * sizeof(int),
                          cudaMemcpyHostToDevice, stream_));
    check(cudaStreamSynchronize(stream_));
  }

  device_case what(double target_us) const {
    return {4.0 * static_cast<double>(count_) + 8.0 * segments_, 1, target_us};
  }

  template <typename Tuning = heddle::device::segment_tuning>
  device_contender ours(std::string name) {
    return {std::move(name),
            [this](int) {
              heddle::device::segmented_reduce<Tuning>(workspace_, values_.data(), offsets_.data(),
                                                       segments_, sums_.data());
            },
            0, [this] { return is_right(); }};
  }
  device_contender cub_sums(std::string name) {
    return {std::move(name),
            [this](int) {
              const auto call = [&](void* memory, std::size_t& bytes) {
                return cub::DeviceSegmentedReduce::Sum(memory, bytes, values_.data(), sums_.data(),
                                                       segments_, offsets_.data(),
                                                       offsets_.data() + 1, stream_);
              };
              std::size_t bytes = 0;
              check(call(nullptr, bytes));
              check(call(peer_memory_.scratch(bytes), bytes));
            },
            1, [this] { return is_right(); }};
  }

 private:
  // Asks, and spoils the sums for the next contender.
  bool is_right() {
    check(cudaMemsetAsync(wrong_.data(), 0, sizeof(unsigned), stream_));
    count_wrong_sums<<<2048, 256, 0, stream_>>>(values_.data(), offsets_.data(), segments_,
                                                sums_.data(), wrong_.data());
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
    sums_.poison();
    check(cudaDeviceSynchronize());
    return wrong_.values(1)[0] == 0;
  }

  std::int64_t count_;
  int segments_;
  device_array<float> values_;
  device_array<int> offsets_;
  device_array<float> sums_;
  device_array<unsigned> wrong_;
  heddle::device::workspace workspace_;
  heddle::device::workspace peer_memory_;
  cudaStream_t stream_;
};

inline std::vector<int> offsets_of_length(std::int64_t count, std::int64_t length) {
  std::vector<int> offsets;
  for (std::int64_t at = 0; at < count; at += length) offsets.push_back(static_cast<int>(at));
  offsets.push_back(static_cast<int>(count));
  return offsets;
}

// Lengths of a power law: half of the values are in few long segments, many have none.
inline std::vector<int> skewed_offsets(std::int64_t count, int segments) {
  std::vector<double> ends(static_cast<std::size_t>(segments));
  double sum = 0;
  for (int i = 0; i < segments; ++i) {
    const double place = (thread_bits(i) + 1.0) / 4294967296.0;
    sum += std::min(std::pow(place, -1.0 / 1.1), 1e6);
    ends[static_cast<std::size_t>(i)] = sum;
  }
  std::vector<int> offsets{0};
  for (const double end : ends) {
    offsets.push_back(static_cast<int>(end / sum * static_cast<double>(count)));
  }
  offsets.back() = static_cast<int>(count);
  return offsets;
}

inline void segments_of(device_contest& contest, const std::string& name,
                        const std::vector<int>& offsets, std::int64_t count, double target_us) {
  segment_inputs inputs(contest, count, offsets);
  contest.run(inputs.what(target_us),
              {inputs.ours(name), inputs.cub_sums("cub::DeviceSegmentedReduce::Sum"),
               inputs.ours<segments_three_blocks>("ours, 3 blocks"),
               inputs.ours<segments_wide_window>("ours, 3 blocks, 128 ends kept"),
               inputs.ours<segments_small_lanes>("ours, 5 blocks, 32 bytes"),
               inputs.ours<segments_cached>("ours, cached")});
}

struct segment_target {
  std::int64_t length;
  double us;
};
inline constexpr segment_target segment_targets[]{{1, 280},
                                                  {4, 130},
                                                  {8, 100},
                                                  {32, 80},
                                                  {100, 75},
                                                  {256, 72},
                                                  {1024, 70},
                                                  {4096, 66},
                                                  {65'536, 66},
                                                  {4'194'304, 68},
                                                  {std::int64_t{1} << 26, 68}};

// ---- runs and selections

struct keeps_below {
  float limit;
  __host__ __device__ bool operator()(float value) const { return value < limit; }
};

class run_inputs {
 public:
  run_inputs(device_contest& contest, std::int64_t count)
      : count_(count),
        values_(static_cast<std::size_t>(count)),
        keys_(static_cast<std::size_t>(count)),
        results_(static_cast<std::size_t>(count)),
        unique_(static_cast<std::size_t>(count)),
        number_(2),
        workspace_(contest.stream()),
        peer_memory_(contest.stream()),
        stream_(contest.stream()) {
    fill_with_samples<<<4096, 256, 0, stream_>>>(values_.data(), static_cast<std::size_t>(count));
    check(cudaGetLastError());
  }
  void set_run_length(std::int64_t length) {
    fill_with_keys<<<4096, 256, 0, stream_>>>(keys_.data(), static_cast<std::size_t>(count_),
                                              static_cast<std::size_t>(length));
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
    runs_ = (count_ + length - 1) / length;
  }

  template <typename Tuning = heddle::device::run_tuning>
  device_contender our_sums(std::string name) {
    return {std::move(name),
            [this](int) {
              heddle::device::reduce_by_key<Tuning>(workspace_, keys_.data(), values_.data(),
                                                    count_, unique_.data(), results_.data(),
                                                    number_.data());
            },
            0, [this] { return has_number(runs_); }};
  }
  device_contender cub_sums(std::string name) {
    return {std::move(name),
            [this](int) {
              peer([&](void* memory, std::size_t& size) {
                return cub::DeviceReduce::ReduceByKey(
                    memory, size, keys_.data(), unique_.data(), values_.data(), results_.data(),
                    number_.data(), cuda::std::plus<>{}, count_, stream_);
              });
            },
            1, [this] { return has_number(runs_); }};
  }
  device_case what_by_key() const { return {8.0 * static_cast<double>(count_ + runs_), 1, 0}; }

  template <typename Tuning = heddle::device::run_length_tuning>
  device_contender our_lengths(std::string name) {
    return {std::move(name),
            [this](int) {
              heddle::device::run_length<Tuning>(workspace_, keys_.data(), count_, unique_.data(),
                                                 lengths(), number_.data());
            },
            0, [this] { return has_number(runs_); }};
  }
  device_contender cub_lengths(std::string name) {
    return {std::move(name),
            [this](int) {
              peer([&](void* memory, std::size_t& size) {
                return cub::DeviceRunLengthEncode::Encode(memory, size, keys_.data(),
                                                          unique_.data(), lengths(), number_.data(),
                                                          count_, stream_);
              });
            },
            1, [this] { return has_number(runs_); }};
  }
  device_case what_of_lengths() const {
    return {4.0 * static_cast<double>(count_) + 8.0 * static_cast<double>(runs_), 1, 0};
  }

  template <typename Tuning = heddle::device::select_tuning>
  device_contender our_selection(std::string name, float limit) {
    return {std::move(name),
            [this, limit](int) {
              heddle::device::select<Tuning>(workspace_, values_.data(), count_, results_.data(),
                                             number_.data(), keeps_below{limit});
            },
            0, [this] { return has_same_number(); }};
  }
  device_contender cub_selection(std::string name, float limit) {
    return {std::move(name),
            [this, limit](int) {
              peer([&](void* memory, std::size_t& size) {
                return cub::DeviceSelect::If(memory, size, values_.data(), results_.data(),
                                             number_.data(), count_, keeps_below{limit}, stream_);
              });
            },
            1, [this] { return has_same_number(); }};
  }
  device_case what_of_selection(float limit) const {
    return {4.0 * static_cast<double>(count_) * (1 + (limit + 1) / 2), 1, 0};
  }

 private:
  template <typename Call>
  void peer(const Call& call) {
    std::size_t bytes = 0;
    check(call(nullptr, bytes));
    check(call(peer_memory_.scratch(bytes), bytes));
  }
  bool has_number(std::int64_t expected) const { return number_.values(1)[0] == expected; }
  // All contenders keep as many.
  bool has_same_number() {
    const std::int64_t found = number_.values(1)[0];
    if (kept_ == 0) kept_ = found;
    return found == kept_;
  }
  int* lengths() const { return reinterpret_cast<int*>(results_.data()); }

  std::int64_t count_;
  std::int64_t runs_ = 0;
  std::int64_t kept_ = 0;
  device_array<float> values_;
  device_array<int> keys_;
  device_array<float> results_;
  device_array<int> unique_;
  device_array<std::int64_t> number_;
  heddle::device::workspace workspace_;
  heddle::device::workspace peer_memory_;
  cudaStream_t stream_;
};

inline void device_segment_cases(device_contest& contest) {
  constexpr std::int64_t count = std::int64_t{1} << 26;
  for (const auto& [length, us] : segment_targets) {
    const std::string name = "segmented sum, length " + std::to_string(length);
    if (contest.rows().wants(name)) {
      segments_of(contest, name, offsets_of_length(count, length), count, us);
    }
  }
  const std::string skewed = "segmented sum, skewed, 1.2 M segments";
  if (contest.rows().wants(skewed)) {
    segments_of(contest, skewed, skewed_offsets(count, 1'200'000), count, 85);
  }
  const std::string by_key = "reduce_by_key, runs of ", encoded = "run_length, runs of ",
                    chosen = "select, percent ";
  for (const std::int64_t length : {2, 16, 1000}) {
    const std::string text = std::to_string(length);
    if (!contest.rows().wants(by_key + text) && !contest.rows().wants(encoded + text)) continue;
    run_inputs inputs(contest, count);
    inputs.set_run_length(length);
    contest.run(inputs.what_by_key(),
                {inputs.our_sums(by_key + text), inputs.cub_sums("cub::DeviceReduce::ReduceByKey"),
                 inputs.our_sums<runs_two_blocks>("ours, 2 blocks of 320"),
                 inputs.our_sums<runs_small_lanes>("ours, 2 blocks of 512, 64 bytes")});
    contest.run(inputs.what_of_lengths(),
                {inputs.our_lengths(encoded + text),
                 inputs.cub_lengths("cub::DeviceRunLengthEncode::Encode"),
                 inputs.our_lengths<lengths_four_blocks>("ours, 4 blocks of 256"),
                 inputs.our_lengths<lengths_two_blocks>("ours, 2 blocks of 512")});
  }
  for (const int percent : {5, 50, 95}) {
    const std::string name = chosen + std::to_string(percent);
    if (!contest.rows().wants(name)) continue;
    run_inputs inputs(contest, count);
    const float limit = static_cast<float>(percent) / 50.0f - 1.0f;
    contest.run(
        inputs.what_of_selection(limit),
        {inputs.our_selection(name, limit), inputs.cub_selection("cub::DeviceSelect::If", limit),
         inputs.our_selection<select_four_blocks>("ours, 4 blocks of 256", limit),
         inputs.our_selection<select_three_blocks>("ours, 3 blocks of 384", limit)});
  }
}

}  // namespace heddle_bench
