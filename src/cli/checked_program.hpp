// Knows programs that were built by `heddle cc --check`.
#pragma once
#include <string>

namespace heddle::cli {

// Throws build_error with a sentence for a file that is none, or that another version has built.
void expect_checked_program(const std::string& file);

}  // namespace heddle::cli
