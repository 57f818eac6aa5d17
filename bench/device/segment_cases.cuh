// Sums by key, run lengths and selections against CUB, and with several settings of ours.
#pragma once
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>
#include <heddle/device/reduce_by_key.cuh>
#include <heddle/device/run_length.cuh>
#include <heddle/device/select.cuh>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/device_contest.cuh"

namespace heddle_bench {

// Settings to compare with the default.
template <typename Default, int block_threads, int bytes_of_lane = Default::lane_bytes>
struct with_block : Default {
  static constexpr int threads = block_threads;
  static constexpr int lane_bytes = bytes_of_lane;
};
using heddle::device::run_length_tuning;
using heddle::device::run_tuning;
using heddle::device::select_tuning;

// Keys that change every `length` elements.
static __global__ void fill_with_keys(int* keys, std::size_t count, std::size_t length) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    keys[i] = static_cast<int>(i / length);
  }
}

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
  // Whether all contenders select the same number of values.
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
  const std::string by_key = "reduce_by_key, runs of ", encoded = "run_length, runs of ",
                    chosen = "select, percent ";
  for (const std::int64_t length : {2, 16, 1000}) {
    const std::string text = std::to_string(length);
    if (!contest.rows().wants(by_key + text) && !contest.rows().wants(encoded + text)) continue;
    run_inputs inputs(contest, count);
    inputs.set_run_length(length);
    contest.run(inputs.what_by_key(),
                {inputs.our_sums(by_key + text), inputs.cub_sums("cub::DeviceReduce::ReduceByKey"),
                 inputs.our_sums<with_block<run_tuning, 736>>("ours, block of 736"),
                 inputs.our_sums<with_block<run_tuning, 864>>("ours, block of 864")});
    contest.run(inputs.what_of_lengths(),
                {inputs.our_lengths(encoded + text),
                 inputs.cub_lengths("cub::DeviceRunLengthEncode::Encode"),
                 inputs.our_lengths<with_block<run_length_tuning, 736>>("ours, block of 736"),
                 inputs.our_lengths<with_block<run_length_tuning, 576, 128>>(
                     "ours, block of 576, 128 bytes for a lane")});
  }
  for (const int percent : {5, 50, 95}) {
    const std::string name = chosen + std::to_string(percent);
    if (!contest.rows().wants(name)) continue;
    run_inputs inputs(contest, count);
    const float limit = static_cast<float>(percent) / 50.0f - 1.0f;
    contest.run(
        inputs.what_of_selection(limit),
        {inputs.our_selection(name, limit), inputs.cub_selection("cub::DeviceSelect::If", limit),
         inputs.our_selection<with_block<select_tuning, 608, 128>>(
             "ours, block of 608, 128 bytes for a lane", limit),
         inputs.our_selection<with_block<select_tuning, 736, 128>>(
             "ours, block of 736, 128 bytes for a lane", limit)});
  }
}

}  // namespace heddle_bench
