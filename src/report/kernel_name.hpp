// Names of kernels, as reports write them.
#pragma once
#include <string>

namespace heddle_report {

// `reduce<T = int>` from `void reduce(T*) [with T = int]`.
std::string kernel_name(const std::string& signature);

}  // namespace heddle_report
