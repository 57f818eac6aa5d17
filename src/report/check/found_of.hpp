// Finds the source lines of a finding.
#pragma once
#include <heddle_host/finding.hpp>

#include "report/check/found.hpp"

namespace heddle_report {

// False for a false alarm at machine-code level: one barrier in the source that the compiler has
// emitted twice.
bool is_worth_reporting(const heddle_host::finding& what);

found found_of(const heddle_host::finding& what);

}  // namespace heddle_report
