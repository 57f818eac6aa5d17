// Counts the iterations of loops that stride over memory (heddle_host/turn.hpp).
#pragma once
#include <set>

#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// The tokens that end an iteration of such a loop: the `;` or `)` after its step. Only in code that
// only lanes run.
std::set<std::size_t> find_strides(const structure& shape);

// Call this after rewrite_kernels(), because the counters belong inside the closures.
void count_iterations(const structure& shape, const std::set<std::size_t>& strides, edits& changes);

}  // namespace heddle::frontend
