// __reduce_{add,min,max,and,or,xor}_sync under every mask shape.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

enum class operation { add, least, greatest, both, either, differ };

template <operation Operation, typename T>
__device__ T reduce(unsigned mask, T value) {
  if constexpr (Operation == operation::add)
    return __reduce_add_sync(mask, value);
  else if constexpr (Operation == operation::least)
    return __reduce_min_sync(mask, value);
  else if constexpr (Operation == operation::greatest)
    return __reduce_max_sync(mask, value);
  else if constexpr (Operation == operation::both)
    return __reduce_and_sync(mask, value);
  else if constexpr (Operation == operation::either)
    return __reduce_or_sync(mask, value);
  else
    return __reduce_xor_sync(mask, value);
}

template <operation Operation, typename T>
__global__ void reduce_rounds(unsigned mask, T* results) {
  if (!names(mask, lane_id())) return;
  for (unsigned round = 0; round < 6; ++round) {
    // with random values, `and` and `or` would give little but 0 and ~0
    unsigned bits = mix(rank_in_grid() * 8 + round);
    if (Operation == operation::both) bits |= mix(round + blockIdx.x) | bits << 7 | bits >> 9;
    if (Operation == operation::either) bits = 1u << bits % 32;
    results[round * gridDim.x * blockDim.x + rank_in_grid()] =
        reduce<Operation, T>(mask, static_cast<T>(bits));
  }
}

template <operation Operation, typename T>
void show_reductions() {
  for (const unsigned mask : MASK_SHAPES) {
    const buffer<T> results(6 * 2 * 64);
    reduce_rounds<Operation, T><<<2, 64>>>(mask, results);
    show("results", results);
  }
}

CASE(reduce_add_unsigned) { show_reductions<operation::add, unsigned>(); }

CASE(reduce_add_int) { show_reductions<operation::add, int>(); }

CASE(reduce_min_unsigned) { show_reductions<operation::least, unsigned>(); }

CASE(reduce_min_int) { show_reductions<operation::least, int>(); }

CASE(reduce_max_unsigned) { show_reductions<operation::greatest, unsigned>(); }

CASE(reduce_max_int) { show_reductions<operation::greatest, int>(); }

CASE(reduce_and) { show_reductions<operation::both, unsigned>(); }

CASE(reduce_or) { show_reductions<operation::either, unsigned>(); }

CASE(reduce_xor) { show_reductions<operation::differ, unsigned>(); }
