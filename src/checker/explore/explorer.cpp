// Runs one interleaving after another, each in a process that is forked where the first kernel
// begins.
#include "checker/explore/explorer.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <heddle_host/options.hpp>

#include "checker/run_reporter.hpp"

namespace heddle_checker {
namespace {

volatile sig_atomic_t ending_signal = 0;
void remember_signal(int number) { ending_signal = number; }
constexpr int ending_signals[]{SIGINT, SIGTERM, SIGHUP};

std::string contents_of(int file) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(lseek(file, 0, SEEK_END), 0)), '\0');
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

void clear(int file) {
  lseek(file, 0, SEEK_SET);
  if (ftruncate(file, 0) != 0) throw std::runtime_error("cannot truncate an in-memory file");
}

void write_all(int to, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t put = write(to, text.data() + at, text.size() - at);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    at += static_cast<std::size_t>(put);
  }
}

std::string sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  std::string joined;
  for (const std::string& line : lines) joined += line + '\n';
  return joined;
}

std::uint64_t fingerprint_of(const heddle_host::finding& what) {
  std::vector<const void*> codes;
  for (const auto& place : what.places) codes.push_back(place.code);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  std::uint64_t all = static_cast<std::uint64_t>(what.kind) + 1;
  for (const void* code : codes) {
    all = (all ^ reinterpret_cast<std::uintptr_t>(code)) * 0x9e3779b97f4a7c15u;
    all ^= all >> 29;
  }
  return all;
}

}  // namespace

explorer::explorer(const settings& how, exploration_area& area, explored_order& order)
    : how_(how), area_(area), order_(order), search_(how.preemptions) {
  // Each interleaving copies the pages that it touches, so huge pages would be expensive.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  mallopt(M_ARENA_MAX, 1);
}

double explorer::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

void explorer::run() {
  std::fflush(nullptr);
  output_ = memfd_create("heddle-output", MFD_CLOEXEC);
  messages_ = memfd_create("heddle-messages", MFD_CLOEXEC);
  original_stderr_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (output_ < 0 || messages_ < 0) throw std::runtime_error("cannot create an in-memory file");
  input_at_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  struct sigaction action {};
  action.sa_handler = remember_signal;
  for (const int number : ending_signals) sigaction(number, &action, nullptr);
  int first_status = 0;
  for (bool goes_on = true; goes_on;) {
    const double begun = seconds();
    area_.begin_interleaving();
    clear(output_);
    clear(messages_);
    if (input_at_ >= 0) lseek(STDIN_FILENO, input_at_, SEEK_SET);
    const pid_t child = fork();
    if (child == 0) return become_interleaving();
    if (child < 0) {
      summary_.failure = std::string("cannot create a process: ") + std::strerror(errno);
      break;
    }
    int ended = 0;
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) kill(child, SIGKILL);
    const int status = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
    if (ending_signal != 0) {
      summary_.stopped = "interrupted";
      break;
    }
    if (summary_.explored == 0) first_status = status;
    if (!take(status, seconds() - begun)) break;
    try {
      goes_on = search_.learn({area_.trace.data(), area_.entries});
    } catch (const std::logic_error& failure) {
      summary_.failure = failure.what();
      break;
    }
    summary_.fraction = search_.fraction();
    summary_.is_at_end = !goes_on;
    if (goes_on && how_.seconds > 0 && seconds() >= how_.seconds) {
      summary_.stopped = "time limit reached";
      break;
    }
    if (goes_on && seconds() - reported_at_ > 0.1) report(false);
  }
  report(true);
  const bool printed_findings = how_.findings_file.empty() && area_.finding_count > 0;
  _exit(printed_findings ? 1 : first_status);
}

void explorer::become_interleaving() {
  runs_interleaving_ = true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : ending_signals) std::signal(number, SIG_DFL);
  dup2(output_, STDOUT_FILENO);
  // Messages of the first interleaving are shown as they come.
  if (summary_.explored + summary_.pruned > 0) dup2(messages_, STDERR_FILENO);
  order_.follow(search_.next(), search_.known());
}

bool explorer::take(int status, double seconds_of_run) {
  if (area_.refusal[0] != '\0') {
    summary_.failure = area_.refusal.data();
    return false;
  }
  if (area_.is_pruned) {
    ++summary_.pruned;
    return true;
  }
  const std::string turns = "exhaustive:" + text_of(area_.turns());
  if (!area_.is_complete) {
    write_all(STDERR_FILENO, contents_of(messages_));
    summary_.failure = "the program exited early with status " + std::to_string(status) +
                       " and reported no findings in " + turns;
    return false;
  }
  ++summary_.explored;
  take_result(status);
  const double limit = heddle_host::timeout_seconds();
  if (limit > 0 && seconds_of_run > limit) {
    summary_.stopped = "an interleaving hangs";
    return false;
  }
  if (area_.is_too_long) {
    summary_.stopped = "an interleaving has more than 65536 steps";
    return false;
  }
  return true;
}

void explorer::take_result(int status) {
  constexpr std::size_t most_kept = 8;
  const std::string output = contents_of(output_);
  if (summary_.explored == 1) write_all(STDOUT_FILENO, output);
  const auto [known, is_new] =
      results_.try_emplace(std::to_string(status) + '\n' + sorted_lines(output), results_.size());
  if (is_new && known->second < most_kept) {
    summary_.kept_results.push_back({output, status, text_of(area_.turns()), 0});
  }
  summary_.results = results_.size();
  if (known->second < most_kept) ++summary_.kept_results[known->second].interleavings;
}

void explorer::report(bool is_last) {
  reported_at_ = seconds();
  summary_.seconds = reported_at_;
  summary_.beyond = search_.beyond_bound();
  summary_.has_guessed = area_.has_guessed;
  summary_.findings.clear();
  for (std::size_t i = 0; i < area_.finding_count; ++i) {
    summary_.findings.push_back({area_.findings[i].times, area_.findings[i].interleavings});
  }
  run_reporter::instance().report_exploration(summary_, is_last, how_.findings_file);
}

void explorer::finish_interleaving(const std::deque<heddle_host::finding>& findings) {
  const std::string turns = text_of(area_.turns());
  if (how_.findings_file.empty()) {
    std::fflush(stderr);
    dup2(original_stderr_, STDERR_FILENO);
  }
  for (const heddle_host::finding& one : findings) {
    std::size_t number = 0;
    if (area_.add_finding(fingerprint_of(one), one.count, number)) {
      run_reporter::instance().report_explored(one, turns, number, how_.findings_file);
    }
  }
  area_.is_complete = true;
}

}  // namespace heddle_checker
