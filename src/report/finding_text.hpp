// A finding in words.
#pragma once
#include <string>

#include <heddle_host/finding.hpp>

namespace heddle_report {

// `reduce<T = int>` from `void reduce(T*) [with T = int]`.
std::string kernel_name(const std::string& signature);

// `(1,2,0)`
std::string index_text(uint3 index);

// False for what only looks like a finding in machine code: a barrier in one line that the compiler
// has written down twice.
bool is_worth_telling(const heddle_host::finding& what);

// Some lines of text, the last one ended.
std::string describe(const heddle_host::finding& what);

}  // namespace heddle_report
