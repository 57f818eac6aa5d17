// What a checked program is asked to do, from its environment: HEDDLE_CHECK holds a JSON object.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace heddle_checker {

struct settings {
  std::string schedule = "converged";
  std::uint64_t seed = 1;
  bool parts_active_lanes = true;  // false: lanes that ask together who is active are told so
  bool threads_by_number = false;  // those of the host take turns so, whatever the schedule
  std::uint64_t blocks = 0;        // of each grid that are watched; 0: all
  bool samples_launches = false;   // of kernels that are launched very often, only some
  std::uint64_t budget = 0;        // seconds of processor time for the run; 0: as it needs
  bool keeps_all_readers = false;  // of a word, from the beginning
  bool slows_clocks = false;       // what the program reads of the time is not the time
  // For the schedule `exhaustive`.
  std::optional<unsigned> preemptions;  // at most so many
  double seconds = 0;                   // explores for so long; 0: until all is explored
  std::string turns;                    // only this interleaving; empty: all
  std::string findings_file;            // empty: findings are told in words on the standard error
  std::string ran_code_folder;          // for the marks of ran_code.hpp; empty: in memory
};

// Throws std::invalid_argument with a sentence for what is not understood.
settings read_settings(const char* text);

// The text that read_settings turns into these.
std::string text_of(const settings& what);

}  // namespace heddle_checker
