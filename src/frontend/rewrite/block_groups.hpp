// Cooperative groups that stand for a whole block: their barriers and what lanes ask them.
#pragma once
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// `__syncthreads();`, or one of these if they name a block: `cg::sync(block);`, `block.sync();`.
bool is_barrier(const structure& shape, std::size_t at);
// The name `block` in such a barrier; `nowhere` in `__syncthreads();`.
std::size_t group_of_barrier(const structure& shape, std::size_t at);

// `cg::thread_block block = cg::this_thread_block();`, also with `auto`: the position of `block`.
// `nowhere` for any other statement.
std::size_t declared_block_group(const structure& shape, std::size_t at);
// That, `namespace cg = cooperative_groups;` or `using namespace cooperative_groups;`: no lane does
// anything there.
bool names_groups(const structure& shape, std::size_t at);

// What follows the name of a block: `.thread_rank()`, `.group_index().x` and others.
bool is_known_question(const structure& shape, std::size_t name);
bool asks_for_lane(const structure& shape, std::size_t name);  // lanes get different answers
bool asks_for_rank(const structure& shape, std::size_t name);  // `.thread_rank()`

}  // namespace heddle::frontend
