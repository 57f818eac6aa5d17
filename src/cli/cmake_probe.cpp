// Answers CMake when it probes heddle as a CUDA compiler.
#include "cli/cmake_probe.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

bool is_among(const std::vector<std::string>& arguments, std::string_view wanted) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const std::string& word) { return fs::path(word).filename() == wanted; });
}

}  // namespace

// CMake runs three probes. Only the third shows the compiler's output, and CMake gets there only if
// it takes the compiler for nvcc.
std::optional<int> answer_cmake_probe(const std::vector<std::string>& arguments) {
  std::error_code unknown;
  if (is_among(arguments, "--version") &&
      fs::current_path(unknown).filename() == "CompilerIdCUDA") {
    fmt::print("heddle cc, called as if it were nvcc: NVIDIA (R) Cuda compiler driver\n");
    return 0;
  }
  if (is_among(arguments, "__cmake_determine_cuda")) {
    // CMake requires a path with this ending, but does not check that it exists.
    fmt::print("#$ NVVMIR_LIBRARY_DIR=/nvvm/libdevice\n");
    return 0;
  }
  if (is_among(arguments, "CMakeCUDACompilerId.cu")) {
    fmt::print(stderr,
               "heddle: heddle cannot be CMAKE_CUDA_COMPILER or CUDACXX; leave the CUDA language "
               "disabled and build .cu files with heddle_add_executable (docs/cmake.md)\n");
    return 2;
  }
  return std::nullopt;
}

}  // namespace heddle::cli
