// The result of an exploration, for the report.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle_checker {

struct exploration_summary {
  // Runs with the same output, up to the order of lines, and the same exit status.
  struct result {
    std::string output;
    int status = 0;
    std::string turns;  // the first interleaving with this result
    std::uint64_t interleavings = 0;
  };
  struct seen {
    std::uint64_t times = 0;
    std::uint64_t interleavings = 0;
  };

  std::uint64_t explored = 0;
  std::uint64_t pruned = 0;  // begun, then stopped because they would repeat others
  std::uint64_t beyond = 0;  // choices that exceed the limit on preemptions
  double fraction = 0;       // estimated fraction of all interleavings
  double seconds = 0;
  bool is_at_end = false;     // nothing is left to explore
  std::string stopped;        // why it ended early; empty: it did not
  std::string failure;        // why the program cannot be explored
  bool has_guessed = false;   // lanes that may count their polls were assumed to spin
  std::uint64_t results = 0;  // different ones; only the first few are kept
  std::vector<result> kept_results;
  std::vector<seen> findings;  // by number
};

}  // namespace heddle_checker
