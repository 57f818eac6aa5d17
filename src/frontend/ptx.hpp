// Rewrites supported inline PTX to calls, and the rest to a stop of the program.
#pragma once
#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

void rewrite_ptx(const structure& shape, edits& changes);

}  // namespace heddle::frontend
