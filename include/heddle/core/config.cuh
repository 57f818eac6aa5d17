// The base of every header: CUDA itself and the library's few macros.
#pragma once
#if __cplusplus < 202002L
#error "heddle needs C++20: compile with -std=c++20"
#endif

#include <cuda_runtime.h>

#include <cstdio>

// Preconditions of device functions are checked wherever HEDDLE_CHECK_PRECONDITIONS is 1: with
// `nvcc -G`, and in what `heddle run`, `heddle cc` and `heddle check` build. Otherwise they cost
// nothing: the condition is not even evaluated.
#ifndef HEDDLE_CHECK_PRECONDITIONS
#ifdef __CUDACC_DEBUG__
#define HEDDLE_CHECK_PRECONDITIONS 1
#else
#define HEDDLE_CHECK_PRECONDITIONS 0
#endif
#endif

// Prints `sentence` and traps if the caller has broken a contract.
#if HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_EXPECTS(condition, sentence)                                                  \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      printf("heddle: %s:%d: %s (%s is false)\n", __FILE__, __LINE__, sentence, #condition); \
      __trap();                                                                              \
    }                                                                                        \
  } while (false)
#else
#define HEDDLE_EXPECTS(condition, sentence) \
  do {                                      \
  } while (false)
#endif
