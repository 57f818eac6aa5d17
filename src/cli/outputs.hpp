// The files that options such as --json and --html name.
#pragma once
#include <span>
#include <string>

namespace heddle::cli {

struct named_output {
  std::string option;  // --json
  std::string file;    // empty: not asked for
};

// Ends with a build_error before the work if an output could not be written after it, or if two of
// them would be mixed on the standard output.
void expect_outputs(std::span<const named_output> outputs);

// True if the standard output is for one of these alone, so that all else goes to the standard
// error.
[[nodiscard]] bool take_standard_output(std::span<const named_output> outputs);

// Throws build_error.
void write_output(const named_output& output, const std::string& text);

}  // namespace heddle::cli
