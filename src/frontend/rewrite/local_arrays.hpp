// Moves local arrays of device code to memory that the checker watches.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Only those whose address escapes: the compiler checks accesses to the others itself.
void rewrite_local_arrays(const structure& shape, edits& changes);

}  // namespace heddle::frontend
