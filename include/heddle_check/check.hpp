// Checks part of a program from inside it, for tests that assert on findings. Build the program
// with `heddle cc --check`.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::host {

// One side of a finding: who did what, and where.
struct place {
  std::string role;  // reads, writes, updates, waits, spins, calls, allocates
  std::string file;  // empty if unknown
  int line = 0;
  std::string source;  // the text of that line
  std::string kernel;  // set only if it is not the finding's kernel
  bool is_on_host = false;
  std::array<unsigned, 3> block{};
  std::array<unsigned, 3> thread{};
  unsigned warp = 0;
  unsigned lane = 0;
};

struct finding {
  std::string kind;     // such as `race`; `heddle explain` lists them
  std::string kernel;   // empty for the host
  std::string message;  // what is wrong, in one sentence
  std::vector<place> places;
  std::uint64_t count = 0;             // occurrences over all schedules
  std::vector<std::string> schedules;  // those that showed it; replay the first
  std::string text;                    // the report, on several lines
};

// The findings of a check, each defect once.
class findings {
 public:
  using const_iterator = std::vector<finding>::const_iterator;
  findings() = default;
  explicit findings(std::vector<finding> all) : all_(std::move(all)) {}
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] const finding& operator[](std::size_t i) const { return all_[i]; }
  [[nodiscard]] const_iterator begin() const { return all_.begin(); }
  [[nodiscard]] const_iterator end() const { return all_.end(); }

 private:
  std::vector<finding> all_;
};
std::ostream& operator<<(std::ostream& to, const finding& what);
std::ostream& operator<<(std::ostream& to, const findings& all);

// converged, random:1, pct:1, random:2, starve:1
std::vector<std::string> usual_schedules();

struct check_options {
  // In the notation of --replay. The callable runs once for each schedule, and again where that
  // decides whether an uninitialized value matters.
  std::vector<std::string> schedules = usual_schedules();
};

namespace detail {

// `run` returns an index for its result; equal results have equal indices.
findings check_runs(const check_options& options, const std::function<std::size_t()>& run);
findings expect_kind(const std::string& kind, const findings& found);

}  // namespace detail

// Runs a callable that launches kernels, under one schedule after another, and synchronizes with
// the device after each run.
//   program     repeatable: each call does the same. Its result, if any, has ==. If other contents
//               of uninitialized memory change the result, that memory becomes a finding
//   result      all defects, leaked memory included. The program's own report leaves them out
//   throws      std::logic_error if the program was built without --check; std::invalid_argument
//               for an unknown schedule; whatever the callable throws
//   a kernel that fails ends the check; the device is then reset so that another check can start
template <typename Program>
[[nodiscard]] findings check(const check_options& options, Program program) {
  using result = std::invoke_result_t<Program&>;
  if constexpr (std::is_void_v<result>) {
    return detail::check_runs(options, [&]() -> std::size_t {
      program();
      return 0;
    });
  } else {
    std::vector<std::decay_t<result>> results;
    return detail::check_runs(options, [&]() -> std::size_t {
      std::decay_t<result> now = program();
      for (std::size_t number = 0; number < results.size(); ++number) {
        if (results[number] == now) return number;
      }
      results.push_back(std::move(now));
      return results.size() - 1;
    });
  }
}

template <typename Program>
[[nodiscard]] findings check(Program program) {
  return check(check_options{}, std::move(program));
}

// Thrown if the expected defect is not found, or another one is.
class unexpected_findings : public std::runtime_error {
 public:
  explicit unexpected_findings(const std::string& words) : std::runtime_error(words) {}
};

// As check, for a program with a known defect: requires findings of that kind and of no other.
// `uninitialized` findings are ignored, since a premature read also reads unwritten memory.
//   result      the findings of that kind
//   throws      unexpected_findings with the report of what was found instead
template <typename Program>
findings expect_defect(const std::string& kind, const check_options& options, Program program) {
  return detail::expect_kind(kind, check(options, std::move(program)));
}

template <typename Program>
findings expect_defect(const std::string& kind, Program program) {
  return expect_defect(kind, check_options{}, std::move(program));
}

}  // namespace heddle::host
