// What heddle answers when CMake tries it as the compiler of the CUDA language.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

// heddle cannot be CMAKE_CUDA_COMPILER. If these words are one of CMake's trials, answers them so
// that CMake stops and shows the sentence that says so; returns the exit code.
std::optional<int> answer_cmake_trial(const std::vector<std::string>& words);

}  // namespace heddle::cli
