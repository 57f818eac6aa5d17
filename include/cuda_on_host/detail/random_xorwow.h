// XORWOW, cuRAND's default generator: Marsaglia's five-word xorshift plus a counter (Xorshift RNGs,
// Journal of Statistical Software 8, 2003).
#pragma once
#include <heddle_host/random_jump.hpp>

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;  // see cuda_on_host::kept_normal
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace cuda_on_host {

constexpr unsigned int xorwow_counter_step = 362437;
constexpr int xorwow_log2_subsequence = 67;

inline void move_xorwow(curandStateXORWOW* state, unsigned long long count, int log2_distance) {
  ::heddle_host::xorwow_words words;
  for (int i = 0; i < 5; ++i) words.v[i] = state->v[i];
  words = ::heddle_host::xorwow_after(words, count, log2_distance);
  for (int i = 0; i < 5; ++i) state->v[i] = words.v[i];
}

}  // namespace cuda_on_host

inline unsigned int curand(curandStateXORWOW_t* state) {
  const unsigned int oldest = state->v[0], newest = state->v[4];
  const unsigned int mixed = oldest ^ oldest >> 2;
  const unsigned int next = newest ^ newest << 4 ^ mixed ^ mixed << 1;
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = next;
  return next + (state->d += ::cuda_on_host::xorwow_counter_step);
}

// Skips `count` numbers.
inline void skipahead(unsigned long long count, curandStateXORWOW_t* state) {
  ::cuda_on_host::move_xorwow(state, count, 0);
  state->d += ::cuda_on_host::xorwow_counter_step * static_cast<unsigned int>(count);
}

// Skips `count` subsequences of 2^67 numbers. The 32-bit counter wraps around to the same value.
inline void skipahead_sequence(unsigned long long count, curandStateXORWOW_t* state) {
  ::cuda_on_host::move_xorwow(state, count, ::cuda_on_host::xorwow_log2_subsequence);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateXORWOW_t* state) {
  // Marsaglia's start values, each changed by one half of the seed.
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  curandStateXORWOW fresh{};
  fresh.d = 6615241u + low + high;
  fresh.v[0] = 123456789u + low;
  fresh.v[1] = 362436069u ^ low;
  fresh.v[2] = 521288629u + high;
  fresh.v[3] = 88675123u ^ high;
  fresh.v[4] = 5783321u + low;
  skipahead_sequence(subsequence, &fresh);
  skipahead(offset, &fresh);
  *state = fresh;
}
