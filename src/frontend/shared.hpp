// Rewrites `__shared__` variables to places in the memory of the current block.
#pragma once
#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

void rewrite_shared_variables(const structure& shape, edits& changes);

}  // namespace heddle::frontend
