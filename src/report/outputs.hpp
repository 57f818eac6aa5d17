// Compares what a program has printed under two schedules.
#pragma once
#include <set>
#include <string>

namespace heddle_report {

struct printed {
  std::string schedule;
  std::string text;
};

struct output_difference {
  std::string text;          // a few words with what differs; empty: nothing
  bool is_rounding = false;  // only the last digits of floating-point numbers differ
};

// Lines with `#` in place of numbers.
using line_shapes = std::set<std::string>;

// Lines are compared as a set, since blocks print in any order. Lines of these shapes do not count.
output_difference difference_of_outputs(const printed& first, const printed& second,
                                        const line_shapes& ignored = {});

// The shapes of lines that two runs do not have in common: of two runs under the same schedule,
// those with the time or an address in it.
line_shapes shapes_that_differ(const std::string& first, const std::string& second);

}  // namespace heddle_report
