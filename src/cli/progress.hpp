// Shows the progress of a check: one changing line on a terminal, separate lines in a log.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>

namespace heddle::cli {

class progress_line {
 public:
  // If standard error is not a terminal: prints a line for each step, or nothing.
  explicit progress_line(bool prints_each_step = false);
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  struct state {
    std::string schedule;
    std::size_t done = 0;
    std::size_t planned = 0;  // 0: as many as time allows
    std::size_t findings = 0;
    double seconds = 0;       // since the start
    double seconds_left;      // negative: unknown
    std::string kernel = {};  // the running kernel; empty: unknown
    unsigned percent = 0;     // of its blocks that have finished
  };
  void show(const state& now);
  // Updates the line while a schedule runs; rarely in a log.
  void refresh(const state& now);
  void show(const std::string& text);
  void clear();
  // Prints a permanent line above the changing one.
  void print_line(const std::string& text);
  [[nodiscard]] bool is_silent() const { return !is_terminal_ && !prints_each_step_; }

 private:
  bool is_terminal_;
  bool prints_each_step_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_step_ = std::chrono::steady_clock::now();
};

// Whether text on standard error may have colour (respects NO_COLOR and dumb terminals).
bool wants_colour();

}  // namespace heddle::cli
