// Rejects command lines whose options are valid one by one but not together.
#pragma once
#include "frontend/driver/command_line.hpp"

namespace heddle::frontend {

// Throws build_error with one sentence if the options contradict each other or the command.
void expect_consistent(command which, const command_line& line);

}  // namespace heddle::frontend
