// What CUDA has and the CPU machine does not: each is refused with one sentence.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

// Calls of functions that CUDA itself has removed, such as `__shfl`, in the user's own files.
void find_what_is_not_offered(const structure& shape, edits& changes);

struct header_refusal {
  std::string folder;  // what stands before the header's name, e.g. "/usr/local/cuda/include/"
  std::string sentence;
};

// For a header such as "cub/cub.cuh" or a path that ends in one; nothing if it is fine.
std::optional<header_refusal> refusal_of_header(std::string_view path);

// A sentence for a library such as "cublas" (of -lcublas); nothing if it is fine.
std::optional<std::string> refusal_of_library(std::string_view name);

}  // namespace heddle::frontend
