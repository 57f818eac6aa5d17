// Times device-wide algorithms against each other: calls in a replayed CUDA graph, inputs from
// memory.
#pragma once
// Preconditions are for debug builds; we time what a release build runs.
#undef HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_CHECK_PRECONDITIONS 0
#include <heddle/core/config.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/device.cuh"
#include "support/device_report.hpp"
#include "support/feed.cuh"
#include "support/this_machine.cuh"

namespace heddle_bench {

// One way to do the job of a case. `call(i)` enqueues the i-th call on the contest's stream without
// waiting. Calls with different i read different memory: see rotation.
struct device_contender {
  std::string name;
  std::function<void(int)> call;
  double goal = 1;                           // the highest ratio of our time to its; 0: no goal
  std::function<bool()> has_right_result{};  // called after call(0), if it is set
};

// One case: a row for each peer.
struct device_case {
  double bytes = 0;      // a call must move; gives the share of the copy limit
  int calls = 1;         // with different inputs, from a rotation
  double target_us = 0;  // for ours; 0: none
};

// Slices of a large array, one for each call: so many that a slice has left the cache when its turn
// comes again.
class rotation {
 public:
  rotation(std::size_t bytes_per_call, std::size_t cache_bytes) {
    constexpr std::size_t unit = 256;
    stride_ = std::max<std::size_t>((bytes_per_call + unit - 1) / unit * unit, unit);
    const std::size_t wanted = (cache_bytes * 5 / 2 + stride_ - 1) / stride_;
    calls_ = static_cast<int>(std::clamp<std::size_t>(wanted, 1, most_calls));
  }
  static constexpr std::size_t most_calls = 16384;  // in a graph
  int calls() const { return calls_; }
  std::size_t bytes() const { return stride_ * static_cast<std::size_t>(calls_); }
  // Where the slice of a call begins, in bytes.
  std::size_t offset(int call) const { return stride_ * static_cast<std::size_t>(call); }

 private:
  std::size_t stride_;
  int calls_;
};

// Pseudo-random numbers in [-1, 1), all multiples of 2^-16.
static __global__ void fill_with_samples(float* values, std::size_t count) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    const std::uint32_t bits = thread_bits(static_cast<int>(i ^ i >> 31));
    values[i] = static_cast<float>(static_cast<std::int32_t>(bits) >> 15) / 65536.0f;
  }
}

class device_contest {
 public:
  explicit device_contest(device_report& rows) : rows_(rows), device_(device_properties()) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
    rows_.head(this_machine(), copy_limit());
  }
  ~device_contest() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
    cudaStreamDestroy(stream_);
  }
  device_contest(const device_contest&) = delete;
  device_contest& operator=(const device_contest&) = delete;

  cudaStream_t stream() const { return stream_; }
  std::size_t cache_bytes() const { return static_cast<std::size_t>(device_.l2CacheSize); }
  const device_report& rows() const { return rows_; }
  bool has_memory(std::size_t bytes) const {
    std::size_t available = 0, total = 0;
    check(cudaMemGetInfo(&available, &total));
    return bytes < available;
  }

  // The first contender is ours. Prints a row for each of the others, or one row if there is no
  // peer. Returns the microseconds of each contender.
  std::vector<double> run(const device_case& what,
                          const std::vector<device_contender>& contenders) {
    std::vector<double> medians(contenders.size());
    if (!rows_.wants(contenders[0].name)) return medians;
    if (rows_.is_alone()) {
      for (int i = 0; i < 4; ++i) contenders[0].call(i % what.calls);
      check(cudaStreamSynchronize(stream_));
      return medians;
    }
    std::vector<cudaGraphExec_t> graphs;
    std::vector<bool> is_right;
    for (const auto& contender : contenders) {
      is_right.push_back(gives_right_result(contender));
      graphs.push_back(captured(contender, what.calls));
    }
    // Long enough that start and end do not matter; slow contenders run fewer times.
    const double once = replay(graphs[0], 1);
    const int replays = static_cast<int>(std::clamp(3000.0 / once, 1.0, 50.0));
    const int runs = rows_.is_sweep() && once > 10'000 ? 3 : runs_;
    std::vector<std::vector<double>> took(contenders.size());
    for (int run = 0; run < runs; ++run) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        took[i].push_back(replay(graphs[i], replays) / what.calls);
      }
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      check(cudaGraphExecDestroy(graphs[i]));
      medians[i] = median(took[i]);
      if (i == 0) continue;
      rows_.row(contenders[0].name, contenders[i].name, medians[0], medians[i], what.bytes,
                i == 1 ? what.target_us : 0, contenders[i].goal,
                !is_right[0] ? "ours" : (is_right[i] ? "" : "the peer"));
    }
    return medians;
  }

 private:
  static constexpr int runs_ = 7;

  // Checks the first call, which also allocates.
  bool gives_right_result(const device_contender& contender) {
    contender.call(0);
    check(cudaStreamSynchronize(stream_));
    return !contender.has_right_result || contender.has_right_result();
  }

  cudaGraphExec_t captured(const device_contender& contender, int calls) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls; ++i) contender.call(i);
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph));
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0));
    check(cudaGraphDestroy(graph));
    check(cudaGraphUpload(ready, stream_));
    replay(ready, 1);
    return ready;
  }

  // Microseconds of one replay.
  double replay(cudaGraphExec_t graph, int times) {
    check(cudaEventRecord(begin_, stream_));
    for (int i = 0; i < times; ++i) check(cudaGraphLaunch(graph, stream_));
    check(cudaEventRecord(end_, stream_));
    check(cudaEventSynchronize(end_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return 1e3 * milliseconds / times;
  }

  // Gigabytes per second, read and written, of a large copy.
  double copy_limit() {
    constexpr std::size_t bytes = std::size_t{2} << 30;
    const device_array<std::byte> from(bytes), to(bytes);
    std::vector<double> took;
    for (int run = 0; run < runs_ + 2; ++run) {
      check(cudaEventRecord(begin_, stream_));
      check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream_));
      check(cudaEventRecord(end_, stream_));
      check(cudaEventSynchronize(end_));
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin_, end_));
      if (run >= 2) took.push_back(milliseconds);
    }
    return 2.0 * bytes / median(took) * 1e-6;
  }

  device_report& rows_;
  cudaDeviceProp device_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace heddle_bench
