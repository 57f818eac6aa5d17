// MRG32k3a, L'Ecuyer's combined multiple recursive generator (Good Parameters and Implementations
// for Combined Multiple Recursive Random Number Generators, Operations Research 47, 1999).
#pragma once
#include <heddle_host/random_jump.hpp>

struct curandStateMRG32k3a {
  unsigned int s1[3];  // oldest value first
  unsigned int s2[3];
  int boxmuller_flag;  // see cuda_on_host::kept_normal
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace cuda_on_host {

constexpr unsigned long long mrg_modulus1 = 4294967087ull;
constexpr unsigned long long mrg_modulus2 = 4294944443ull;
constexpr int mrg_log2_subsequence = 76;
constexpr int mrg_log2_sequence = 127;

// Returns the next number of the combined generator, from 1 to mrg_modulus1.
inline unsigned int next_of_mrg(curandStateMRG32k3a* state) {
  // A negative coefficient -a becomes a * (modulus - value), so that no term is negative.
  const unsigned long long first =
      (1403580ull * state->s1[1] + 810728ull * (mrg_modulus1 - state->s1[0])) % mrg_modulus1;
  const unsigned long long second =
      (527612ull * state->s2[2] + 1370589ull * (mrg_modulus2 - state->s2[0])) % mrg_modulus2;
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = static_cast<unsigned int>(first);
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = static_cast<unsigned int>(second);
  const unsigned long long difference =
      first > second ? first - second : first + mrg_modulus1 - second;
  return static_cast<unsigned int>(difference);
}

inline void move_mrg(curandStateMRG32k3a* state, unsigned long long count, int log2_distance) {
  ::heddle_host::mrg32k3a_words words;
  for (int i = 0; i < 3; ++i) {
    words.s1[i] = state->s1[i];
    words.s2[i] = state->s2[i];
  }
  words = ::heddle_host::mrg32k3a_after(words, count, log2_distance);
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = words.s1[i];
    state->s2[i] = words.s2[i];
  }
}

}  // namespace cuda_on_host

// The combined generator has slightly fewer than 2^32 values; cuRAND stretches them over 32 bits.
inline unsigned int curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned int>(::cuda_on_host::next_of_mrg(state) * 1.000000048662);
}

// Skips `count` numbers.
inline void skipahead(unsigned long long count, curandStateMRG32k3a_t* state) {
  ::cuda_on_host::move_mrg(state, count, 0);
}

// Skips `count` subsequences of 2^76 numbers.
inline void skipahead_subsequence(unsigned long long count, curandStateMRG32k3a_t* state) {
  ::cuda_on_host::move_mrg(state, count, ::cuda_on_host::mrg_log2_subsequence);
}

// Skips `count` sequences of 2^127 numbers.
inline void skipahead_sequence(unsigned long long count, curandStateMRG32k3a_t* state) {
  ::cuda_on_host::move_mrg(state, count, ::cuda_on_host::mrg_log2_sequence);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateMRG32k3a_t* state) {
  using namespace ::cuda_on_host;
  constexpr unsigned long long start = 12345;
  // Seed 0 gives L'Ecuyer's start values. Other seeds multiply them by their two halves in turn.
  const unsigned long long low = seed == 0 ? 1 : static_cast<unsigned int>(seed) ^ 0x55555555u;
  const unsigned long long high =
      seed == 0 ? 1 : static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
  curandStateMRG32k3a fresh{};
  for (int i = 0; i < 3; ++i) {
    const bool is_middle = i == 1;
    fresh.s1[i] = static_cast<unsigned int>(start * (is_middle ? high : low) % mrg_modulus1);
    fresh.s2[i] = static_cast<unsigned int>(start * (is_middle ? low : high) % mrg_modulus2);
  }
  skipahead_subsequence(subsequence, &fresh);
  skipahead(offset, &fresh);
  *state = fresh;
}
