// Which schedules a check runs, in which order.
#pragma once
#include <frontend/command_line.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

struct schedule_choice {
  std::string name;
  std::uint64_t seed = 1;
  std::string turns;  // of the one interleaving, where the name is `exhaustive`
  // `random:3`; `exhaustive:0.0-7.32`; `converged`, which has no seed.
  [[nodiscard]] std::string text() const;
};

// The words of `text()` back. Throws build_error with a sentence.
schedule_choice read_schedule(const std::string& text);

class schedule_plan {
 public:
  // Throws build_error with a sentence for options that do not fit together.
  explicit schedule_plan(const frontend::check_options& options);

  // None when the plan is at its end.
  std::optional<schedule_choice> next();
  // All interleavings in one run, at most so many preemptions in each, for so many seconds.
  [[nodiscard]] bool explores() const { return explores_; }
  [[nodiscard]] std::optional<std::uint64_t> preemptions() const { return preemptions_; }
  [[nodiscard]] std::optional<double> seconds() const { return seconds_; }
  // 0: as many as there is time for.
  [[nodiscard]] std::size_t count() const { return count_; }
  // False once a plan that nobody has asked for in detail has taken too long.
  [[nodiscard]] bool has_time(double seconds, std::size_t done) const;
  // Whether the caller may end the plan early for other reasons: nobody has asked for a number.
  [[nodiscard]] bool is_default() const { return is_default_; }
  // An estimate; negative: not known.
  [[nodiscard]] double seconds_left(double seconds, std::size_t done) const;

 private:
  std::vector<std::string> first_;  // names, before the cycle
  std::vector<std::string> cycle_;
  std::uint64_t first_seed_ = 1;
  std::size_t count_ = 0;
  std::size_t given_ = 0;
  std::vector<std::pair<std::string, std::uint64_t>> next_seed_;
  std::optional<double> seconds_;
  bool is_default_ = false;
  bool explores_ = false;
  std::optional<std::uint64_t> preemptions_;
  std::string turns_;
};

}  // namespace heddle::cli
