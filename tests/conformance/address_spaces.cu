// __isGlobal, __isShared and __isLocal of addresses in every kind of memory.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__device__ int device_variable[4];
__managed__ int managed_variable[4];
__shared__ int shared_of_file[4];

__global__ void spaces(const int* allocated, unsigned* results) {
  __shared__ int shared_of_function[4];
  extern __shared__ int dynamic[];
  volatile int own[4] = {1, 2, 3, 4};
  const void* const places[] = {&device_variable[1],  &managed_variable[1],   allocated,
                                &shared_of_file[3],   &shared_of_function[3], &dynamic[15],
                                const_cast<int*>(own)};
  for (int i = 0; i < 7; ++i)
    results[rank_in_grid() * 7 + i] = (__isGlobal(places[i]) != 0) +
                                      2 * (__isShared(places[i]) != 0) +
                                      4 * (__isLocal(places[i]) != 0);
}

CASE(spaces_of_all_memory) {
  const buffer<int> allocated(4, 0);
  const buffer<unsigned> results(2 * 40 * 7);
  spaces<<<2, 40, 64>>>(allocated, results);
  show("results", results);
}
