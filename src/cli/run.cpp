// `heddle run`: builds a program from its source files and runs it.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>
#include <frontend/driver/cache.hpp>
#include <frontend/driver/installation.hpp>
#include <frontend/driver/process.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "cli/build_messages.hpp"
#include "cli/building_command.hpp"
#include "cli/commands.hpp"
#include "cli/run_report.hpp"

namespace heddle::cli {
namespace {

constexpr const char* help_text = R"(heddle run [options] [compiler flags] FILES… [-- ARGUMENTS]

Builds CUDA C++ files for the CPU and runs the program. Compiler flags are those of `heddle cc`.

  --gdb              run the program in gdb, built with full debug information and without optimisation
  --timeout SECONDS  stop a kernel that makes no progress for this long: no thread starts, exits or
                     reaches a barrier or warp operation (default: 30; 0: no limit)
  --workers N        CPU threads that run blocks
  --report[=FILE]    report which operations of the kernels give exactly a GPU's results, which only
                     approximate them, and which code never ran; to standard error, or to FILE (as
                     JSON if its name ends in .json)
  --json [FILE.json] write this report as JSON, to the file or to standard output
  --no-cache         build even if the program is in the cache, and do not keep the result
  --keep             keep intermediate files and print where they are
  --verbose          print each command before it runs

Exits with the program's exit code, or with 2 if the program could not be built.
)";

[[noreturn]] void exec_program(const std::vector<std::string>& command,
                               const std::string& program) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(program.c_str(), argv.data());
  fmt::print(stderr, "heddle: cannot start {}: {}\n", program, std::strerror(errno));
  std::_Exit(2);
}

// Runs the program as a child process. Its output goes to `output`.
int run_and_wait(const std::vector<std::string>& command, const std::string& program,
                 int output = STDOUT_FILENO) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    fmt::print(stderr, "heddle: cannot create a process: {}\n", std::strerror(errno));
    return 2;
  }
  if (child == 0) {
    if (output != STDOUT_FILENO) dup2(output, STDOUT_FILENO);
    exec_program(command, program);
  }
  // The terminal's signals are meant for the program; this process only cleans up.
  for (const int number : {SIGINT, SIGQUIT, SIGHUP}) std::signal(number, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<std::string> command_for(const frontend::command_line& line,
                                     const std::filesystem::path& program) {
  std::vector<std::string> command;
  if (line.starts_debugger) {
    const std::string script = frontend::find_installation().debugger_script.string();
    // The program also embeds the script, and gdb would warn about that. The runtime's preemption
    // signal, SIGURG, arrives all the time.
    command = {"gdb",    "-q",
               "-iex",   "add-auto-load-safe-path " + program.string(),
               "-ex",    "handle SIGURG nostop noprint pass",
               "-x",     script,
               "--args", program.string()};
  } else {
    command = {program.filename().string()};
  }
  command.insert(command.end(), line.program_arguments.begin(), line.program_arguments.end());
  return command;
}

// Runs the program with recording of the code that runs, and reports on it.
int run_and_report(const frontend::command_line& line, const std::vector<std::string>& command,
                   const std::string& program) {
  const frontend::scratch_folder marks(std::filesystem::temp_directory_path(), "heddle-report");
  setenv("HEDDLE_RAN_CODE", marks.path().c_str(), 1);
  const bool keeps_output_clean = take_standard_output(outputs_of(line.run));
  const int status =
      run_and_wait(command, program, keeps_output_clean ? STDERR_FILENO : STDOUT_FILENO);
  report_run(line, marks.path());
  return status;
}

int build_and_run(frontend::command_line& line) {
  if (line.is_reported) {
    if (line.starts_debugger)
      throw frontend::build_error("--gdb and --report cannot be combined: leave one of them out");
    expect_outputs(outputs_of(line.run));
  }
  if (line.starts_debugger) {
    line.debug = "-g";
    if (line.optimization.empty()) line.optimization = "-O0";
  }
  if (!line.timeout.empty()) setenv("HEDDLE_TIMEOUT", line.timeout.c_str(), 1);
  if (!line.workers.empty()) setenv("HEDDLE_WORKERS", line.workers.c_str(), 1);
  if (isatty(STDERR_FILENO) != 0) setenv("HEDDLE_NOTES", "1", 0);
  std::vector<std::string> command;
  std::string program;
  frontend::hand_ending_signals_to_children();
  {
    frontend::builder build(line, printing_listener(line.is_verbose));
    const std::filesystem::path built = build.build_program();
    command = command_for(line, built);
    program = line.starts_debugger ? "gdb" : built.string();
    const bool is_removed_afterwards = !build.program_is_cached() && !line.keeps_files;
    if (line.is_reported) return run_and_report(line, command, program);
    if (is_removed_afterwards) return run_and_wait(command, program);
  }
  // The builder and its scratch folder are gone; this process becomes the program.
  exec_program(command, program);
}

}  // namespace

int run_command(const std::vector<std::string>& arguments) {
  return building_command(frontend::command::run, arguments, help_text, build_and_run);
}

}  // namespace heddle::cli
