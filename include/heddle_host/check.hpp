// Checks a part of a program from inside it, for tests that assert on findings. The program is
// built by `heddle cc --check`.
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

// A side of a finding: who does what where.
struct place {
  std::string role;  // reads, writes, updates, waits, spins, calls, allocates
  std::string file;  // empty: not known
  int line = 0;
  std::string source;  // the text of that line
  std::string kernel;  // where it is not the finding's
  bool is_on_host = false;
  std::array<unsigned, 3> block{};
  std::array<unsigned, 3> thread{};
  unsigned warp = 0;
  unsigned lane = 0;
};

struct finding {
  std::string kind;     // `race`, as `heddle explain` lists them
  std::string kernel;   // empty: the host's
  std::string message;  // what is wrong, in one sentence
  std::vector<place> places;
  std::uint64_t count = 0;             // times, over all schedules
  std::vector<std::string> schedules;  // that have shown it; the first one shows it again
  std::string text;                    // the report, several lines
};

// What a check has found; each defect once.
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
  // As --replay takes them. The callable is run once for each, and again where that decides
  // whether an unwritten value matters.
  std::vector<std::string> schedules = usual_schedules();
};

namespace detail {

// `run` returns the number of its result: equal results have the same.
findings check_runs(const check_options& options, const std::function<std::size_t()>& run);
findings expect_kind(const std::string& kind, const findings& found);

}  // namespace detail

// Runs a callable that launches kernels under one schedule after another, and waits for the device
// behind each run.
//   program     can be repeated: each call does the same. What it returns, if anything, has ==:
//               another result with other unwritten bytes makes a finding of these
//   result      what is wrong with it; memory that it leaves behind, too. Not told by the program
//   throws      std::logic_error in a program that was built without --check;
//               std::invalid_argument for a schedule that is not offered; what the callable throws
//   a kernel that fails ends the check, and the device is reset, so that the next one can begin
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

// Thrown where an expected defect is not found, or another one is.
class unexpected_findings : public std::runtime_error {
 public:
  explicit unexpected_findings(const std::string& words) : std::runtime_error(words) {}
};

// The same for a program with a defect: there is a finding of that kind, and none of another.
// `uninitialized` is not counted as another: who reads too early reads what was not written.
//   result      those of the kind
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
