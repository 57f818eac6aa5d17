// What the process that explores and the one that runs an interleaving share.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "checker/explore/guide.hpp"
#include "checker/explore/interleaving.hpp"
#include "checker/explore/trace.hpp"

namespace heddle_checker {

// A finding that some interleaving has told of.
struct known_finding {
  std::uint64_t fingerprint = 0;
  std::uint64_t times = 0;
  std::uint64_t interleavings = 0;
};

struct exploration_area {
  static constexpr std::size_t most_entries = std::size_t{1} << 16;
  static constexpr std::size_t most_findings = 1024;

  // Lanes have the same numbers in all interleavings; by linear index in the grid.
  std::array<std::uint64_t, most_explored_lanes> lanes;
  unsigned lane_count;

  // Of the interleaving that runs.
  std::array<trace_entry, most_entries> trace;
  std::size_t entries;
  bool is_too_long;  // for the trace
  bool is_pruned;    // all that could go on were asleep
  bool is_complete;  // the program has come to its end
  bool has_guessed;  // a lane that perhaps counts its looks was taken to spin
  std::array<char, 256> refusal;

  // Of all.
  std::array<known_finding, most_findings> findings;
  std::size_t finding_count;

  void begin_interleaving();
  // Negative: there are too many; it is not known.
  [[nodiscard]] int number_of(std::uint64_t lane);
  [[nodiscard]] int find(std::uint64_t lane) const;
  void add(const trace_entry& what);
  // True: nobody has told of it.
  bool add_finding(std::uint64_t fingerprint, std::uint64_t times, std::size_t& number);
  [[nodiscard]] interleaving turns() const;
};

// Zeroes; seen by this process and those that it forks. Lives as long as they do.
exploration_area& make_exploration_area();

}  // namespace heddle_checker
