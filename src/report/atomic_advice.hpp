// Which atomic operation does what a line of source does in two steps.
#pragma once
#include <string>

namespace heddle_report {

// "atomicMin(&low[i], …)" for `low[i] = min(low[i], x);`. Empty if the line has no such statement,
// more than one, or one that also reads other elements of the array. `variable`: the name of the
// memory in question, if it has one; a plain name is taken for memory only if it is this.
std::string atomic_operation_for(const std::string& line, const std::string& variable);

}  // namespace heddle_report
