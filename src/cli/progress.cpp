// Shows the progress of a check: one changing line on a terminal, separate lines in a log.
#include "cli/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace heddle::cli {
namespace {

bool is_capable_terminal() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

progress_line::progress_line(bool prints_each_step)
    : is_terminal_(is_capable_terminal()), prints_each_step_(prints_each_step) {}

void progress_line::show(const state& now) {
  if (is_silent()) return;
  std::string text = now.planned == 0 ? fmt::format("schedule {}", now.done + 1)
                                      : fmt::format("schedule {} of {}", now.done + 1, now.planned);
  text +=
      fmt::format(" ({}), {} finding{}", now.schedule, now.findings, now.findings == 1 ? "" : "s");
  if (!now.kernel.empty()) text += fmt::format(", kernel `{}` {} %", now.kernel, now.percent);
  if (now.done > 0 && now.seconds > 0) {
    text += fmt::format(", {:.1f} per second", static_cast<double>(now.done) / now.seconds);
  }
  if (now.seconds_left >= 0) text += fmt::format(", {:.0f} s left", now.seconds_left);
  show(text);
}

void progress_line::refresh(const state& now) {
  constexpr auto seldom = std::chrono::seconds(10);
  const auto moment = std::chrono::steady_clock::now();
  if (!is_terminal_ && moment - last_step_ < seldom) return;
  last_step_ = moment;
  show(now);
}

void progress_line::print_line(const std::string& text) {
  if (is_silent()) return;
  clear();
  fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
}

void progress_line::show(const std::string& text) {
  if (!is_terminal_) {
    if (prints_each_step_) print_line("heddle: " + text);
    return;
  }
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  is_shown_ = true;
}

void progress_line::clear() {
  if (!is_shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  is_shown_ = false;
}

bool wants_colour() {
  const char* const refused = std::getenv("NO_COLOR");
  return is_capable_terminal() && (refused == nullptr || *refused == '\0');
}

}  // namespace heddle::cli
