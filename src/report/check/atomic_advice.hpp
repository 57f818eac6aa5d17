// Suggests the atomic operation that replaces a non-atomic read-modify-write in a source line.
#pragma once
#include <string>

namespace heddle_report {

// "atomicMin(&low[i], …)" for `low[i] = min(low[i], x);`. Empty if the line has no such statement,
// has several, or reads other elements of the array. `variable` is the name of the memory in
// question, if it has one; no other plain name is taken for memory.
std::string atomic_operation_for(const std::string& line, const std::string& variable);

}  // namespace heddle_report
