// Compares the output of a program under two schedules.
#pragma once
#include <set>
#include <string>

namespace heddle_report {

struct printed {
  std::string schedule;
  std::string text;
};

struct output_difference {
  std::string text;          // a short description of the difference; empty if there is none
  bool is_rounding = false;  // only the last digits of floating-point numbers differ
};

// Lines with `#` in place of each number.
using line_shapes = std::set<std::string>;

// Lines are compared as a set, since blocks print in any order. Lines with ignored shapes are
// skipped.
output_difference difference_of_outputs(const printed& first, const printed& second,
                                        const line_shapes& ignored = {});

// The shapes of lines that the two runs do not share. For two runs under the same schedule, these
// are lines that print a time or an address.
line_shapes shapes_that_differ(const std::string& first, const std::string& second);

}  // namespace heddle_report
