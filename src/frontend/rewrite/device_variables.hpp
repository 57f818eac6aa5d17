// Registers the device variables of a checked or profiled program.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Those at namespace scope: `__device__`, `__managed__` and, if wanted, `__constant__`.
void declare_device_variables(const structure& shape, edits& changes, bool with_constants);

}  // namespace heddle::frontend
