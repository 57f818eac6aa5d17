// Runs another program and waits for it.
#include "frontend/driver/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>

extern char** environ;

namespace heddle::frontend {
namespace {

volatile sig_atomic_t running_child = 0;
volatile sig_atomic_t ending_signal = 0;

void forward_signal(int number) {
  ending_signal = number;
  if (running_child > 0) kill(running_child, number);
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65536> part;
  while (true) {
    const ssize_t got = read(descriptor, part.data(), part.size());
    if (got > 0)
      text.append(part.data(), static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      return text;
  }
}

}  // namespace

process_outcome run_process(const std::vector<std::string>& command, capture what,
                            const std::string& output_file) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  std::array<int, 2> ends{-1, -1};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (what != capture::nothing) {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return {127, "cannot create a pipe"};
    const int captured = what == capture::standard_output ? STDOUT_FILENO : STDERR_FILENO;
    posix_spawn_file_actions_adddup2(&actions, ends[1], captured);
  }
  if (!output_file.empty())
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_file.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
  pid_t child = 0;
  const int failure =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (ends[1] >= 0) close(ends[1]);

  process_outcome outcome;
  if (failure != 0) {
    outcome.status = 127;
  } else {
    running_child = child;
    if (ending_signal != 0) kill(child, ending_signal);
    if (ends[0] >= 0) outcome.output = read_all(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    running_child = 0;
    outcome.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (ending_signal != 0) outcome.status = 128 + ending_signal;
  }
  if (ends[0] >= 0) close(ends[0]);
  return outcome;
}

void hand_ending_signals_to_children() {
  struct sigaction action {};
  action.sa_handler = forward_signal;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
}

std::string shell_line(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    const bool is_plain =
        !word.empty() && word.find_first_of(" \t\n\"'\\$`&|;<>()*?[]{}~#!") == std::string::npos;
    if (is_plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'')
        line += "'\\''";
      else
        line += c;
    }
    line += '\'';
  }
  return line;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::stringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

}  // namespace heddle::frontend
