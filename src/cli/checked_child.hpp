// Runs a checked program once, as a process of its own.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kept_input.hpp"

namespace heddle::cli {

struct child_request {
  std::filesystem::path program;
  std::vector<std::string> words;  // argv, the name first
  std::string settings;            // HEDDLE_CHECK, as JSON
  bool is_first = false;           // its output is shown, and it gets the input as it comes
  int shown_on = 1;                // the descriptor for its standard output
  std::function<void()> while_it_runs = {};  // called again and again
};

struct child_outcome {
  int status = 0;        // exit status; 128 + the signal's number if one ended it
  std::string output;    // standard output
  std::string messages;  // standard error, if it was not the first
  std::string failure;   // why it did not start; empty: it did
  double seconds = 0;
};

child_outcome run_checked_child(const child_request& what, kept_input& input);

// From now on a signal that asks this process to end ends the child, and is remembered.
void watch_for_interruption();
// The signal's number; 0 if none has come.
int interruption();

}  // namespace heddle::cli
