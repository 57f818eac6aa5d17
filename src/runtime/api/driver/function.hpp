// Names and parameters of kernels that are known by their address.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "api/known_kernels.hpp"

namespace heddle_host::api {

// The kernel's mangled name; null if no kernel has this address.
const char* name_of(const void* kernel);

// Where a parameter is in the buffer that a launch can take its arguments from.
struct parameter_place {
  std::size_t offset;
  std::size_t bytes;
};
std::vector<parameter_place> parameters_of(const kernel_caller& caller);

}  // namespace heddle_host::api
