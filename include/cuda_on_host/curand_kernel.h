// cuRAND's device API: generators, whose state each thread keeps, and distributions.
#pragma once
#define CURAND_KERNEL_H_  // programs test for it
#include <curand.h>
#include <curand_discrete2.h>
#include <curand_lognormal.h>
#include <curand_mrg32k3a.h>
#include <curand_normal.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_uniform.h>

#include "detail/random_sobol.h"
#include "detail/random_xorwow.h"

#define HEDDLE_NO_MTGP32                                                                       \
  __attribute__((                                                                              \
      unavailable("MTGP32 is not supported in kernels on the CPU, because it needs tables of " \
                  "parameters: use another generator")))
struct HEDDLE_NO_MTGP32 curandStateMtgp32;
struct HEDDLE_NO_MTGP32 curandStateMtgp32_t;
#undef HEDDLE_NO_MTGP32
