// Runs other programs, several at a time, and keeps what they say.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace heddle::cli {

struct side_job {
  std::vector<std::string> command;
  std::filesystem::path folder;  // where it runs

  int status = -1;  // exit status; 128 + the signal's number if one ended it; -1: it has not run
  std::string output = {};    // standard output
  std::string messages = {};  // standard error
  double seconds = 0;

  [[nodiscard]] bool is_done() const { return status == 0; }
};

// Runs the jobs, at most so many at a time. What they say goes through files in `scratch`.
//   while_they_run   called several times a second
//   result           false if a signal asked this process to end; the jobs have been ended then
bool run_side_jobs(const std::vector<side_job*>& jobs, unsigned at_a_time,
                   const std::filesystem::path& scratch,
                   const std::function<void(std::size_t done)>& while_they_run);

}  // namespace heddle::cli
