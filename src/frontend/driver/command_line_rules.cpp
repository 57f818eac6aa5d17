// Rejects command lines whose options are valid one by one but not together.
#include "frontend/driver/command_line_rules.hpp"

#include <algorithm>

#include "frontend/driver/build_error.hpp"
#include "frontend/driver/option_table.hpp"

namespace heddle::frontend {
namespace {

std::string name_of(command which) {
  return which == command::run ? "run" : which == command::check ? "check" : "profile";
}

// The checker and the profiler use the thread sanitizer's hooks, so a checked or profiled program
// cannot have another sanitizer.
void expect_supported_sanitizers(command which, const command_line& line) {
  const bool is_run_by_hooks = which == command::check || which == command::profile;
  const std::string own_hooks = is_run_by_hooks   ? "`heddle " + name_of(which) + "`"
                                : line.is_checked ? "a checked program"
                                                  : "";
  for (const std::string& flag : line.compiler_flags) {
    if (!flag.starts_with("-fsanitize=")) continue;
    if (!own_hooks.empty())
      throw build_error(own_hooks + " uses the compiler's sanitizer hooks itself: use " + flag +
                        " with `heddle run` or `heddle cc`");
    for (const std::string& kind : split(flag.substr(flag.find('=') + 1), ",")) {
      if (kind == "thread")
        throw build_error(
            "-fsanitize=thread does not know about lanes and would report false races: use "
            "`heddle check`, which finds races between lanes");
      if (kind == "memory" || kind == "hwaddress" || kind == "kernel-address")
        throw build_error("-fsanitize=" + kind +
                          " is not supported: use address, undefined or leak, or `heddle check`");
    }
  }
}

// `heddle check program`: the program is already built, so there is nothing to compile.
void expect_no_compiler_flags(const command_line& line) {
  if (!line.preprocessor_flags.empty() || !line.compiler_flags.empty() ||
      !line.link_items.empty() || !line.optimization.empty() || !line.standard.empty())
    throw build_error("compiler flags have no effect here: " + line.check.program +
                      " is already built");
}

void expect_one_output(const command_line& line) {
  const auto sources =
      std::count_if(line.inputs.begin(), line.inputs.end(),
                    [](const input_file& one) { return one.kind != language::linkable; });
  if (line.what == action::compile && !line.output.empty() && sources > 1)
    throw build_error("-o names one file, but several are compiled");
}

void expect_program_to_run(command which, const command_line& line) {
  if (line.what != action::link || line.makes_shared_library || !line.output.empty())
    throw build_error(
        "`heddle " + name_of(which) +
        "` builds a program and runs it: use `heddle cc` for -c, -o and similar options");
}

}  // namespace

void expect_consistent(command which, const command_line& line) {
  if (line.asks_help || line.asks_version) return;
  if (!line.check.program.empty()) return expect_no_compiler_flags(line);
  expect_supported_sanitizers(which, line);
  if (line.inputs.empty()) throw build_error("no input files");
  expect_one_output(line);
  if (which != command::cc) expect_program_to_run(which, line);
}

}  // namespace heddle::frontend
