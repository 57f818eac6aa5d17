// Rewrites the inline PTX that is offered to calls, and the rest to the end of the program.
#pragma once
#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

void rewrite_ptx(const structure& shape, edits& changes);

}  // namespace heddle::frontend
