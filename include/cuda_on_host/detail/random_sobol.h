// Sobol quasirandom sequences of 32 and 64 bits in Gray-code order, plain and scrambled. A state
// generates one dimension, which its direction vectors define.
#pragma once
#include <curand.h>

struct curandStateSobol32 {
  unsigned int i, x, c;  // the index, the next number, and the constant that scrambles it
  unsigned int direction_vectors[32];
};
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

namespace cuda_on_host {

// From one number to the next, the Gray code of the index changes in one bit: the lowest clear bit
// of the index, or the highest bit if none is clear.
template <typename State>
inline auto next_of_sobol(State* state) {
  constexpr int bits = 8 * sizeof(state->x);
  const auto number = state->x;
  const unsigned long long clear = ~static_cast<unsigned long long>(state->i);
  state->x ^= state->direction_vectors[__builtin_ctzll(clear | 1ull << (bits - 1))];
  ++state->i;
  return number;
}

template <typename State, typename Word>
inline void skip_in_sobol(State* state, Word count) {
  state->i += count;
  state->x = state->c;
  Word changes = state->i ^ state->i >> 1;
  for (int bit = 0; changes != 0; ++bit, changes >>= 1) {
    if (changes & 1) state->x ^= state->direction_vectors[bit];
  }
}

template <typename State, typename Word>
inline void start_sobol(State* state, const Word* vectors, Word constant, Word offset) {
  for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit) {
    state->direction_vectors[bit] = vectors[bit];
  }
  state->c = constant;
  state->i = 0;
  skip_in_sobol(state, offset);
}

}  // namespace cuda_on_host

#define HEDDLE_SOBOL(State, Word)                                                   \
  inline Word curand(State* state) { return ::cuda_on_host::next_of_sobol(state); } \
  inline void skipahead(Word count, State* state) { ::cuda_on_host::skip_in_sobol(state, count); }
HEDDLE_SOBOL(curandStateSobol32_t, unsigned int)
HEDDLE_SOBOL(curandStateScrambledSobol32_t, unsigned int)
HEDDLE_SOBOL(curandStateSobol64_t, unsigned long long)
HEDDLE_SOBOL(curandStateScrambledSobol64_t, unsigned long long)
#undef HEDDLE_SOBOL

inline void curand_init(curandDirectionVectors32_t vectors, unsigned int offset,
                        curandStateSobol32_t* state) {
  ::cuda_on_host::start_sobol(state, vectors, 0u, offset);
}
inline void curand_init(curandDirectionVectors32_t vectors, unsigned int constant,
                        unsigned int offset, curandStateScrambledSobol32_t* state) {
  ::cuda_on_host::start_sobol(state, vectors, constant, offset);
}
inline void curand_init(curandDirectionVectors64_t vectors, unsigned long long offset,
                        curandStateSobol64_t* state) {
  ::cuda_on_host::start_sobol(state, vectors, 0ull, offset);
}
inline void curand_init(curandDirectionVectors64_t vectors, unsigned long long constant,
                        unsigned long long offset, curandStateScrambledSobol64_t* state) {
  ::cuda_on_host::start_sobol(state, vectors, constant, offset);
}
