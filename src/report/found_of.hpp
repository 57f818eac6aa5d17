// Finds the source lines of a finding.
#pragma once
#include <heddle_host/finding.hpp>

#include "report/found.hpp"

namespace heddle_report {

// False for what only looks like a finding in machine code: a barrier in one line that the compiler
// has written down twice.
bool is_worth_telling(const heddle_host::finding& what);

found found_of(const heddle_host::finding& what);

}  // namespace heddle_report
