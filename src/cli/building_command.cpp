// What the commands that build a program have in common: their command line and their failures.
#include "cli/building_command.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "cli/commands.hpp"
#include "cli/speaking.hpp"

namespace heddle::cli {

int building_command(frontend::command which, const std::vector<std::string>& words,
                     const char* help_text,
                     const std::function<int(frontend::command_line&)>& build_and_go_on) {
  try {
    frontend::command_line line = frontend::read_command_line(which, words);
    if (line.asks_help) return fmt::print("{}", help_text), 0;
    if (line.asks_version) return version_command();
    return build_and_go_on(line);
  } catch (const frontend::build_error& failure) {
    tell(failure);
    const bool was_broken_off = failure.status() > 128 && *failure.what() == '\0';
    if (was_broken_off) return failure.status();
  } catch (const std::exception& failure) {
    fmt::print(stderr, "heddle: {}\n", failure.what());
  }
  return 2;
}

}  // namespace heddle::cli
