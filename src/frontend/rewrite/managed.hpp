// Registers `__managed__` variables.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// The host and the lanes share these variables, so a checked program must know them.
void register_managed_variables(const structure& shape, edits& changes);

}  // namespace heddle::frontend
