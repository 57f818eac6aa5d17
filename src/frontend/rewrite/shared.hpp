// Rewrites `__shared__` variables to places in the memory of the current block.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// `says_where`: the declarations report their source lines at run time.
void rewrite_shared_variables(const structure& shape, edits& changes, bool says_where);

}  // namespace heddle::frontend
