// Runs a checked program once, in a child process.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/check/kept_input.hpp"

namespace heddle::cli {

struct child_request {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // argv, including the name
  std::string settings;                // HEDDLE_CHECK, as JSON
  bool is_first = false;               // its output is shown, and it reads standard input live
  int shown_on = 1;                    // the descriptor that its standard output is copied to
  std::function<void()> while_it_runs = {};  // called repeatedly
};

struct child_outcome {
  int status = 0;        // exit status; 128 + the signal number if a signal killed it
  std::string output;    // standard output
  std::string messages;  // standard error, except for the first run
  std::string failure;   // why it did not start; empty if it did
  double seconds = 0;
};

child_outcome run_checked_child(const child_request& what, kept_input& input);

// From now on, a signal that asks this process to end also ends the child, and is remembered.
void watch_for_interruption();
// The signal number; 0 if none has arrived.
int interruption();

}  // namespace heddle::cli
