// Where heddle's own headers and libraries are, seen from the running binary.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::frontend {

struct installation {
  std::filesystem::path include;                 // holds heddle/, heddle_host/ and cuda_on_host/
  std::filesystem::path cuda_include;            // the stand-ins for CUDA's headers
  std::vector<std::filesystem::path> libraries;  // the runtime, in link order
  std::filesystem::path checker;                 // what a checked program is linked with as well
  std::filesystem::path profiler;                // and a profiled one
  std::filesystem::path debugger_script;         // what gdb has to know about kernels
  std::string identity;                          // changes when the binary or the runtime changes
};

// Build tree and installed tree have the same shape: bin/heddle, include/, lib/, share/heddle/.
// Throws build_error if something is missing.
installation find_installation();

}  // namespace heddle::frontend
