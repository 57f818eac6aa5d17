// Runs other programs, several at a time, and keeps their output.
#include "cli/check/side_jobs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/check/checked_child.hpp"

extern char** environ;

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

struct running_job {
  side_job* job;
  pid_t process;
  fs::path output, messages;
  clock::time_point begin;
};

std::string text_of_file(const fs::path& file) {
  std::ifstream opened(file, std::ios::binary);
  std::ostringstream text;
  text << opened.rdbuf();
  return text.str();
}

// The process id; 0 if it could not be started, and then the job's messages say why.
pid_t start(side_job& job, const fs::path& output, const fs::path& messages) {
  std::vector<char*> argv;
  for (const std::string& word : job.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int how = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), how, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(), how, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, job.folder.c_str());
  pid_t process = 0;
  const int failure = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == 0) return process;
  job.status = 127;
  job.messages = fmt::format("cannot start {}: {}", job.command[0], std::strerror(failure));
  return 0;
}

void finish(const running_job& one, int status) {
  one.job->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  one.job->seconds = std::chrono::duration<double>(clock::now() - one.begin).count();
  one.job->output = text_of_file(one.output);
  one.job->messages = text_of_file(one.messages);
}

}  // namespace

bool run_side_jobs(const std::vector<side_job*>& jobs, unsigned at_a_time, const fs::path& scratch,
                   const std::function<void(std::size_t)>& while_they_run) {
  std::vector<running_job> running;
  std::size_t next = 0, done = 0;
  while ((next < jobs.size() && interruption() == 0) || !running.empty()) {
    while (next < jobs.size() && running.size() < at_a_time && interruption() == 0) {
      side_job& job = *jobs[next];
      const std::string name = fmt::format("job-{}", next++);
      const fs::path output = scratch / (name + ".out"), messages = scratch / (name + ".err");
      const pid_t process = start(job, output, messages);
      if (process == 0)
        ++done;
      else
        running.push_back({&job, process, output, messages, clock::now()});
    }
    // A child that is asked to end cleans up after itself.
    if (interruption() != 0)
      for (const running_job& one : running) kill(one.process, SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (auto one = running.begin(); one != running.end();) {
      int status = 0;
      if (waitpid(one->process, &status, WNOHANG) != one->process) {
        ++one;
        continue;
      }
      finish(*one, status);
      ++done;
      one = running.erase(one);
    }
    while_they_run(done);
  }
  return interruption() == 0;
}

}  // namespace heddle::cli
