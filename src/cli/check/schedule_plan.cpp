// Chooses the schedules of a check and their order.
#include "cli/check/schedule_plan.hpp"

#include <frontend/driver/build_error.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace heddle::cli {
namespace {

using frontend::build_error;

constexpr const char* without_seed = "converged";
constexpr const char* all_interleavings = "exhaustive";
constexpr std::array names{without_seed, "random",         "pct", "starve", "freeze",
                           "weak",       all_interleavings};

// Default: this many schedules, but after `default_seconds` only the first `fewest`.
constexpr std::size_t default_count = 8;
constexpr double default_seconds = 5;
constexpr std::size_t fewest = 3;

void check_name(const std::string& name) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string all;
  for (const char* one : names) all += (all.empty() ? "" : ", ") + std::string(one);
  throw build_error("unknown schedule '" + name + "'; use " + all);
}

}  // namespace

std::string schedule_choice::text() const {
  if (name == all_interleavings) return turns.empty() ? name : name + ':' + turns;
  return name == without_seed ? name : name + ':' + std::to_string(seed);
}

schedule_choice read_schedule(const std::string& text) {
  const std::size_t colon = text.find(':');
  schedule_choice read{text.substr(0, colon), 1, {}};
  check_name(read.name);
  if (read.name == all_interleavings) {
    if (colon != text.npos) read.turns = text.substr(colon + 1);
    if (read.turns.empty() || read.turns.find_first_not_of("0123456789.-") != text.npos) {
      throw build_error("--replay: an interleaving looks like exhaustive:0.0-7.32, not '" + text +
                        "'");
    }
    return read;
  }
  if (colon == text.npos) return read;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, read.seed);
  if (error != std::errc{} || stopped != end) {
    throw build_error("--replay: a schedule looks like random:3, not '" + text + "'");
  }
  return read;
}

schedule_plan::schedule_plan(const frontend::check_options& options)
    : first_seed_(options.seed.value_or(1)),
      seconds_(options.seconds),
      explores_(options.schedule == all_interleavings),
      preemptions_(options.preemptions) {
  if (options.preemptions && !explores_) {
    throw build_error("--preemptions needs --schedule exhaustive");
  }
  if (explores_ && (options.seed || options.schedules)) {
    throw build_error(
        "--schedule exhaustive runs all interleavings; leave out --seed and --schedules");
  }
  if (!options.replay.empty()) {
    if (!options.schedule.empty() || options.seed || options.schedules || options.seconds) {
      throw build_error(
          "--replay runs a single schedule; leave out --schedule, --seed, --schedules and --time");
    }
    const schedule_choice only = read_schedule(options.replay);
    first_ = {only.name};
    first_seed_ = only.seed;
    turns_ = only.turns;
    count_ = 1;
    return;
  }
  if (!options.schedule.empty()) {
    check_name(options.schedule);
    cycle_ = {options.schedule};
  } else {
    first_ = {"converged", "random", "pct", "random", "pct", "random", "starve", "random"};
    cycle_ = {"pct", "weak", "starve", "random"};
  }
  is_default_ = !options.schedules && !options.seconds;
  count_ = options.schedules ? *options.schedules : options.seconds ? 0 : default_count;
  if (options.schedule == without_seed) count_ = 1;  // it has no seed
}

std::optional<schedule_choice> schedule_plan::next() {
  if (count_ != 0 && given_ == count_) return std::nullopt;
  const std::size_t at = given_++;
  const std::string& name =
      at < first_.size() ? first_[at] : cycle_[(at - first_.size()) % cycle_.size()];
  auto known = std::find_if(next_seed_.begin(), next_seed_.end(),
                            [&](const auto& one) { return one.first == name; });
  if (known == next_seed_.end()) {
    next_seed_.push_back({name, first_seed_});
    known = std::prev(next_seed_.end());
  }
  return schedule_choice{name, known->second++, turns_};
}

bool schedule_plan::has_time(double seconds, std::size_t done) const {
  if (seconds_) return seconds < *seconds_;
  return !is_default_ || done < fewest || seconds < default_seconds;
}

double schedule_plan::seconds_left(double seconds, std::size_t done) const {
  if (seconds_ && count_ == 0) return std::max(0.0, *seconds_ - seconds);
  if (done == 0 || count_ == 0) return -1;
  return seconds / static_cast<double>(done) * static_cast<double>(count_ - done);
}

}  // namespace heddle::cli
