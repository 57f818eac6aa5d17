// Calls atomic functions at every scope, for the atomic cases.
#pragma once
#include "conformance.hpp"
#include "values.cuh"

// Calls atomicNAME at the scope chosen by a template parameter called Scope of type scope.
#define ATOMIC(NAME, ...)                                      \
  (Scope == scope::device  ? atomic##NAME(__VA_ARGS__)         \
   : Scope == scope::block ? atomic##NAME##_block(__VA_ARGS__) \
                           : atomic##NAME##_system(__VA_ARGS__))

namespace conformance {

enum class scope { device, block, system };

inline constexpr int atomic_blocks = 6, atomic_threads = 96, atomic_cells = 5;

// Returns the cells that the block updates: its own at block scope, otherwise those of all blocks.
template <scope Scope, typename T>
__device__ T* cells_of(T* cells) {
  return cells + (Scope == scope::block ? blockIdx.x * atomic_cells : 0);
}

}  // namespace conformance
