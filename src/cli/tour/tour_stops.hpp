// The stops of the tour: what each runs, and what it makes of the results.
#pragma once
#include <report/tour/tour_report.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/check/side_jobs.hpp"
#include "cli/machine.hpp"

namespace heddle::cli {

struct tour_environment {
  machine here;
  device_choice device;
  bool is_quick = false;
  std::filesystem::path self;     // the running binary
  std::filesystem::path share;    // contains examples/
  std::filesystem::path include;  // contains heddle/
  std::filesystem::path scratch;
};

struct planned_stop {
  heddle_report::tour_stop result;  // what is known beforehand; completed by finish()
  std::vector<side_job> jobs;       // run concurrently with those of other stops
  std::vector<side_job>
      measured;  // run afterwards, one by one, each if the jobs before it succeeded
  std::function<void(planned_stop&)> finish;
};

// In the order of the tour.
[[nodiscard]] std::vector<planned_stop> plan_tour(const tour_environment& where);

// Names for --only.
[[nodiscard]] std::vector<std::string> names_of_stops();

// The stop that clusters in this process, and on the GPU if there is one.
[[nodiscard]] planned_stop plan_scan(const tour_environment& where);

// Jobs that several stops need.
//   build_for_gpu   runs nvcc; the program has its source's name and is in the scratch folder
//   profile         runs `heddle profile`; its JSON is FILE.json in the scratch folder
[[nodiscard]] side_job build_for_gpu(const tour_environment& where, const std::string& source);
[[nodiscard]] side_job profile(const tour_environment& where, const std::string& source,
                               const std::vector<std::string>& arguments);
[[nodiscard]] std::filesystem::path program_of(const tour_environment& where,
                                               const std::string& source);

// The line of a job's messages that best explains the failure.
[[nodiscard]] std::string failure_of(const side_job& job);

}  // namespace heddle::cli
