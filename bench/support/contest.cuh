// Times several implementations of one operation in turns, and compares their results.
#pragma once
// Must come before the library's headers, since it turns preconditions off.
#include "support/calls.cuh"
// The other headers.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/device.cuh"
#include "support/feed.cuh"
#include "support/report.hpp"
#include "support/this_machine.cuh"

namespace heddle_bench {

template <typename Feed>
struct contender {
  using value_type = typename Feed::value_type;
  std::string name;
  void (*kernel)(heddle::lane_mask, int, value_type*, long long*);
  double goal = 1;  // the highest ratio of our cost to its cost; 0: no goal
  cost measured{};
};

template <typename Feed, typename Collective>
contender<Feed> warps(std::string name, double goal = 1) {
  return {std::move(name), &call_in_all_threads<warp_bench_threads, Feed, Collective>, goal};
}
template <typename Feed, typename Collective>
contender<Feed> members(std::string name, double goal = 1) {
  return {std::move(name), &call_in_members<warp_bench_threads, Feed, Collective>, goal};
}
template <int threads, typename Feed, typename Collective>
contender<Feed> blocks(std::string name, double goal = 1) {
  return {std::move(name), &call_in_all_threads<threads, Feed, Collective>, goal};
}

// One kind of caller: how many threads a block has, and how many of them make one call.
struct callers {
  int threads = warp_bench_threads;
  int threads_per_call = heddle::warp_size;
  heddle::lane_mask members = heddle::all_lanes;
};

// Whether every thread that took part has the same result in both. Compares every block with the
// peer's block 0: a thread's feed depends only on its rank, so all blocks have the same results.
template <typename Feed>
bool results_agree(const std::vector<typename Feed::value_type>& ours,
                   const std::vector<typename Feed::value_type>& peers, const callers& who) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const std::size_t thread = i % static_cast<std::size_t>(who.threads);
    const bool takes_part = who.members >> thread % heddle::warp_size & 1;
    if (takes_part && !Feed::agree(ours[i], peers[thread])) return false;
  }
  return true;
}

// Gives the clocks time to rise before anything is timed.
static __global__ void warm_up(float* result) {
  float value = static_cast<float>(threadIdx.x);
  for (int i = 0; i < 1'000'000; ++i) value = value * 0.5f + 1.0f;
  if (threadIdx.x == 0) *result = value;
}

// Times contenders in turns, and stores in each what one call costs.
class turns {
 public:
  turns() : device_(device_properties()) {
    device_array<float> result(1);
    for (int i = 0; i < 30; ++i) warm_up<<<device_.multiProcessorCount * 8, 256>>>(result.data());
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }
  int multiprocessors() const { return device_.multiProcessorCount; }

  // All results must agree with those of the first contender; otherwise the bench exits.
  template <typename Feed>
  void measure(std::vector<contender<Feed>>& contenders, const callers& who) {
    measure_busy(contenders, who);
    measure_alone(contenders, who);
  }

 private:
  static constexpr int runs_ = 11;
  static constexpr double busy_nanoseconds_ = 1e6;  // per launch, far above the launch overhead
  static constexpr int alone_rounds_ = 1024;

  // As many blocks as can be resident: each contender fills the GPU as far as its registers allow.
  template <typename Feed>
  int resident_blocks(const contender<Feed>& who, int threads) const {
    int per_multiprocessor = 0;
    check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, who.kernel, threads, 0));
    check(per_multiprocessor > 0, "a kernel needs more resources than a multiprocessor has");
    return per_multiprocessor * device_.multiProcessorCount;
  }

  // The time of one launch: nanoseconds, and cycles of one caller.
  template <typename Feed>
  cost launch(const contender<Feed>& who, int blocks, int threads, heddle::lane_mask members,
              int rounds, const device_array<typename Feed::value_type>& results) {
    results.poison();
    watch_.start();
    who.kernel<<<blocks, threads>>>(members, rounds, results.data(), cycles_.data());
    check(cudaGetLastError());
    const double nanoseconds = watch_.nanoseconds();
    return {nanoseconds, static_cast<double>(cycles_.values(1)[0])};
  }

  template <typename Feed>
  void measure_busy(std::vector<contender<Feed>>& contenders, const callers& who) {
    std::vector<int> blocks;
    for (const auto& contender : contenders) {
      blocks.push_back(resident_blocks(contender, who.threads));
    }
    const int most_blocks = *std::max_element(blocks.begin(), blocks.end());
    const device_array<typename Feed::value_type> results(std::size_t{1} * most_blocks *
                                                          who.threads);
    // All contenders do as many rounds as ours can do in the time planned for a launch.
    int rounds = 64;
    launch(contenders[0], blocks[0], who.threads, who.members, rounds, results);
    const double once =
        launch(contenders[0], blocks[0], who.threads, who.members, rounds, results).busy;
    rounds = static_cast<int>(rounds * busy_nanoseconds_ / once) / 4 * 4 + 4;

    std::vector<std::vector<double>> took(contenders.size());
    std::vector<typename Feed::value_type> ours;
    for (int run = 0; run < runs_; ++run) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        took[i].push_back(
            launch(contenders[i], blocks[i], who.threads, who.members, rounds, results).busy);
        if (run != 0) continue;
        const auto left = results.values(std::size_t{1} * blocks[i] * who.threads);
        if (i == 0) ours = left;
        check(results_agree<Feed>(left, ours, who),
              (contenders[0].name + " and " + contenders[i].name + " do not agree").c_str());
      }
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const double calls = static_cast<double>(blocks[i]) / device_.multiProcessorCount *
                           (who.threads / who.threads_per_call) * rounds;
      contenders[i].measured.busy = median(took[i]) / calls;
    }
  }

  template <typename Feed>
  void measure_alone(std::vector<contender<Feed>>& contenders, const callers& who) {
    const device_array<typename Feed::value_type> results(who.threads_per_call);
    std::vector<std::vector<double>> took(contenders.size());
    for (int run = 0; run < runs_; ++run) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        took[i].push_back(
            launch(contenders[i], 1, who.threads_per_call, who.members, alone_rounds_, results)
                .alone);
      }
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      contenders[i].measured.alone = median(took[i]) / alone_rounds_;
    }
  }

  cudaDeviceProp device_;
  stopwatch watch_;
  device_array<long long> cycles_{1};
};

class contest {
 public:
  explicit contest(report& rows) : rows_(rows) { rows_.head(this_machine()); }

  // The first contender is ours; prints one row for each of the others.
  template <typename Feed>
  void run(std::vector<contender<Feed>> contenders, const callers& who = {}) {
    if (!rows_.wants(contenders[0].name)) return;
    turns_.measure(contenders, who);
    for (std::size_t i = 1; i < contenders.size(); ++i) {
      rows_.row(contenders[0].name, contenders[i].name, contenders[0].measured,
                contenders[i].measured, contenders[i].goal);
    }
  }

 private:
  report& rows_;
  turns turns_;
};

}  // namespace heddle_bench
