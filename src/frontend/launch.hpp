// Rewrites `k<<<grid, block>>>(arguments)` to a call that C++ knows.
#pragma once
#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

void rewrite_launches(const structure& shape, edits& changes);

// Drops the cast in `cudaLaunchKernel((void*)k, …)` and its relatives: they are templates here and
// want to see the kernel's type.
void rewrite_kernel_addresses(const structure& shape, edits& changes);

}  // namespace heddle::frontend
