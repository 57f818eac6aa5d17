// Writes the files that options such as --json and --html name.
#pragma once
#include <span>
#include <string>

namespace heddle::cli {

struct named_output {
  std::string option;  // --json
  std::string file;    // empty: not requested
};

// Called before the work: throws build_error if an output cannot be written, or if two outputs
// would mix on standard output.
void expect_outputs(std::span<const named_output> outputs);

// True if one of these owns standard output, so everything else must go to standard error.
[[nodiscard]] bool take_standard_output(std::span<const named_output> outputs);

// Throws build_error.
void write_output(const named_output& output, const std::string& text);

}  // namespace heddle::cli
