// Marks the tests and indices at the beginning of a kernel, or of a part of one, so that the
// runtime can find out whether many lanes will take the same path (heddle_host/lane_row.hpp).
#pragma once
#include "frontend/rewrite/code_reader.hpp"
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/lane_indices.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// For statements that `reader` has found to be predictable.
void mark_lane_tests(const structure& shape, const code_reader& reader, const token_range& code,
                     lane_indices& indices, edits& changes);

}  // namespace heddle::frontend
