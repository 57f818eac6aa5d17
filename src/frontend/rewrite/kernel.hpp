// Rewrites kernels: the body becomes a closure that the runtime calls once for each lane.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

void rewrite_kernels(const structure& shape, edits& changes);

// Removes the markers that only the frontend understands from all other declarations.
void remove_function_markers(const structure& shape, edits& changes);

}  // namespace heddle::frontend
