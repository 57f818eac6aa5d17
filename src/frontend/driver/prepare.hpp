// Fixes up preprocessed text before it is split into tokens.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

// Marks files below `quiet_folders` as system headers, and blanks out pragmas that only nvcc knows.
std::string prepare(std::string text, const std::vector<std::string>& quiet_folders);

// A header that the text enters: its path, and the line that includes it.
struct entered_file {
  std::string path;
  std::string included_from;  // "file.cu:3"
};
std::vector<entered_file> entered_files(std::string_view text);

}  // namespace heddle::frontend
