// Refuses, with one sentence each, what CUDA has and the CPU runtime does not.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Finds calls to functions that CUDA itself has removed, such as `__shfl`, in the user's files.
void find_removed_functions(const structure& shape, edits& changes);

// Adds a note to each call of a function that ends the program. The stand-in headers declare those
// functions in files whose names end in _stops.inc.
void note_stops(const structure& shape, edits& changes);

struct header_refusal {
  std::string folder;  // before the header's name, such as "/usr/local/cuda/include/"
  std::string sentence;
  bool is_only_missing = false;  // it may be read, but the compiler does not find it
};

// For a header such as "cub/cub.cuh", or a path that ends in one; nothing if it is supported.
std::optional<header_refusal> refusal_of_header(std::string_view path);

// A sentence for a library such as "cublas" (from -lcublas); nothing if it is supported.
std::optional<std::string> refusal_of_library(std::string_view name);

}  // namespace heddle::frontend
