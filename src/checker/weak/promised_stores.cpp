// Runs lanes ahead in copies of the process to find and to check promised stores.
#include "checker/weak/promised_stores.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <heddle_host/ran_code.hpp>
#include <heddle_host/schedule.hpp>

#include "checker/memory/plain_word.hpp"

namespace heddle_checker {
namespace {

constexpr unsigned most_tries = 192;
constexpr unsigned most_tries_of_grid = 8;
constexpr unsigned most_copies = 32;  // each waits for the next
constexpr unsigned loads_per_try = 16;
constexpr unsigned most_steps_alone = 64;
constexpr unsigned most_steps_until_store = 4096;
constexpr unsigned most_stops = 1000;
constexpr unsigned seconds_to_certify = 5;  // only reached by a lane that loops without an access
constexpr std::uint64_t nobody = ~std::uint64_t{0};

// A copy has one thread. It can continue if that is the thread that runs the program; the watchdog
// starts again.
bool can_be_copied() {
  if (getpid() != gettid()) return false;
  unsigned threads = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/task")) {
    ++threads;
  }
  return threads <= 2;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Whether that many bytes arrived before the other end was closed.
bool read_all(int from, void* to, std::size_t bytes) {
  for (;;) {
    const ssize_t got = read(from, to, bytes);  // so few bytes arrive at once
    if (got < 0 && errno == EINTR) continue;
    return got == static_cast<ssize_t>(bytes);
  }
}

}  // namespace

void promised_stores::allow(std::uint64_t seed) {
  random_ = random_generator(seed);
  is_allowed_ = can_be_copied();
  tries_left_ = most_tries;
  copies_left_ = most_copies;
}

bool promised_stores::wants_promise() {
  if (!is_allowed_ || is_busy() || tries_left_ == 0 || tries_of_grid_ == most_tries_of_grid) {
    return false;
  }
  if (random_.below(loads_per_try) != 0) return false;
  --tries_left_;
  ++tries_of_grid_;
  return can_be_copied();
}

std::optional<std::uint64_t> promised_stores::find_promise(
    std::uint64_t lane, std::uintptr_t address, unsigned bytes,
    const std::function<void()>& let_others_run) {
  address_ = address;
  bytes_ = bytes;
  const std::optional<promise> promised = certify(lane, let_others_run);
  if (!promised || promised->value == load_word(address, bytes)) return std::nullopt;
  if (!continue_in_copy()) return std::nullopt;
  if (--copies_left_ == 0) is_allowed_ = false;
  expected_ = *promised;
  seen_ = {promised->lane, 0, 0, 0};
  steps_ = 0;
  doing_ = activity::waiting_for_store;
  return promised->value;
}

std::optional<promised_stores::promise> promised_stores::certify(
    std::uint64_t lane, const std::function<void()>& let_others_run) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t copy = heddle_host::copy_process();
  if (copy == 0) {
    alarm(seconds_to_certify);
    heddle_host::forget_ran_code();
    doing_ = activity::certifying;
    reader_ = lane;
    seen_ = {nobody, 0, 0, 0};
    answer_ = ends[1];
    for (unsigned i = 0; i < most_stops; ++i) let_others_run();
    leave();
  }
  close(ends[1]);
  promise promised{};
  const bool is_certified = copy > 0 && read_all(ends[0], &promised, sizeof promised);
  close(ends[0]);
  if (copy > 0) wait_for(copy);
  return is_certified ? std::optional(promised) : std::nullopt;
}

// True: this is the copy. False: there was no copy, or it has failed.
bool promised_stores::continue_in_copy() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  std::fflush(stdout);  // or both would print what is buffered
  const pid_t copy = heddle_host::copy_process();
  if (copy == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    answer_ = ends[1];
    return true;
  }
  close(ends[1]);
  char failed = 0;
  const bool has_failed = copy > 0 && read_all(ends[0], &failed, 1);
  close(ends[0]);
  const int status = copy > 0 ? wait_for(copy) : 0;
  if (copy < 0 || has_failed) return false;
  // The copy was the program, so this process ends in the same way.
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(WEXITSTATUS(status));
}

void promised_stores::step(std::uint64_t lane, std::uintptr_t address, const void* code) {
  if (has_stored_) check_store();
  if (!is_busy()) return;
  if (is_certifying()) {
    if (lane == reader_) leave();  // no other lane could run
    if (seen_.lane == nobody) seen_.lane = lane;
    if (seen_.lane != lane || seen_.steps == most_steps_alone) leave();
  } else if (++steps_ == most_steps_until_store) {
    give_up();
  }
  if (seen_.lane != lane) return;
  ++seen_.steps;
  seen_.path =
      (seen_.path ^ address ^ reinterpret_cast<std::uintptr_t>(code) << 20) * 0x9e3779b97f4a7c15u;
}

bool promised_stores::fulfils(std::uint64_t lane, std::uintptr_t address, unsigned bytes) {
  if (lane != seen_.lane || address != address_ || bytes != bytes_) return false;
  has_stored_ = true;
  if (is_certifying()) return false;
  if (seen_.path != expected_.path || seen_.steps != expected_.steps) give_up();
  return true;
}

// Called after the store, when its value is in memory.
void promised_stores::check_store() {
  has_stored_ = false;
  seen_.value = load_word(address_, bytes_);
  if (is_certifying()) {
    [[maybe_unused]] const ssize_t written = write(answer_, &seen_, sizeof seen_);
    leave();
  }
  if (seen_.value != expected_.value) give_up();
  close(answer_);  // from now on this copy is the program
  doing_ = activity::nothing;
}

void promised_stores::end_grid() {
  tries_of_grid_ = 0;
  if (has_stored_) check_store();
  if (is_certifying()) leave();
  if (is_busy()) give_up();
}

void promised_stores::leave() const { _exit(0); }

void promised_stores::give_up() {
  const char failed = 1;
  [[maybe_unused]] const ssize_t written = write(answer_, &failed, 1);
  leave();
}

}  // namespace heddle_checker
