// Ends the program where it gets to something that the CPU does not offer.
#pragma once
#include <optional>
#include <string>

#include <heddle_host/finding.hpp>

namespace heddle_host {

// What was reached, and by whom. It is no finding: nothing is known about the program's
// correctness.
struct program_stop {
  const char* what;                 // "the inline PTX `mma.sync`"
  const char* where;                // "file.cu:12"
  const char* kernel;               // its signature; null: the host got there
  std::optional<lane_place> place;  // of a lane
};

// Takes the sentence in place of the standard error, if it returns true. Null: nobody.
using stop_listener = bool (*)(const std::string& sentence);
void listen_to_stops(stop_listener listener);

// Writes out what the program has printed, says what was reached, and ends with status 2.
[[noreturn]] void stop_program(const char* what, const char* where);

}  // namespace heddle_host
