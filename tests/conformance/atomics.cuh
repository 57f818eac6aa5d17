// The scopes in which the atomic cases try every function.
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

// Cells for all blocks together; at block scope every block has cells of its own.
template <scope Scope, typename T>
__device__ T* cells_of(T* cells) {
  return cells + (Scope == scope::block ? blockIdx.x * atomic_cells : 0);
}

}  // namespace conformance
