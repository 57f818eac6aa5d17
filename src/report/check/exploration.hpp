// The result of exploring all interleavings.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle_report {

struct exploration {
  // Runs with the same output and status.
  struct result {
    std::string output;
    int status = 0;
    std::string interleaving;  // the first to show it: `0.0-7.32`
    std::uint64_t interleavings = 0;
  };
  struct seen {
    std::uint64_t times = 0;
    std::uint64_t interleavings = 0;
  };

  std::uint64_t explored = 0;
  std::uint64_t pruned = 0;
  std::uint64_t beyond = 0;  // choices that need more preemptions than allowed
  double fraction = 0;       // estimated share of all interleavings
  double seconds = 0;
  bool is_complete = false;
  bool has_guessed = false;  // lanes were taken to spin that may only count their reads
  std::string stopped;       // why it is incomplete
  std::string failure;       // why the program cannot be explored
  std::uint64_t results = 0;
  std::vector<result> kept_results;
  std::vector<seen> findings;  // indexed by found::number
};

exploration exploration_from(const nlohmann::json& from);
// For the report; its notes have the outputs.
nlohmann::json to_json(const exploration& what);

// `explored 126 interleavings, pruned 3; complete`
std::string words_of(const exploration& what);
// `126 interleavings, 3 pruned, about 12 % of 1050, 900 per second, 1 s left`
std::string progress_of(const exploration& what);

// A note for each limitation that matters when reading the findings.
std::vector<std::string> notes_of(const exploration& what);

}  // namespace heddle_report
