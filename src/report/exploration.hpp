// What the exploration of all interleavings has come to.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle_report {

struct exploration {
  // Runs that showed the same.
  struct result {
    std::string output;
    int status = 0;
    std::string interleaving;  // the first that showed it: `0.0-7.32`
    std::uint64_t interleavings = 0;
  };
  struct seen {
    std::uint64_t times = 0;
    std::uint64_t interleavings = 0;
  };

  std::uint64_t explored = 0;
  std::uint64_t pruned = 0;
  std::uint64_t beyond = 0;  // choices that need more preemptions than allowed
  double fraction = 0;       // an estimate: how much of all that is
  double seconds = 0;
  bool is_complete = false;
  bool has_guessed = false;  // lanes that perhaps count their looks were taken to spin
  std::string stopped;       // why it is not complete
  std::string failure;       // why the program cannot be explored
  std::uint64_t results = 0;
  std::vector<result> kept_results;
  std::vector<seen> findings;  // by number
};

exploration exploration_from(const nlohmann::json& from);
// For the report; the outputs are in its notes.
nlohmann::json to_json(const exploration& what);

// `explored 126 interleavings, pruned 3; all of them`
std::string words_of(const exploration& what);
// `126 interleavings, 3 pruned, about 12 % of 1050, 900 per second, 1 s left`
std::string progress_of(const exploration& what);

// A note for each thing that a reader of the findings should know.
std::vector<std::string> notes_of(const exploration& what);

}  // namespace heddle_report
