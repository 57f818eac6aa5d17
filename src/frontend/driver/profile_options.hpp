// The options of `heddle profile`, apart from the compiler's.
#pragma once
#include <cstddef>
#include <string>

namespace heddle::frontend {

struct profile_options {
  std::size_t lines = 10;  // shown for each kernel
  bool writes_json = false;
  std::string json_file;  // empty: standard output
  std::string html_file;
};

}  // namespace heddle::frontend
