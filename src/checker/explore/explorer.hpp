// Runs one interleaving after another, each in a process that is forked where the first kernel
// begins.
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include <heddle_host/finding.hpp>

#include "checker/explore/exploration_area.hpp"
#include "checker/explore/exploration_summary.hpp"
#include "checker/explore/explored_order.hpp"
#include "checker/explore/search.hpp"
#include "checker/settings.hpp"

namespace heddle_checker {

class explorer {
 public:
  explorer(const settings& how, exploration_area& area, explored_order& order);

  // Returns in each process that is to run an interleaving. The calling process stays here, and
  // exits when everything is explored.
  void run();

  // For those processes.
  [[nodiscard]] bool runs_interleaving() const { return runs_interleaving_; }
  // The program has finished.
  void finish_interleaving(const std::deque<heddle_host::finding>& findings);

 private:
  void become_interleaving();
  // False: the exploration must stop.
  bool take(int status, double seconds);
  void take_result(int status);
  [[nodiscard]] double seconds() const;
  void report(bool is_last);

  const settings& how_;
  exploration_area& area_;
  explored_order& order_;
  search search_;
  exploration_summary summary_;
  std::map<std::string, std::size_t> results_;  // by exit status and sorted output
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  double reported_at_ = 0;
  bool runs_interleaving_ = false;
  int output_ = -1;  // files in memory
  int messages_ = -1;
  int original_stderr_ = -1;  // for findings without a file
  long input_at_ = -1;        // position of the standard input
};

}  // namespace heddle_checker
