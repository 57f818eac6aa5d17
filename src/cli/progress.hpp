// Says how far a check is: one line on a terminal, or lines in a log.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>

namespace heddle::cli {

class progress_line {
 public:
  // Where standard error is no terminal: silent, or a line of its own for each step.
  explicit progress_line(bool tells_each_step = false);
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  struct state {
    std::string schedule;
    std::size_t done = 0;
    std::size_t planned = 0;  // 0: as many as there is time for
    std::size_t findings = 0;
    double seconds = 0;       // since the begin
    double seconds_left;      // negative: not known
    std::string kernel = {};  // that runs; empty: not known
    unsigned percent = 0;     // of its blocks that have ended
  };
  void show(const state& now);
  // The same while a schedule runs: not too often in a log.
  void refresh(const state& now);
  void show(const std::string& text);
  void clear();
  // A line that stays, above the one that is shown.
  void tell(const std::string& text);
  [[nodiscard]] bool is_silent() const { return !is_terminal_ && !tells_each_step_; }

 private:
  bool is_terminal_;
  bool tells_each_step_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_step_ = std::chrono::steady_clock::now();
};

// Whether text for people on standard error may have colour (NO_COLOR, dumb terminals).
bool wants_colour();

}  // namespace heddle::cli
