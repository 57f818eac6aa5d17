// `heddle profile`: runs a program once, counts what its kernels do, and explains what is slow.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>
#include <files/output.hpp>
#include <frontend/driver/cache.hpp>
#include <frontend/driver/process.hpp>
#include <report/profile/profile_text.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <nlohmann/json.hpp>

#include "cli/build_messages.hpp"
#include "cli/building_command.hpp"
#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using frontend::build_error;
using heddle_report::profile_report;

constexpr const char* help_text = R"(heddle profile [options] [compiler flags] FILES… [-- ARGUMENTS]

Builds CUDA C++ files for the CPU, runs the program once and counts what the warps of each kernel do,
line by line: sectors per global memory request, shared memory bank conflicts, atomic updates of one
address by several lanes, divergent branches, barriers and warp operations. Then it says what to
improve. No GPU is needed. The counters have Nsight Compute's names. Times are not measured.

  --lines N          show the N hottest lines of each kernel (default: 10)
  --json [FILE.json] write everything as JSON, to the file or to standard output
  --html FILE        write a page that shows the counters next to the source
  --timeout SECONDS  stop a kernel that makes no progress for this long; 0: no limit
  --no-cache, --keep, --verbose    as in `heddle run`

Examples
  heddle profile transpose.cu
  heddle profile -std=c++20 -Iinclude --html page.html main.cu kernels.cu -- --size 4096
  heddle profile --json transpose.cu | jq '.kernels[].metrics'

Exits with the program's exit code, with 128 plus the signal number if a signal killed the program, or
with 2 if it could not be built. The report goes to standard error. docs/profiler.md describes the counters.
)";

// How the program ended; its output goes to `output`.
struct program_end {
  int status = 0;
  std::string failure;  // why it did not start
};

program_end run_program(const fs::path& program, const std::vector<std::string>& arguments,
                        const fs::path& file, int output) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return {0, std::strerror(errno)};
  if (child == 0) {
    setenv("HEDDLE_PROFILE", file.c_str(), 1);
    if (output != STDOUT_FILENO) dup2(output, STDOUT_FILENO);
    std::vector<char*> argv;
    for (const std::string& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    fmt::print(stderr, "heddle: cannot start {}: {}\n", program.string(), std::strerror(errno));
    std::_Exit(2);
  }
  // The terminal's signals are meant for the program; this process only reports and cleans up.
  for (const int number : {SIGINT, SIGQUIT, SIGHUP}) std::signal(number, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), {}};
}

// `--json` without a file writes to standard output.
std::array<named_output, 2> outputs_of(const frontend::profile_options& options) {
  const std::string json = options.json_file.empty() ? "-" : options.json_file;
  return {{{"--json", options.writes_json ? json : ""}, {"--html", options.html_file}}};
}

void print_report(const profile_report& report, const frontend::profile_options& options) {
  std::fflush(stdout);
  fmt::print(stderr, "{}", heddle_report::text_of(report, options.lines, wants_colour()));
  const auto [json, html] = outputs_of(options);
  if (!json.file.empty()) {
    // A source file may contain bytes that are not UTF-8.
    write_output(json, json_of(report, HEDDLE_VERSION)
                               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                           '\n');
  }
  if (!html.file.empty()) {
    write_output(html, heddle_report::html_of(report, HEDDLE_VERSION));
    if (!files::is_stream(html.file)) fmt::print(stderr, "heddle: wrote {}\n", html.file);
  }
}

int build_and_profile(const frontend::command_line& line) {
  const frontend::profile_options& options = line.profile;
  if (line.starts_debugger)
    throw build_error(
        "`heddle profile` has no --gdb; use `heddle run --gdb` or `heddle check --gdb`");
  if (line.is_checked)
    throw build_error("`heddle profile` cannot profile a checked build; leave out --check");
  expect_outputs(outputs_of(options));
  if (!line.timeout.empty()) setenv("HEDDLE_TIMEOUT", line.timeout.c_str(), 1);
  frontend::hand_ending_signals_to_children();
  frontend::builder build(line, printing_listener(line.is_verbose));
  const fs::path program = build.build_program();
  std::vector<std::string> arguments{program.filename().string()};
  arguments.insert(arguments.end(), line.program_arguments.begin(), line.program_arguments.end());
  const frontend::scratch_folder scratch(fs::temp_directory_path(), "heddle-profile");
  const fs::path file = scratch.path() / "profile";
  const bool keeps_output_clean = take_standard_output(outputs_of(options));
  const program_end end =
      run_program(program, arguments, file, keeps_output_clean ? STDERR_FILENO : STDOUT_FILENO);
  if (!end.failure.empty()) {
    throw build_error(fmt::format("cannot create a process: {}", end.failure));
  }
  const heddle_report::profile_record record = heddle_report::read_profile_record(file);
  profile_report report{line.inputs.front().path, record.kernels, {}};
  if (!record.is_complete) {
    report.notes.push_back(
        end.status > 128
            ? fmt::format("the program was killed by signal {} ({}), so there is no profile",
                          end.status - 128, strsignal(end.status - 128))
            : fmt::format("the program exited with {} without returning from main or calling "
                          "exit(), so there is no profile",
                          end.status));
  } else {
    if (record.kernels.empty()) {
      report.notes.push_back("the program launched no kernel, so there is nothing to profile");
    }
    if (end.status != 0) report.notes.push_back(fmt::format("the program returned {}", end.status));
  }
  print_report(report, options);
  return end.status;
}

}  // namespace

int profile_command(const std::vector<std::string>& arguments) {
  return building_command(frontend::command::profile, arguments, help_text, build_and_profile);
}

}  // namespace heddle::cli
