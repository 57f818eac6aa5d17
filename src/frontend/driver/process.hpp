// Runs another program and waits for it.
#pragma once
#include <string>
#include <vector>

namespace heddle::frontend {

struct process_outcome {
  int status = 0;      // exit status; 128 + the signal number if a signal killed it
  std::string output;  // captured output
};

enum class capture { nothing, standard_output, standard_error };

// Standard input is the caller's, and so is standard output unless a file is named. A program that
// cannot be started has status 127.
process_outcome run_process(const std::vector<std::string>& command,
                            capture what = capture::nothing, const std::string& output_file = "");

// From now on, a signal that asks this process to end goes to the program it waits for. An
// interrupted build then fails like any other and cleans up.
void hand_ending_signals_to_children();

// The command, quoted for a shell.
std::string shell_line(const std::vector<std::string>& command);

// The full path of a program, looked up on the PATH; empty if it is not found.
std::string find_program(const std::string& name);

}  // namespace heddle::frontend
