// Rewrites `k<<<grid, block>>>(arguments)` to a plain C++ call.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

void rewrite_launches(const structure& shape, edits& changes);

}  // namespace heddle::frontend
