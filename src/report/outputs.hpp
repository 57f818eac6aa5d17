// Compares what a program has printed under two schedules.
#pragma once
#include <string>

namespace heddle_report {

// Lines are compared as a set, since blocks print in any order. Empty if they agree; else a few
// words with what differs, which name it if only the last digits of numbers do.
std::string difference_of_outputs(const std::string& first, const std::string& first_schedule,
                                  const std::string& second, const std::string& second_schedule);

}  // namespace heddle_report
