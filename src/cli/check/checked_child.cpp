// Runs a checked program once, in a child process.
#include "cli/check/checked_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace heddle::cli {
namespace {

using clock = std::chrono::steady_clock;

// Output beyond this is shown, but not kept for comparison between schedules.
constexpr std::size_t most_kept = std::size_t{64} << 20;
constexpr int poll_milliseconds = 50;
constexpr std::chrono::milliseconds kill_delay{2000};

volatile sig_atomic_t ending_signal = 0;

void remember_signal(int number) { ending_signal = number; }

class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  ~descriptor() { close(); }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  void take(int number) {
    close();
    number_ = number;
  }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

bool make_pipe(descriptor& reading, descriptor& writing) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  reading.take(ends[0]);
  writing.take(ends[1]);
  return true;
}

void write_all(int to, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t put = write(to, bytes, count);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;  // nobody reads it any more; the check continues
    bytes += put;
    count -= static_cast<std::size_t>(put);
  }
}

// Reads what is available; closes the descriptor at end of file.
void drain(descriptor& from, std::string& into, int shown_on) {
  std::array<char, 65536> part;
  while (from.is_open()) {
    const ssize_t got = read(from.get(), part.data(), part.size());
    if (got > 0) {
      const auto count = static_cast<std::size_t>(got);
      if (shown_on >= 0) write_all(shown_on, part.data(), count);
      if (into.size() < most_kept) into.append(part.data(), count);
    } else if (got < 0 && errno == EINTR) {
      continue;
    } else {
      if (got == 0 || errno != EAGAIN) from.close();
      return;
    }
  }
}

[[noreturn]] void exec_program(const child_request& what, int in, int out, int err, int failure) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(number, SIG_DFL);
  if (in >= 0) dup2(in, STDIN_FILENO);
  if (out >= 0) dup2(out, STDOUT_FILENO);
  if (err >= 0) dup2(err, STDERR_FILENO);
  // Turns off address randomisation, so that runs are alike. Some containers forbid this: then a
  // check may miss findings, but it reports no false ones.
  const int current = personality(0xffffffff);
  if (current != -1) personality(static_cast<unsigned>(current) | ADDR_NO_RANDOMIZE);
  setenv("HEDDLE_CHECK", what.settings.c_str(), 1);
  std::vector<char*> argv;
  for (const std::string& word : what.arguments) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(what.program.c_str(), argv.data());
  const int reason = errno;
  write_all(failure, reinterpret_cast<const char*>(&reason), sizeof reason);
  _exit(127);
}

// The parent's side of a running child.
class child_relay {
 public:
  child_relay(pid_t child, const child_request& what, kept_input& input, child_outcome& outcome)
      : child_(child), what_(what), input_(input), outcome_(outcome) {}

  descriptor to_input, from_output, from_messages;

  void run() {
    for (descriptor* end : {&to_input, &from_output, &from_messages}) {
      if (end->is_open()) fcntl(end->get(), F_SETFL, O_NONBLOCK);
    }
    while (true) {
      wait_for_something();
      drain(from_output, outcome_.output, what_.is_first ? what_.shown_on : -1);
      drain(from_messages, outcome_.messages, -1);
      feed();
      forward_signal();
      if (what_.while_it_runs) what_.while_it_runs();
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) != child_) continue;
      outcome_.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      drain(from_output, outcome_.output, what_.is_first ? what_.shown_on : -1);
      drain(from_messages, outcome_.messages, -1);
      return;
    }
  }

 private:
  void wait_for_something() {
    std::array<pollfd, 4> ends{};
    nfds_t count = 0;
    for (const descriptor* end : {&from_output, &from_messages}) {
      if (end->is_open()) ends[count++] = {end->get(), POLLIN, 0};
    }
    const bool has_bytes = fed_ < input_.bytes().size();
    if (to_input.is_open() && has_bytes) ends[count++] = {to_input.get(), POLLOUT, 0};
    const bool wants_more = to_input.is_open() && !has_bytes && may_read();
    const nfds_t at_input = count;
    if (wants_more) ends[count++] = {STDIN_FILENO, POLLIN, 0};
    // A child that has closed its output is about to exit: check for that every millisecond.
    poll(ends.data(), count, from_output.is_open() ? poll_milliseconds : 1);
    if (wants_more && ends[at_input].revents != 0) input_.read_more();
  }

  [[nodiscard]] bool may_read() const { return what_.is_first && input_.may_have_more(); }

  void feed() {
    while (to_input.is_open() && fed_ < input_.bytes().size()) {
      const ssize_t put =
          write(to_input.get(), input_.bytes().data() + fed_, input_.bytes().size() - fed_);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0 && errno == EAGAIN) return;
      if (put <= 0) return to_input.close();  // the child has stopped reading
      fed_ += static_cast<std::size_t>(put);
    }
    if (to_input.is_open() && !may_read()) to_input.close();
  }

  // Passes the signal on, though a terminal has sent it already; kills a child that ignores it.
  void forward_signal() {
    if (ending_signal == 0) return;
    if (!signalled_) {
      kill(child_, ending_signal);
      signalled_ = true;
      signalled_at_ = clock::now();
    } else if (clock::now() - signalled_at_ > kill_delay) {
      kill(child_, SIGKILL);
    }
  }

  pid_t child_;
  const child_request& what_;
  kept_input& input_;
  child_outcome& outcome_;
  std::size_t fed_ = 0;
  bool signalled_ = false;
  clock::time_point signalled_at_;
};

}  // namespace

child_outcome run_checked_child(const child_request& what, kept_input& input) {
  child_outcome outcome;
  descriptor in, out, err, failure_in, failure_out, to_input, from_output, from_messages;
  in.take(input.open_again());
  const bool made = (in.is_open() || make_pipe(in, to_input)) && make_pipe(from_output, out) &&
                    (what.is_first || make_pipe(from_messages, err)) &&
                    make_pipe(failure_in, failure_out);
  if (!made) {
    outcome.failure = std::strerror(errno);
    return outcome;
  }
  const auto begun = clock::now();
  const pid_t child = fork();
  if (child < 0) {
    outcome.failure = std::strerror(errno);
    return outcome;
  }
  if (child == 0) exec_program(what, in.get(), out.get(), err.get(), failure_out.get());
  for (descriptor* end : {&in, &out, &err, &failure_out}) end->close();
  int reason = 0;
  if (read(failure_in.get(), &reason, sizeof reason) == sizeof reason) {
    waitpid(child, nullptr, 0);
    outcome.failure = std::strerror(reason);
    return outcome;
  }
  child_relay relay(child, what, input, outcome);
  relay.to_input.take(to_input.release());
  relay.from_output.take(from_output.release());
  relay.from_messages.take(from_messages.release());
  relay.run();
  outcome.seconds = std::chrono::duration<double>(clock::now() - begun).count();
  if (what.is_first) input.close();
  return outcome;
}

void watch_for_interruption() {
  struct sigaction action {};
  action.sa_handler = remember_signal;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int interruption() { return ending_signal; }

}  // namespace heddle::cli
