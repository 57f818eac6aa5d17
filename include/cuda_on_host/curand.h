// cuRAND's host API: its types, and generators that fill memory with random numbers.
#pragma once
#define CURAND_H_  // programs test for it
#include <cuda_runtime.h>
#include <library_types.h>

#ifndef CURANDAPI
#define CURANDAPI
#endif

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VER_BUILD 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

extern "C" {

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

#define HEDDLE_NO_SCRAMBLING                                                 \
  __attribute__((                                                            \
      unavailable("cuRAND's scrambled Sobol vectors are not published: use " \
                  "the plain ones, or curand_init with your own vectors")))

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,  // XORWOW
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,  // SOBOL32
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 HEDDLE_NO_SCRAMBLING = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 HEDDLE_NO_SCRAMBLING = 204
} curandRngType_t;

typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 HEDDLE_NO_SCRAMBLING = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 HEDDLE_NO_SCRAMBLING = 104
} curandDirectionVectorSet_t;

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

typedef struct curandGenerator_st* curandGenerator_t;
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;

curandStatus_t CURANDAPI curandGetVersion(int* version);
curandStatus_t CURANDAPI curandGetProperty(libraryPropertyType type, int* value);

// A generator that fills device memory, in stream order.
curandStatus_t CURANDAPI curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type);
// A generator that fills host memory before the call returns.
curandStatus_t CURANDAPI curandCreateGeneratorHost(curandGenerator_t* generator,
                                                   curandRngType_t type);
curandStatus_t CURANDAPI curandDestroyGenerator(curandGenerator_t generator);

curandStatus_t CURANDAPI curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t CURANDAPI curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                            unsigned long long seed);
curandStatus_t CURANDAPI curandSetGeneratorOffset(curandGenerator_t generator,
                                                  unsigned long long offset);
curandStatus_t CURANDAPI curandSetGeneratorOrdering(curandGenerator_t generator,
                                                    curandOrdering_t order);
curandStatus_t CURANDAPI curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                 unsigned int dimensions);
curandStatus_t CURANDAPI curandGenerateSeeds(curandGenerator_t generator);

curandStatus_t CURANDAPI curandGenerate(curandGenerator_t generator, unsigned int* output,
                                        size_t count);
curandStatus_t CURANDAPI curandGenerateLongLong(curandGenerator_t generator,
                                                unsigned long long* output, size_t count);
curandStatus_t CURANDAPI curandGenerateUniform(curandGenerator_t generator, float* output,
                                               size_t count);
curandStatus_t CURANDAPI curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                                     size_t count);
curandStatus_t CURANDAPI curandGenerateNormal(curandGenerator_t generator, float* output,
                                              size_t count, float mean, float deviation);
curandStatus_t CURANDAPI curandGenerateNormalDouble(curandGenerator_t generator, double* output,
                                                    size_t count, double mean, double deviation);
curandStatus_t CURANDAPI curandGenerateLogNormal(curandGenerator_t generator, float* output,
                                                 size_t count, float mean, float deviation);
curandStatus_t CURANDAPI curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                                       size_t count, double mean, double deviation);
curandStatus_t CURANDAPI curandGeneratePoisson(curandGenerator_t generator, unsigned int* output,
                                               size_t count, double lambda);

// Creates a table in device memory, for curand_discrete.
curandStatus_t CURANDAPI
curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t* distribution);
curandStatus_t CURANDAPI curandDestroyDistribution(curandDiscreteDistribution_t distribution);

// Tables in host memory, for 37 dimensions.
curandStatus_t CURANDAPI curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                                     curandDirectionVectorSet_t set);
curandStatus_t CURANDAPI curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                                     curandDirectionVectorSet_t set);
HEDDLE_NO_SCRAMBLING curandStatus_t CURANDAPI
curandGetScrambleConstants32(unsigned int** constants);
HEDDLE_NO_SCRAMBLING curandStatus_t CURANDAPI
curandGetScrambleConstants64(unsigned long long** constants);

}  // extern "C"
#undef HEDDLE_NO_SCRAMBLING
