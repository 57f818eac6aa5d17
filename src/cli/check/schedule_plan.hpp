// Chooses the schedules of a check and their order.
#pragma once
#include <frontend/driver/command_line.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

struct schedule_choice {
  std::string name;
  std::uint64_t seed = 1;
  std::string turns;  // for `exhaustive`: the one interleaving to run
  // `random:3`; `exhaustive:0.0-7.32`; `converged`, which has no seed.
  [[nodiscard]] std::string text() const;
};

// Parses the result of `text()`. Throws build_error with a message.
schedule_choice read_schedule(const std::string& text);

class schedule_plan {
 public:
  // Throws build_error with a message for options that contradict each other.
  explicit schedule_plan(const frontend::check_options& options);

  // Nothing at the end of the plan.
  std::optional<schedule_choice> next();
  // Whether to explore all interleavings in one run; limits on preemptions in each, and seconds.
  [[nodiscard]] bool explores() const { return explores_; }
  [[nodiscard]] std::optional<std::uint64_t> preemptions() const { return preemptions_; }
  [[nodiscard]] std::optional<double> seconds() const { return seconds_; }
  // 0: as many as time allows.
  [[nodiscard]] std::size_t count() const { return count_; }
  // False once the time is up. A plan with an explicit count has no time limit.
  [[nodiscard]] bool has_time(double seconds, std::size_t done) const;
  // Whether the plan may be cut short for other reasons: no count and no time were asked for.
  [[nodiscard]] bool is_default() const { return is_default_; }
  // An estimate; negative if unknown.
  [[nodiscard]] double seconds_left(double seconds, std::size_t done) const;

 private:
  std::vector<std::string> first_;  // names that come before the cycle
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
