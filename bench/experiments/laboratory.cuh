// What all experiments share: rows, variants timed in turns, and medians of launches.
#pragma once
#include "support/contest.cuh"
// After the header that turns preconditions off.
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment_report.hpp"

namespace heddle_bench {

class laboratory {
 public:
  explicit laboratory(experiment_report& rows) : rows_(rows) { rows_.head(this_machine()); }
  experiment_report& rows() { return rows_; }
  int multiprocessors() const { return turns_.multiprocessors(); }

  // Variants of one job: the cost of a call on a full GPU, and alone. Their results must agree.
  template <typename Feed>
  void compare(const std::string& experiment, std::vector<contender<Feed>> variants) {
    if (!rows_.wants(experiment)) return;
    turns_.measure(variants, {});
    for (const auto& variant : variants) {
      rows_.row(experiment, variant.name, "busy", "ns", variant.measured.busy);
      rows_.row(experiment, variant.name, "alone", "cycles", variant.measured.alone);
    }
  }

  // The median of several launches, fewer if they are slow, after one that warms up. `prepare` runs
  // before each and is not timed.
  template <typename Prepare, typename Launch>
  double nanoseconds(const Prepare& prepare, const Launch& launch) {
    std::vector<double> took;
    double total = 0;
    for (int run = 0; run <= runs_ && (run < 2 || total < time_limit_); ++run) {
      prepare();
      watch_.start();
      launch();
      check(cudaGetLastError());
      const double one = watch_.nanoseconds();
      total += one;
      if (run > 0) took.push_back(one);
    }
    return median(took);
  }

 private:
  static constexpr int runs_ = 7;
  static constexpr double time_limit_ = 1e9;  // nanoseconds

  experiment_report& rows_;
  turns turns_;
  stopwatch watch_;
};

}  // namespace heddle_bench
