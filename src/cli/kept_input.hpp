// The standard input, for a program that is run more than once.
#pragma once
#include <string>

namespace heddle::cli {

// What can be opened again is; what comes through a pipe or a terminal is handed on to the first
// run and kept for the others.
class kept_input {
 public:
  kept_input();

  // A descriptor for the next run, which the caller closes; -1: the run gets a pipe with the bytes.
  [[nodiscard]] int open_again() const;

  // For the first run: true as long as more may come from the descriptor 0.
  [[nodiscard]] bool may_have_more() const { return is_relayed_ && !is_at_end_; }
  // Reads what has come. Call it when the descriptor 0 is readable.
  void read_more();
  // No more is asked for: the first run is over.
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
