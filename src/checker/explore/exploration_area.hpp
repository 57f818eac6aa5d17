// State shared by the process that explores and the process that runs an interleaving.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "checker/explore/guide.hpp"
#include "checker/explore/interleaving.hpp"
#include "checker/explore/trace.hpp"

namespace heddle_checker {

// A finding that some interleaving has reported.
struct known_finding {
  std::uint64_t fingerprint = 0;
  std::uint64_t times = 0;
  std::uint64_t interleavings = 0;
};

struct exploration_area {
  static constexpr std::size_t most_entries = std::size_t{1} << 16;
  static constexpr std::size_t most_findings = 1024;

  // Linear indices in the grid. Lanes have the same numbers in all interleavings.
  std::array<std::uint64_t, most_explored_lanes> lanes;
  unsigned lane_count;

  // The running interleaving.
  std::array<trace_entry, most_entries> trace;
  std::size_t entries;
  bool is_too_long;  // for the trace
  bool is_pruned;    // stopped early: the rest would repeat other interleavings
  bool is_complete;  // the program has finished
  bool has_guessed;  // a lane that may count its polls was assumed to spin
  std::array<char, 256> refusal;

  // All interleavings.
  std::array<known_finding, most_findings> findings;
  std::size_t finding_count;

  void begin_interleaving();
  // Negative: there are too many lanes, or the lane is not known.
  [[nodiscard]] int number_of(std::uint64_t lane);
  [[nodiscard]] int find(std::uint64_t lane) const;
  void add(const trace_entry& what);
  // True: the finding is new.
  bool add_finding(std::uint64_t fingerprint, std::uint64_t times, std::size_t& number);
  [[nodiscard]] interleaving turns() const;
};

// Zeroed memory, shared with the processes that this one forks. It is never freed.
exploration_area& make_exploration_area();

}  // namespace heddle_checker
