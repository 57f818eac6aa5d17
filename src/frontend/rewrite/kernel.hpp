// Rewrites kernels: the body becomes a closure that the runtime calls once for each lane.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/independent_lanes.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Reports each `__global__` function whose body was not recognised. Without this it would silently
// run once, on the host.
void refuse_unread_kernels(const structure& shape, edits& changes);

// If `lanes` is given, lanes that need no other lane run as a loop.
void rewrite_kernels(const structure& shape, edits& changes, independent_lanes* lanes);

// Removes the markers that only the frontend understands from all other declarations.
void remove_function_markers(const structure& shape, edits& changes);

}  // namespace heddle::frontend
