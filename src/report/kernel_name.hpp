// Names of kernels and indices of threads, as reports write them.
#pragma once
#include <string>

#include <vector_types.h>

namespace heddle_report {

// `reduce<T = int>` from `void reduce(T*) [with T = int]`.
std::string kernel_name(const std::string& signature);

// `(1,2,0)`
std::string index_text(uint3 index);

}  // namespace heddle_report
