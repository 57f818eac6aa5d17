// Segmented sums against CUB, and with several settings of ours.
#pragma once
#include <cub/device/device_segmented_reduce.cuh>
#include <heddle/device/segmented_reduce.cuh>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/device_contest.cuh"

namespace heddle_bench {

// Counts the segments whose sum is not close to that of a warp's plain loop.
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
  // Checks the sums, and poisons them for the next contender.
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

// Lengths that follow a power law: half of the values are in few long segments, many are empty.
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

struct fewer_threads : heddle::device::segment_tuning {
  static constexpr int threads = 256;
};
struct fetching_ahead : heddle::device::segment_tuning {
  static constexpr int bytes_fetched_ahead = 16384;
};

inline void segments_of(device_contest& contest, const std::string& name,
                        const std::vector<int>& offsets, std::int64_t count, double target_us) {
  segment_inputs inputs(contest, count, offsets);
  contest.run(inputs.what(target_us),
              {inputs.ours(name), inputs.cub_sums("cub::DeviceSegmentedReduce::Sum"),
               inputs.ours<fewer_threads>("ours, blocks of 256"),
               inputs.ours<fetching_ahead>("ours, four times as much fetched ahead")});
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

inline void device_segmented_sum_cases(device_contest& contest) {
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
}

}  // namespace heddle_bench
