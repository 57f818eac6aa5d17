// Answers CMake when it probes heddle as a CUDA compiler.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

// heddle cannot be CMAKE_CUDA_COMPILER. If `arguments` are one of CMake's probes, prints an answer
// that makes CMake stop and show a sentence saying so, and returns the exit code.
std::optional<int> answer_cmake_probe(const std::vector<std::string>& arguments);

}  // namespace heddle::cli
