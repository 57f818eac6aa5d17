// Finds inlined calls of CUDA's functions, and the CUDA functions that have code of their own.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "report/check/code_lines.hpp"

namespace heddle_report {

// The code of one inlined call from the program into the stand-in headers.
struct inlined_call {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string function;
  line_of_file place;  // in the user's file; empty if unknown
};

struct inlined_functions {
  std::vector<inlined_call> calls;               // sorted by begin
  std::map<std::uint64_t, std::string> entries;  // functions with code of their own, by address
};

// Code begins at `first`; lower addresses in the debug information are of functions that the linker
// removed.
inlined_functions read_inlined_functions(const std::filesystem::path& program, std::uint64_t first);

}  // namespace heddle_report
