// A finding in words.
#pragma once
#include <string>

#include <heddle_host/finding.hpp>

namespace heddle_report {

// `reduce<T = int>` from `void reduce(T*) [with T = int]`.
std::string kernel_name(const std::string& signature);

// Some lines of text, the last one ended.
std::string describe(const heddle_host::finding& what);

}  // namespace heddle_report
