// The options of `heddle profile` beside those of the compiler.
#pragma once
#include <cstddef>
#include <string>

namespace heddle::frontend {

struct profile_options {
  std::size_t lines = 10;  // of each kernel that are shown
  bool writes_json = false;
  std::string json_file;  // empty: standard output
  std::string html_file;
};

}  // namespace heddle::frontend
