// From `__managed__` variables to their registration.
#pragma once
#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

// The host and the lanes share these variables: a checked program is told which they are.
void register_managed_variables(const structure& shape, edits& changes);

}  // namespace heddle::frontend
