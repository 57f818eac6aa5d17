// Lets a checked program know what its variables on the device are called.
#pragma once
#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

// Those at namespace scope: `__device__`, `__constant__` and `__managed__`.
void declare_device_variables(const structure& shape, edits& changes);

}  // namespace heddle::frontend
