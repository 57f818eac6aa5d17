// Recognises programs that were built by `heddle cc --check`.
#pragma once
#include <string>

namespace heddle::cli {

// Throws build_error with a message if the file is not one, or was built by another version.
void expect_checked_program(const std::string& file);

}  // namespace heddle::cli
