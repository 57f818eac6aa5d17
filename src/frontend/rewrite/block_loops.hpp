// Rewrites a kernel whose lanes need each other only at barriers: a block runs each part of it as a
// loop over the lanes (heddle_host/lane_block.hpp).
#pragma once
#include <set>

#include "frontend/rewrite/code_reader.hpp"
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Takes the loops that it splits from `strides`. If the kernel cannot be split, changes nothing and
// returns false.
bool rewrite_block_loops(const structure& shape, const code_reader& reader, const scope& kernel,
                         std::set<std::size_t>& strides, edits& changes);

}  // namespace heddle::frontend
