// Every device-wide algorithm against CUB from 2^10 to 2^30 elements, with default settings.
#pragma once
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <heddle/device/arg.cuh>
#include <heddle/device/histogram.cuh>
#include <heddle/device/reduce_by_key.cuh>
#include <heddle/device/reproducible_sum.cuh>
#include <heddle/device/run_length.cuh>
#include <heddle/device/scan.cuh>
#include <heddle/device/segmented_reduce.cuh>
#include <heddle/device/segmented_scan.cuh>
#include <heddle/device/select.cuh>
#include <heddle/device/sum.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "device/sweep_arrays.cuh"
#include "support/device_contest.cuh"

namespace heddle_bench {

struct is_negative {
  __host__ __device__ bool operator()(float value) const { return value < 0; }
};

// One row for each algorithm and size.
class sweep {
 public:
  explicit sweep(device_contest& contest)
      : contest_(contest),
        on_(contest),
        workspace_(contest.stream()),
        peer_memory_(contest.stream()),
        stream_(contest.stream()) {}

  void run() {
    for (const auto algorithm :
         {&sweep::sum, &sweep::arg_max, &sweep::compensated_sum, &sweep::reproducible_sum,
          &sweep::scan, &sweep::scan_by_key, &sweep::segmented_sum, &sweep::sum_by_key,
          &sweep::run_length, &sweep::select, &sweep::histogram_of_bytes,
          &sweep::histogram_of_floats, &sweep::large_histogram_of_floats}) {
      for (int power = on_.least_power; power <= on_.largest_power(); power += on_.power_step) {
        count_ = std::int64_t{1} << power;
        size_ = ", 2^" + std::to_string(power);
        (this->*algorithm)();
      }
    }
  }

 private:
  using place = heddle::device::indexed<float, std::int64_t>;

  void sum() {
    against_cub_sum("sum of floats", [this](int i) {
      heddle::device::sum(workspace_, on_.values(i), count_, on_.results(i));
    });
  }
  void compensated_sum() {
    against_cub_sum("compensated_sum of floats", [this](int i) {
      heddle::device::compensated_sum(workspace_, on_.values(i), count_, on_.results(i));
    });
  }
  void reproducible_sum() {
    against_cub_sum("reproducible_sum of floats", [this](int i) {
      heddle::device::reproducible_sum(workspace_, on_.values(i), count_, on_.results(i));
    });
  }
  void arg_max() {
    const auto best = [this](int i) { return reinterpret_cast<place*>(on_.unique(i)); };
    row(
        "arg_max of floats", 4, "cub::DeviceReduce::ArgMax",
        [=, this](int i) { heddle::device::arg_max(workspace_, on_.values(i), count_, best(i)); },
        [=, this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceReduce::ArgMax(memory, bytes, on_.values(i), &best(i)->value,
                                           &best(i)->index, count_, stream_);
        },
        [=] { return sweep_results().take(&best(0)->value, 1).take(&best(0)->index, 1); });
  }
  void scan() {
    row(
        "inclusive_scan of floats", 8, "cub::DeviceScan::InclusiveSum",
        [this](int i) {
          heddle::device::inclusive_scan(workspace_, on_.values(i), on_.results(i), count_);
        },
        [this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceScan::InclusiveSum(memory, bytes, on_.values(i), on_.results(i), count_,
                                               stream_);
        },
        [this] { return sweep_results().take(on_.results(0), count_); });
  }
  void scan_by_key() {
    row(
        "inclusive_scan_by_key of floats", 12, "cub::DeviceScan::InclusiveSumByKey",
        [this](int i) {
          heddle::device::inclusive_scan_by_key(workspace_, on_.keys(i), on_.values(i),
                                                on_.results(i), count_);
        },
        [this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceScan::InclusiveSumByKey(memory, bytes, on_.keys(i), on_.values(i),
                                                    on_.results(i), count_, cuda::std::equal_to<>{},
                                                    stream_);
        },
        [this] { return sweep_results().take(on_.results(0), count_); });
  }
  void segmented_sum() {
    const int segments = static_cast<int>(count_ / sweep_segment);
    row(
        "segmented sum, length 64", 4 + 8.0 / sweep_segment, "cub::DeviceSegmentedReduce::Sum",
        [=, this](int i) {
          heddle::device::segmented_reduce(workspace_, on_.values(i), on_.offsets(), segments,
                                           on_.results(i));
        },
        [=, this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceSegmentedReduce::Sum(memory, bytes, on_.values(i), on_.results(i),
                                                 segments, on_.offsets(), on_.offsets() + 1,
                                                 stream_);
        },
        [=, this] { return sweep_results().take(on_.results(0), segments); });
  }
  void sum_by_key() {
    row(
        "reduce_by_key, runs of 16", 8 + 8.0 / sweep_run_length, "cub::DeviceReduce::ReduceByKey",
        [this](int i) {
          heddle::device::reduce_by_key(workspace_, on_.keys(i), on_.values(i), count_,
                                        on_.unique(i), on_.results(i), on_.found());
        },
        [this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceReduce::ReduceByKey(memory, bytes, on_.keys(i), on_.unique(i),
                                                on_.values(i), on_.results(i), on_.found(),
                                                cuda::std::plus<>{}, count_, stream_);
        },
        [this] {
          const std::int64_t runs = on_.number_found();
          return sweep_results().take(on_.results(0), runs).take(on_.unique(0), runs);
        });
  }
  void run_length() {
    const auto lengths = [this](int i) { return reinterpret_cast<int*>(on_.results(i)); };
    row(
        "run_length, runs of 16", 4 + 8.0 / sweep_run_length, "cub::DeviceRunLengthEncode::Encode",
        [=, this](int i) {
          heddle::device::run_length(workspace_, on_.keys(i), count_, on_.unique(i), lengths(i),
                                     on_.found());
        },
        [=, this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceRunLengthEncode::Encode(memory, bytes, on_.keys(i), on_.unique(i),
                                                    lengths(i), on_.found(), count_, stream_);
        },
        [=, this] {
          const std::int64_t runs = on_.number_found();
          return sweep_results().take(lengths(0), runs).take(on_.unique(0), runs);
        });
  }
  void select() {
    row(
        "select, percent 50", 6, "cub::DeviceSelect::If",
        [this](int i) {
          heddle::device::select(workspace_, on_.values(i), count_, on_.results(i), on_.found(),
                                 is_negative{});
        },
        [this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceSelect::If(memory, bytes, on_.values(i), on_.results(i), on_.found(),
                                       count_, is_negative{}, stream_);
        },
        [this] {
          return sweep_results().take(on_.results(0), on_.number_found()).take(on_.found(), 1);
        });
  }
  void histogram_of_bytes() {
    histogram(
        "histogram of bytes in 256", [this](int i) { return on_.bytes(i); },
        heddle::device::even_bins<int>{0, 256, 256});
  }
  void histogram_of_floats() {
    histogram(
        "histogram of floats in 256", [this](int i) { return on_.values(i); },
        heddle::device::even_bins<float>{-1, 1, 256});
  }
  // CUB takes so long for this many bins that fewer calls must do. Whether small inputs are in a
  // cache matters little here.
  void large_histogram_of_floats() {
    most_calls_ = 1024;
    histogram(
        "histogram of floats in 65536", [this](int i) { return on_.values(i); },
        heddle::device::even_bins<float>{-1, 1, sweep_most_bins});
    most_calls_ = rotation::most_calls;
  }

  template <typename Ours>
  void against_cub_sum(const std::string& name, const Ours& ours) {
    row(
        name, 4, "cub::DeviceReduce::Sum", ours,
        [this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceReduce::Sum(memory, bytes, on_.values(i), on_.results(i),
                                        static_cast<int>(count_), stream_);
        },
        [this] { return sweep_results().take(on_.results(0), 1); });
  }
  template <typename Slice, typename Bins>
  void histogram(const std::string& name, const Slice& slice, const Bins& bins) {
    row(
        name, sizeof *slice(0), "cub::DeviceHistogram::HistogramEven",
        [=, this](int i) {
          heddle::device::histogram(workspace_, slice(i), count_, bins, on_.bins());
        },
        [=, this](void* memory, std::size_t& bytes, int i) {
          return cub::DeviceHistogram::HistogramEven(memory, bytes, slice(i), on_.bins(),
                                                     static_cast<int>(bins.count) + 1, bins.lower,
                                                     bins.upper, static_cast<int>(count_), stream_);
        },
        [=, this] { return sweep_results().take(on_.bins(), bins.count); });
  }

  // Ours against CUB. `bytes` is what must be moved per element; with less than four bytes read per
  // element, the input is bytes. Both must give the same `results()`, apart from rounding.
  template <typename Ours, typename Peer, typename Results>
  void row(const std::string& name, double bytes, const std::string& peer_name, const Ours& ours,
           const Peer& peer, const Results& results) {
    if (!contest_.rows().wants(name + size_)) return;
    on_.set(count_, bytes < sizeof(float) ? 1 : sizeof(float));
    const double tolerance = 1e-3 + 1e-5 * std::sqrt(static_cast<double>(count_));
    sweep_results first;
    const auto give_first = [&] {
      first = results();
      on_.spoil();
      return true;
    };
    const auto give_the_same = [&] { return results().agrees_with(first, tolerance); };
    const auto call_peer = [&](int i) {
      std::size_t needed = 0;
      check(peer(nullptr, needed, i));
      check(peer(peer_memory_.scratch(needed), needed, i));
    };
    const int calls = std::min(on_.calls(), most_calls_);
    contest_.run({bytes * static_cast<double>(count_), calls, 0},
                 {{name + size_, ours, 0, give_first}, {peer_name, call_peer, 1, give_the_same}});
  }

  device_contest& contest_;
  sweep_arrays on_;
  heddle::device::workspace workspace_;
  heddle::device::workspace peer_memory_;
  cudaStream_t stream_;
  std::int64_t count_ = 0;
  std::string size_;
  int most_calls_ = rotation::most_calls;
};

}  // namespace heddle_bench
