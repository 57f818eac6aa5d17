// `heddle check`: runs a program under several schedules and reports its defects.
#include <fmt/format.h>
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

#include "cli/building_command.hpp"
#include "cli/check/check_session.hpp"
#include "cli/check/checked_program.hpp"
#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/speaking.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using frontend::build_error;
using heddle_report::check_report;
using heddle_report::merged_finding;

constexpr const char* help_text = R"(heddle check [options] [compiler flags] FILES… [-- ARGUMENTS]
heddle check [options] ./PROGRAM [ARGUMENTS]

Builds CUDA C++ files with all accesses to memory watched, or takes a program that was built with
`heddle cc --check`, runs it under several schedules and tells what is wrong with it: races, wrong
masks, deadlocks, bad accesses and more (`heddle explain` lists the kinds).

Schedules
  --schedule NAME    only converged, random, pct, starve, freeze, weak, or exhaustive: all interleavings
  --seed N           the first seed; the same seed gives the same run
  --schedules N      how many; without it 8, fewer for a program that takes longer than some seconds
  --time 30s         begin schedules for so long
  --preemptions N    with exhaustive: only those that stop a running lane N times at most
  --replay SCHEDULE  only this one, as a report names it: random:3
  --gdb              with --replay: run it in gdb, which stops where a finding is made
  --blocks N         watch only N blocks of each grid, for programs that would take too long
  --all              watch every launch; without it, of a kernel that is launched more than 64
                     times, or is long and launched more than four times, fewer and fewer
  --budget TIME      at most this much processor time for each schedule (120s; 0: no limit)
  --timeout SECONDS  stop a kernel that makes no progress for so long, of processor time (10; 0: no
                     limit). Threads that begin, end, meet, change memory or get on in a loop are
                     progress
  --progress         say how far the check is, also where nobody sits at a terminal

Reports
  --json [FILE.json] as JSON, to the file or to the standard output
  --sarif FILE       as SARIF 2.1.0, for code scanning
  --junit FILE       as JUnit's XML, for build servers

What counts
  --fail-on KINDS    only these make the check fail: race,deadlock; all; none
  --leaks            leaks make the check fail; without it they are shown only
  --strict           notes make the check fail: what works, but CUDA's guide forbids
  --allow-no-kernels a program that launches no kernel is no failure
  --suppress FILE    leave out what its lines name: a kind and a pattern for a kernel or file
  --baseline FILE    leave out what was known when it was written; --write-baseline writes it

Exits with 0 if there are no findings that count, 1 if there are; with 2 if the program could not be
built or run to its end, if a schedule was not finished, or if no kernel was launched; with 130
after Ctrl-C. What the program itself returns is printed as a note.
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
std::string replay_words(const std::vector<std::string>& words, const std::string& program) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--" || (!program.empty() && words[i] == program)) {
      kept.insert(kept.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    bool takes_next = false;
    if (!is_left_out(words[i], takes_next)) {
      kept.push_back(words[i]);
    } else if (takes_next || (words[i].ends_with("json") && i + 1 < words.size() &&
                              frontend::names_json_output(words[i + 1]))) {
      ++i;
    }
  }
  return frontend::shell_line(kept);
}

// Everything that can be checked before the build, so that a bad option fails early.
struct wishes {
  schedule_plan plan;
  heddle_report::suppressions suppressed;
  std::set<std::string> known;
  std::vector<std::string> fatal_kinds;
};

std::ifstream open_to_read(const std::string& option, const std::string& file) {
  std::ifstream opened(file);
  if (!opened) throw build_error(fmt::format("{}: {} cannot be read", option, file));
  return opened;
}

std::vector<std::string> read_kinds(const std::vector<std::string>& words) {
  std::vector<std::string> kinds;
  for (const std::string& word : words) {
    if (word == "all") return {};
    if (word != "none" && heddle_report::find_kind(word) == nullptr) {
      throw build_error(fmt::format("--fail-on: there is no kind '{}': {}, all or none", word,
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

wishes read_wishes(const frontend::command_line& line) {
  const frontend::check_options& options = line.check;
  wishes read{schedule_plan(options), {}, {}, read_kinds(options.fatal_kinds)};
  if (line.starts_debugger && options.replay.empty()) {
    throw build_error("--gdb runs one schedule: name it with --replay");
  }
  if (options.writes_baseline && options.baseline_file.empty()) {
    throw build_error("--write-baseline writes the file that --baseline names");
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

void silence(check_report& report, const wishes& asked, const std::string& baseline) {
  for (merged_finding& one : report.findings) {
    one.silenced_by = asked.suppressed.match(one.first);
    if (one.silenced_by.empty() && asked.known.count(one.fingerprint) != 0) {
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
  report.notes.push_back(fmt::format("{} findings are in {} now", counted.size(), file));
}

void tell_report(const check_report& report, const frontend::check_options& options) {
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
          const std::vector<std::string>& words) {
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
  command.insert(command.end(), words.begin() + 1, words.end());
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp("gdb", arguments.data());
  throw build_error(fmt::format("gdb did not start: {}", std::strerror(errno)));
}

int check_program(const frontend::command_line& line, wishes& asked, const fs::path& program,
                  const std::vector<std::string>& typed) {
  const frontend::check_options& options = line.check;
  const bool was_built_before = !options.program.empty();
  std::vector<std::string> words{was_built_before ? options.program : program.filename().string()};
  words.insert(words.end(), line.program_arguments.begin(), line.program_arguments.end());
  if (line.starts_debugger) return debug(line, program, words);

  const frontend::scratch_folder scratch(fs::temp_directory_path(), "heddle-check");

  check_report report;
  report.program = was_built_before ? options.program : line.inputs.front().path;
  report.replay_before = "heddle check --replay ";
  report.replay_after = " " + replay_words(typed, options.program);
  report.fatal_kinds = asked.fatal_kinds;
  report.counts_leaks = options.counts_leaks || !options.fatal_kinds.empty();
  report.is_strict = options.is_strict;
  watch_for_interruption();
  check_session session(program, words, scratch.path(),
                        take_standard_output(outputs_of(options)) ? STDERR_FILENO : STDOUT_FILENO);
  session.follow(options);
  session.run(asked.plan, report);
  report.failure = session.failure();
  silence(report, asked, options.baseline_file);
  if (options.writes_baseline) write_baseline(report, options.baseline_file);
  tell_report(report, options);
  if (!session.failure().empty()) fmt::print(stderr, "heddle: {}\n", session.failure());
  if (report.was_broken_off) return 128 + interruption();
  if (report.fails()) return 1;
  return session.failure().empty() ? 0 : 2;
}

int build_and_check(frontend::command_line& line, const std::vector<std::string>& words) {
  wishes asked = read_wishes(line);
  if (line.starts_debugger) line.debug = "-g";
  if (!line.timeout.empty()) setenv("HEDDLE_TIMEOUT", line.timeout.c_str(), 1);
  if (!line.check.program.empty()) {
    return check_program(line, asked, fs::absolute(line.check.program), words);
  }
  frontend::hand_ending_signals_to_children();
  frontend::builder build(line, speaking_listener(line.is_verbose));
  return check_program(line, asked, build.build_program(), words);
}

}  // namespace

int check_command(const std::vector<std::string>& words) {
  return building_command(
      frontend::command::check, words, help_text,
      [&words](frontend::command_line& line) { return build_and_check(line, words); });
}

}  // namespace heddle::cli
