// What the commands that build a program have in common: their command line and their failures.
#include "cli/building_command.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "cli/build_messages.hpp"
#include "cli/commands.hpp"

namespace heddle::cli {

int building_command(frontend::command which, const std::vector<std::string>& arguments,
                     const char* help_text,
                     const std::function<int(frontend::command_line&)>& build_and_continue) {
  try {
    frontend::command_line line = frontend::read_command_line(which, arguments);
    if (line.asks_help) return fmt::print("{}", help_text), 0;
    if (line.asks_version) return version_command();
    return build_and_continue(line);
  } catch (const frontend::build_error& failure) {
    print_error(failure);
    const bool was_interrupted = failure.status() > 128 && *failure.what() == '\0';
    if (was_interrupted) return failure.status();
  } catch (const std::exception& failure) {
    fmt::print(stderr, "heddle: {}\n", failure.what());
  }
  return 2;
}

}  // namespace heddle::cli
