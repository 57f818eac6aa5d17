// A program that ended because it reached something that the CPU does not support.
#pragma once
#include <optional>
#include <string>

#include <heddle_host/finding.hpp>

namespace heddle_host {

// What was reached, and by whom. This is not a finding: it does not mean that the program is wrong.
struct program_stop {
  const char* what;   // "the inline PTX `mma.sync`"
  const char* where;  // "file.cu:12"; null if it is the call that returns to `caller`
  const void* caller;
  const char* advice;               // what to do instead; may be null
  const char* kernel;               // its signature; null if the host got there
  std::optional<lane_place> place;  // set if a lane got there
};

// Receives the sentence; if it returns true, nothing goes to standard error. Null for none.
using stop_listener = bool (*)(const std::string& sentence);
void listen_to_stops(stop_listener listener);

}  // namespace heddle_host
