// What a checked program is asked to do: HEDDLE_CHECK in its environment holds a JSON object.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace heddle_checker {

struct settings {
  std::string schedule = "converged";
  std::uint64_t seed = 1;
  bool parts_active_lanes = true;  // false: __activemask() holds all lanes that call it together
  bool threads_by_number = false;  // host threads take turns in the order of their numbers
  std::uint64_t blocks = 0;        // watched blocks of each grid; 0: all
  bool samples_launches = false;   // of a kernel launched very often, watch only some launches
  std::uint64_t budget = 0;        // processor time for the run in seconds; 0: no limit
  bool keeps_all_readers = false;  // of each word, from the beginning
  bool slows_clocks = false;       // the program's clocks run slower than real time
  // For the schedule `exhaustive`.
  std::optional<unsigned> preemptions;  // upper limit; none: unlimited
  double seconds = 0;                   // time limit; 0: until everything is explored
  std::string turns;                    // replays only this interleaving; empty: all
  std::string findings_file;            // empty: findings are printed to stderr
  std::string ran_code_folder;          // for the marks of ran_code.hpp; empty: kept in memory
};

// Throws std::invalid_argument with a sentence that names what it does not understand.
settings read_settings(const char* text);

// Returns the text from which read_settings reads these settings.
std::string text_of(const settings& what);

}  // namespace heddle_checker
