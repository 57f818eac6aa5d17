// Runs other programs, several at a time, and keeps their output.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace heddle::cli {

struct side_job {
  std::vector<std::string> command;
  std::filesystem::path folder;  // where it runs

  int status = -1;            // exit status; 128 + the signal number if killed by one; -1: not run
  std::string output = {};    // standard output
  std::string messages = {};  // standard error
  double seconds = 0;

  [[nodiscard]] bool is_done() const { return status == 0; }
};

// Runs the jobs, at most `at_a_time` at once. Their output goes through files in `scratch`.
//   while_they_run   called several times a second
//   result           false if a signal asked this process to end; then the jobs have been ended
bool run_side_jobs(const std::vector<side_job*>& jobs, unsigned at_a_time,
                   const std::filesystem::path& scratch,
                   const std::function<void(std::size_t done)>& while_they_run);

}  // namespace heddle::cli
