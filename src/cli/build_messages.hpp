// Prints what a build does and why it fails.
#pragma once
#include <frontend/driver/build.hpp>
#include <frontend/driver/build_error.hpp>

namespace heddle::cli {

// Prints to standard error; commands and notes only if `is_verbose`.
frontend::build_listener printing_listener(bool is_verbose);

void print_error(const frontend::build_error& failure);

}  // namespace heddle::cli
