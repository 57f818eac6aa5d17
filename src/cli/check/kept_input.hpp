// Provides standard input to a program that runs more than once.
#pragma once
#include <string>

namespace heddle::cli {

// A file is reopened for each run. Input from a pipe or a terminal is passed on to the first run
// and kept for the others.
class kept_input {
 public:
  kept_input();

  // A descriptor for the next run, which the caller closes; -1: feed the run through a pipe.
  [[nodiscard]] int open_again() const;

  // For the first run: true as long as more may arrive on standard input.
  [[nodiscard]] bool may_have_more() const { return is_relayed_ && !is_at_end_; }
  // Reads what has arrived. Call it when standard input is readable.
  void read_more();
  // Stops reading: the first run is over.
  void close() { is_at_end_ = true; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  bool is_relayed_ = false;
  bool is_at_end_ = false;
  bool is_nothing_ = false;
  long long offset_ = 0;
  std::string bytes_;
};

}  // namespace heddle::cli
