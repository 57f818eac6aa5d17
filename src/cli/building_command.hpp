// What the commands that build a program have in common: their command line and their failures.
#pragma once
#include <frontend/driver/command_line.hpp>

#include <functional>
#include <string>
#include <vector>

namespace heddle::cli {

// Reads `arguments`, answers --help and --version, and otherwise calls `build_and_continue`.
// Returns its exit code, or after printing a failure 2; if a signal has ended the compiler, 128 +
// the signal.
int building_command(frontend::command which, const std::vector<std::string>& arguments,
                     const char* help_text,
                     const std::function<int(frontend::command_line&)>& build_and_continue);

}  // namespace heddle::cli
