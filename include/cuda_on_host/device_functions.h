// Device functions that the CPU machine itself carries out: warp operations, barriers, fences,
// time.
#pragma once
#include <ctime>

#include <vector_types.h>

#include <heddle_host/lane.hpp>

// ---- shuffles: one value from another lane of the mask
#define HEDDLE_DECLARE_SHUFFLES(T)                                               \
  T __shfl_sync(unsigned mask, T value, int source, int width = 32);             \
  T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32);   \
  T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32); \
  T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32)
HEDDLE_DECLARE_SHUFFLES(int);
HEDDLE_DECLARE_SHUFFLES(unsigned);
HEDDLE_DECLARE_SHUFFLES(long);
HEDDLE_DECLARE_SHUFFLES(unsigned long);
HEDDLE_DECLARE_SHUFFLES(long long);
HEDDLE_DECLARE_SHUFFLES(unsigned long long);
HEDDLE_DECLARE_SHUFFLES(float);
HEDDLE_DECLARE_SHUFFLES(double);
#undef HEDDLE_DECLARE_SHUFFLES

// ---- votes
int __any_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);
int __uni_sync(unsigned mask, int predicate);
unsigned __ballot_sync(unsigned mask, int predicate);

// ---- match: lanes with the same bits
#define HEDDLE_DECLARE_MATCH(T)                      \
  unsigned __match_any_sync(unsigned mask, T value); \
  unsigned __match_all_sync(unsigned mask, T value, int* all_are_equal)
HEDDLE_DECLARE_MATCH(int);
HEDDLE_DECLARE_MATCH(unsigned);
HEDDLE_DECLARE_MATCH(long);
HEDDLE_DECLARE_MATCH(unsigned long);
HEDDLE_DECLARE_MATCH(long long);
HEDDLE_DECLARE_MATCH(unsigned long long);
HEDDLE_DECLARE_MATCH(float);
HEDDLE_DECLARE_MATCH(double);
#undef HEDDLE_DECLARE_MATCH

// ---- reductions of 32-bit integers
int __reduce_add_sync(unsigned mask, int value);
int __reduce_min_sync(unsigned mask, int value);
int __reduce_max_sync(unsigned mask, int value);
unsigned __reduce_add_sync(unsigned mask, unsigned value);
unsigned __reduce_min_sync(unsigned mask, unsigned value);
unsigned __reduce_max_sync(unsigned mask, unsigned value);
unsigned __reduce_and_sync(unsigned mask, unsigned value);
unsigned __reduce_or_sync(unsigned mask, unsigned value);
unsigned __reduce_xor_sync(unsigned mask, unsigned value);

unsigned __activemask();
void __syncwarp(unsigned mask = 0xffffffffu);

// ---- block
void __syncthreads();
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
void __barrier_sync(unsigned barrier);
void __barrier_sync_count(unsigned barrier, unsigned threads);

// ---- fences
void __threadfence();
void __threadfence_block();
void __threadfence_system();

// ---- time: clock() is the C library's own
long long clock64();
void __nanosleep(unsigned nanoseconds);

// ---- ends
[[noreturn]] void __trap();
void __brkpt();

inline constexpr int warpSize = 32;
