// The paths of heddle's own headers and libraries, relative to the running binary.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::frontend {

struct installation {
  std::filesystem::path include;                 // contains heddle/, heddle_host/ and cuda_on_host/
  std::filesystem::path cuda_include;            // the stand-ins for CUDA's headers
  std::vector<std::filesystem::path> libraries;  // the runtime, in link order
  std::filesystem::path checker;                 // also linked into a checked program
  std::filesystem::path profiler;                // also linked into a profiled program
  std::filesystem::path debugger_script;         // lets gdb break in kernels
  std::string identity;                          // changes when the binary or the runtime changes
};

// The build tree and the installed tree have the same layout: bin/heddle, include/, lib/,
// share/heddle/. Throws build_error if anything is missing.
installation find_installation();

}  // namespace heddle::frontend
