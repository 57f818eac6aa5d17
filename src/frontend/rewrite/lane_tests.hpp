// Marks the tests and indices at the beginning of a kernel, so that the runtime can find out
// whether many lanes will take the same path (heddle_host/lane_row.hpp).
#pragma once
#include "frontend/rewrite/code_reader.hpp"
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// For a kernel that `reader` has found to be predictable.
void mark_lane_tests(const structure& shape, const code_reader& reader, const scope& kernel,
                     edits& changes);

}  // namespace heddle::frontend
