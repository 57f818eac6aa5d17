// Rewrites supported inline PTX to calls, and the rest to a stop of the program.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

void rewrite_ptx(const structure& shape, edits& changes);

}  // namespace heddle::frontend
