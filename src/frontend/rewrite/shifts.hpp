// Makes shifts in device code give a GPU's result for any distance.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// `x << n` becomes `x << ::heddle_host::as_gpu << n`, and `x <<= n` becomes
// `x <<= ::heddle_host::as_gpu <<= n` (heddle_host/gpu_shift.hpp), unless `n` is a small number.
// Bit-fields that are shifted in place keep C++'s meaning. Runs after the passes that move text.
void rewrite_shifts(const structure& shape, edits& changes);

}  // namespace heddle::frontend
