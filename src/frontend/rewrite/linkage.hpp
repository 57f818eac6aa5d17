// Lets several .cu files of one program include a header with device code.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Without -rdc=true, nvcc keeps device functions and variables local to the translation unit, so
// headers may define them without `inline` or `static`. Here they are ordinary code, so definitions
// in headers get those keywords.
void give_linkage_to_headers(const structure& shape, edits& changes);

}  // namespace heddle::frontend
