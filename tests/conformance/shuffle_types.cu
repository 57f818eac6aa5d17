// Every shuffle mode, width and mask shape for every type that CUDA can shuffle.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "shuffle.cuh"

using namespace conformance;

template <typename T>
void show_type() {
  for (const unsigned mask : MASK_SHAPES) {
    show_shuffles<mode::index, T>(mask);
    show_shuffles<mode::up, T>(mask);
    show_shuffles<mode::down, T>(mask);
    show_shuffles<mode::exclusive, T>(mask);
  }
}

CASE(shuffle_of_int) { show_type<int>(); }

CASE(shuffle_of_unsigned) { show_type<unsigned>(); }

CASE(shuffle_of_long) { show_type<long>(); }

CASE(shuffle_of_unsigned_long) { show_type<unsigned long>(); }

CASE(shuffle_of_long_long) { show_type<long long>(); }

CASE(shuffle_of_unsigned_long_long) { show_type<unsigned long long>(); }

CASE(shuffle_of_float) { show_type<float>(); }

CASE(shuffle_of_double) { show_type<double>(); }

CASE(shuffle_of_half) { show_type<__half>(); }

CASE(shuffle_of_half2) { show_type<__half2>(); }

CASE(shuffle_of_bfloat16) { show_type<__nv_bfloat16>(); }

CASE(shuffle_of_bfloat162) { show_type<__nv_bfloat162>(); }
