// What an exploration has come to, for the report.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle_checker {

struct exploration_summary {
  // Runs that showed the same: lines in any order, and the exit status.
  struct result {
    std::string output;
    int status = 0;
    std::string turns;  // of the first that showed it
    std::uint64_t interleavings = 0;
  };
  struct seen {
    std::uint64_t times = 0;
    std::uint64_t interleavings = 0;
  };

  std::uint64_t explored = 0;
  std::uint64_t pruned = 0;  // begun, and left when they only repeated others
  std::uint64_t beyond = 0;  // choices that need more preemptions than allowed
  double fraction = 0;       // an estimate: how much of all that is
  double seconds = 0;
  bool is_at_end = false;     // nothing is left to explore
  std::string stopped;        // why not; empty: it goes on
  std::string failure;        // why the program cannot be explored
  bool has_guessed = false;   // lanes that perhaps count their looks were taken to spin
  std::uint64_t results = 0;  // different ones; the first few are kept
  std::vector<result> kept_results;
  std::vector<seen> findings;  // by number
};

}  // namespace heddle_checker
