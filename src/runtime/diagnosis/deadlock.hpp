// Gives a deadlock the most specific kind that its waiting lanes allow.
#pragma once
#include <heddle_host/finding.hpp>

namespace heddle_host {

finding classify_deadlock(finding deadlock);

}  // namespace heddle_host
