// Moves local arrays of device code into memory that is watched.
#pragma once
#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

// Those whose address is given away: of the others the compiler knows all accesses by itself.
void rewrite_local_arrays(const structure& shape, edits& changes);

}  // namespace heddle::frontend
