// Starts another program and waits for it.
#pragma once
#include <string>
#include <vector>

namespace heddle::frontend {

struct process_outcome {
  int status = 0;      // exit status; 128 + the signal's number if one ended it
  std::string output;  // what was captured
};

enum class capture { nothing, standard_output, standard_error };

// Standard input is the caller's; so is standard output, unless a file is named for it. A program
// that cannot be started has status 127.
process_outcome run_process(const std::vector<std::string>& command,
                            capture what = capture::nothing, const std::string& output_file = "");

// From now on a signal that asks this process to end is handed to the program it waits for, so that
// a build that is broken off fails like any other and cleans up.
void hand_ending_signals_to_children();

// The command as a line that a shell would understand.
std::string shell_line(const std::vector<std::string>& command);

// The full path of a program, looked up as a shell does; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace heddle::frontend
