// Combines the two texts of a file: as the host sees it, without `__CUDA_ARCH__`, and as the device
// sees it. See docs/decisions/0032.
#pragma once
#include <string>
#include <vector>

#include "frontend/rewrite/edits.hpp"

namespace heddle::frontend {

struct merged_sides {
  std::string text;
  std::vector<diagnostic> notes;  // where the device's version stands for both
};

// Both texts are preprocessed. In the result, a function whose bodies differ has both and chooses
// when it runs; a declaration that only the host has is added; any other difference is the
// device's.
merged_sides merge_sides(std::string host, std::string device);

}  // namespace heddle::frontend
