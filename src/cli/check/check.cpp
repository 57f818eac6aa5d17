// `heddle check`: runs a program under several schedules and reports its defects.
#include <fmt/core.h>
#include <unistd.h>
#include <frontend/driver/cache.hpp>
#include <frontend/driver/installation.hpp>
#include <frontend/driver/process.hpp>
#include <report/check/check_report.hpp>
#include <report/check/kinds.hpp>
#include <report/check/suppressions.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cli/build_messages.hpp"
#include "cli/building_command.hpp"
#include "cli/check/check_session.hpp"
#include "cli/check/checked_program.hpp"
#include "cli/commands.hpp"
#include "cli/outputs.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using frontend::build_error;
using heddle_report::check_report;
using heddle_report::merged_finding;

constexpr const char* help_text = R"(heddle check [options] [compiler flags] FILES… [-- ARGUMENTS]
heddle check [options] ./PROGRAM [ARGUMENTS]

Builds CUDA C++ files with instrumented memory accesses, or takes a program that was built with
`heddle cc --check`. Runs the program under several schedules and reports what is wrong with it: races,
wrong masks, deadlocks, invalid accesses and more (`heddle explain` lists the kinds).

Schedules
  --schedule NAME    use only this kind: converged, random, pct, starve, freeze, weak, or exhaustive,
                     which runs all interleavings
  --seed N           the first seed; the same seed gives the same run
  --schedules N      how many to run (default: 8, fewer if the program takes more than a few seconds)
  --time 30s         stop starting new schedules after this much time
  --preemptions N    with exhaustive: only interleavings that preempt a running lane at most N times
  --replay SCHEDULE  run only this schedule, as named in a report: random:3
  --gdb              with --replay: run in gdb, which stops at each finding
  --blocks N         watch only N blocks of each grid, for programs that would take too long
  --all              watch every launch; by default, check watches fewer and fewer launches of a
                     kernel that is launched more than 64 times, or is long and launched more than
                     four times
  --budget TIME      CPU time limit for each schedule (default: 120s; 0: no limit)
  --timeout SECONDS  stop a kernel that makes no progress for this much CPU time (default: 10; 0: no
                     limit). It makes progress if threads start, exit, complete a barrier or warp
                     operation, change memory, or advance in a loop
  --progress         print progress even if standard error is not a terminal

Reports
  --json [FILE.json] write JSON, to the file or to standard output
  --sarif FILE       write SARIF 2.1.0, for code scanning
  --junit FILE       write JUnit XML, for CI servers

What counts
  --fail-on KINDS    fail only for these kinds, such as race,deadlock; or all, or none
  --leaks            fail for leaks, too; by default, leaks are only shown
  --strict           fail for notes, too: code that works although CUDA's guide forbids it
  --allow-no-kernels accept a program that launches no kernel
  --suppress FILE    ignore the findings that its lines describe: a kind, and a pattern for a kernel or
                     file
  --baseline FILE    ignore the findings recorded in FILE; --write-baseline records the current ones

Exits with 0 if there are no findings that count, and with 1 if there are; with 2 if the program could
not be built, if it did not run to completion, if a schedule was not finished, or if no kernel was
launched; with 130 after Ctrl-C. The program's own exit code does not matter; a note reports it.
)";

// Whether an option is left out of the replay command. `takes_next`: its value is the next word.
bool is_left_out(const std::string& word, bool& takes_next) {
  constexpr std::array with_value{"schedule", "seed",     "schedules",  "time",
                                  "replay",   "sarif",    "junit",      "fail-on",
                                  "suppress", "baseline", "preemptions"};
  if (!word.starts_with('-')) return false;
  const std::string body = word.substr(word.starts_with("--") ? 2 : 1);
  const std::size_t equals = body.find('=');
  const std::string name = body.substr(0, equals);
  takes_next = equals == body.npos;
  if (std::find(with_value.begin(), with_value.end(), name) != with_value.end()) return true;
  takes_next = false;
  return name == "write-baseline" || name == "gdb" || name == "json" || name == "progress" ||
         name == "allow-no-kernels";
}

// The arguments after the schedule in the replay command.
std::string replay_arguments(const std::vector<std::string>& arguments,
                             const std::string& program) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--" || (!program.empty() && arguments[i] == program)) {
      kept.insert(kept.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
      break;
    }
    bool takes_next = false;
    if (!is_left_out(arguments[i], takes_next)) {
      kept.push_back(arguments[i]);
    } else if (takes_next || (arguments[i].ends_with("json") && i + 1 < arguments.size() &&
                              frontend::names_json_output(arguments[i + 1]))) {
      ++i;
    }
  }
  return frontend::shell_line(kept);
}

// Everything that can be checked before the build, so that a bad option fails early.
struct parsed_options {
  schedule_plan plan;
  heddle_report::suppressions suppressed;
  std::set<std::string> known;
  std::vector<std::string> fatal_kinds;
};

std::ifstream open_to_read(const std::string& option, const std::string& file) {
  std::ifstream opened(file);
  if (!opened) throw build_error(fmt::format("{}: cannot read {}", option, file));
  return opened;
}

std::vector<std::string> read_kinds(const std::vector<std::string>& arguments) {
  std::vector<std::string> kinds;
  for (const std::string& word : arguments) {
    if (word == "all") return {};
    if (word != "none" && heddle_report::find_kind(word) == nullptr) {
      throw build_error(fmt::format("--fail-on: unknown kind '{}'; use {}, all or none", word,
                                    heddle_report::names_of_kinds()));
    }
    kinds.push_back(word);
  }
  return kinds;
}

// `--json` without a file writes to standard output.
std::vector<named_output> outputs_of(const frontend::check_options& options) {
  const std::string json = options.json_file.empty() ? "-" : options.json_file;
  return {{"--json", options.writes_json ? json : ""},
          {"--sarif", options.sarif_file},
          {"--junit", options.junit_file},
          {"--baseline", options.writes_baseline ? options.baseline_file : ""}};
}

parsed_options parse_options(const frontend::command_line& line) {
  const frontend::check_options& options = line.check;
  parsed_options read{schedule_plan(options), {}, {}, read_kinds(options.fatal_kinds)};
  if (line.starts_debugger && options.replay.empty()) {
    throw build_error("--gdb runs a single schedule; choose it with --replay");
  }
  if (options.writes_baseline && options.baseline_file.empty()) {
    throw build_error("--write-baseline needs --baseline FILE, the file to write");
  }
  expect_outputs(outputs_of(options));
  for (const std::string& file : options.suppression_files) {
    auto lines = open_to_read("--suppress", file);
    read.suppressed.read(lines, file);
  }
  if (!options.baseline_file.empty() && !options.writes_baseline) {
    auto lines = open_to_read("--baseline", options.baseline_file);
    read.known = heddle_report::read_baseline(lines, options.baseline_file);
  }
  if (!options.program.empty()) expect_checked_program(options.program);
  return read;
}

void silence(check_report& report, const parsed_options& parsed, const std::string& baseline) {
  for (merged_finding& one : report.findings) {
    one.silenced_by = parsed.suppressed.match(one.first);
    if (one.silenced_by.empty() && parsed.known.count(one.fingerprint) != 0) {
      one.silenced_by = "baseline " + baseline;
    }
  }
}

void write_baseline(check_report& report, const std::string& file) {
  std::vector<merged_finding> counted;
  for (merged_finding& one : report.findings) {
    if (one.silenced_by.empty()) counted.push_back(one);
  }
  write_output({"--baseline", file}, heddle_report::baseline_of(counted));
  for (merged_finding& one : report.findings) {
    if (one.silenced_by.empty()) one.silenced_by = "baseline " + file;
  }
  report.notes.push_back(fmt::format("recorded {} finding{} in {}", counted.size(),
                                     counted.size() == 1 ? "" : "s", file));
}

void print_report(const check_report& report, const frontend::check_options& options) {
  std::fflush(stdout);
  fmt::print(stderr, "{}", heddle_report::text_of(report, wants_colour()));
  const auto dumped = [](const nlohmann::json& what) {
    // A source file may contain bytes that are not UTF-8.
    return what.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  };
  for (const named_output& output : outputs_of(options)) {
    if (output.file.empty()) continue;
    if (output.option == "--json") {
      write_output(output, dumped(json_of(report, HEDDLE_VERSION)));
    } else if (output.option == "--sarif") {
      write_output(output, dumped(sarif_of(report, HEDDLE_VERSION, folder_of_pages().string())));
    } else if (output.option == "--junit") {
      write_output(output, heddle_report::junit_of(report));
    }
  }
}

// Runs one schedule in gdb, which stops where a finding is made.
int debug(const frontend::command_line& line, const fs::path& program,
          const std::vector<std::string>& arguments) {
  const schedule_choice schedule = read_schedule(line.check.replay);
  heddle_checker::settings settings;
  settings.schedule = schedule.name;
  settings.seed = schedule.seed;
  settings.turns = schedule.turns;
  settings.blocks = line.check.blocks;
  const std::string script = frontend::find_installation().debugger_script.string();
  std::vector<std::string> command{"gdb",    "-q",
                                   "-iex",   "add-auto-load-safe-path " + program.string(),
                                   "-ex",    "handle SIGURG nostop noprint pass",
                                   "-x",     script,
                                   "-ex",    "set environment HEDDLE_CHECK " + text_of(settings),
                                   "-ex",    "break heddle_checker::collector::add",
                                   "--args", program.string()};
  command.insert(command.end(), arguments.begin() + 1, arguments.end());
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp("gdb", argv.data());
  throw build_error(fmt::format("cannot start gdb: {}", std::strerror(errno)));
}

int check_program(const frontend::command_line& line, parsed_options& parsed,
                  const fs::path& program, const std::vector<std::string>& typed) {
  const frontend::check_options& options = line.check;
  const bool was_built_before = !options.program.empty();
  std::vector<std::string> arguments{was_built_before ? options.program
                                                      : program.filename().string()};
  arguments.insert(arguments.end(), line.program_arguments.begin(), line.program_arguments.end());
  if (line.starts_debugger) return debug(line, program, arguments);

  const frontend::scratch_folder scratch(fs::temp_directory_path(), "heddle-check");

  check_report report;
  report.program = was_built_before ? options.program : line.inputs.front().path;
  report.replay_before = "heddle check --replay ";
  report.replay_after = " " + replay_arguments(typed, options.program);
  report.fatal_kinds = parsed.fatal_kinds;
  report.counts_leaks = options.counts_leaks || !options.fatal_kinds.empty();
  report.is_strict = options.is_strict;
  watch_for_interruption();
  check_session session(program, arguments, scratch.path(),
                        take_standard_output(outputs_of(options)) ? STDERR_FILENO : STDOUT_FILENO);
  session.follow(options);
  session.run(parsed.plan, report);
  report.failure = session.failure();
  silence(report, parsed, options.baseline_file);
  if (options.writes_baseline) write_baseline(report, options.baseline_file);
  print_report(report, options);
  if (!session.failure().empty()) fmt::print(stderr, "heddle: {}\n", session.failure());
  if (report.was_interrupted) return 128 + interruption();
  if (report.fails()) return 1;
  return session.failure().empty() ? 0 : 2;
}

int build_and_check(frontend::command_line& line, const std::vector<std::string>& arguments) {
  parsed_options parsed = parse_options(line);
  if (line.starts_debugger) line.debug = "-g";
  if (!line.timeout.empty()) setenv("HEDDLE_TIMEOUT", line.timeout.c_str(), 1);
  if (!line.check.program.empty()) {
    return check_program(line, parsed, fs::absolute(line.check.program), arguments);
  }
  frontend::hand_ending_signals_to_children();
  frontend::builder build(line, printing_listener(line.is_verbose));
  return check_program(line, parsed, build.build_program(), arguments);
}

}  // namespace

int check_command(const std::vector<std::string>& arguments) {
  return building_command(
      frontend::command::check, arguments, help_text,
      [&arguments](frontend::command_line& line) { return build_and_check(line, arguments); });
}

}  // namespace heddle::cli
