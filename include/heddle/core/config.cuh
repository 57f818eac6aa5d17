// What every header of the library starts from: CUDA itself and the few macros of ours.
#pragma once
#if __cplusplus < 202002L
#error "heddle needs C++20: compile with -std=c++20"
#endif

#include <cuda_runtime.h>

#include <cstdio>

// Preconditions of device functions are checked in debug builds, and wherever
// HEDDLE_CHECK_PRECONDITIONS is 1, as `heddle run` and `heddle cc` define it. Elsewhere they cost
// nothing, not even the evaluation of the condition.
#ifndef HEDDLE_CHECK_PRECONDITIONS
#ifdef NDEBUG
#define HEDDLE_CHECK_PRECONDITIONS 0
#else
#define HEDDLE_CHECK_PRECONDITIONS 1
#endif
#endif

// Ends the kernel with `sentence` where the caller has broken a contract.
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
