// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (Parallel Random
// Numbers: As Easy as 1, 2, 3; SC 2011).
#pragma once
#include <vector_types.h>

struct curandStatePhilox4_32_10 {
  uint4 ctr;           // x and y count blocks of four numbers; z and w are the subsequence
  uint4 output;        // the block for this counter
  uint2 key;           // the seed
  unsigned int STATE;  // how many numbers of the block have been used: 0 to 3
  int boxmuller_flag;  // see cuda_on_host::kept_normal
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

// The block of four numbers for this counter and key.
inline uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long even = 0xd2511f53ull * counter.x;
    const unsigned long long odd = 0xcd9e8d57ull * counter.z;
    counter = uint4{
        static_cast<unsigned int>(odd >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(odd),
        static_cast<unsigned int>(even >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(even)};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

namespace cuda_on_host {

inline unsigned long long joined(unsigned int low, unsigned int high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}

inline void add_subsequences(curandStatePhilox4_32_10* state, unsigned long long count) {
  const unsigned long long sum = joined(state->ctr.z, state->ctr.w) + count;
  state->ctr.z = static_cast<unsigned int>(sum);
  state->ctr.w = static_cast<unsigned int>(sum >> 32);
}

// The last block of a subsequence is followed by the first one of the next.
inline void add_blocks(curandStatePhilox4_32_10* state, unsigned long long count) {
  const unsigned long long sum = joined(state->ctr.x, state->ctr.y) + count;
  state->ctr.x = static_cast<unsigned int>(sum);
  state->ctr.y = static_cast<unsigned int>(sum >> 32);
  if (sum < count) add_subsequences(state, 1);
}

inline unsigned int number_of_block(const uint4& block, unsigned int index) {
  return index == 0 ? block.x : index == 1 ? block.y : index == 2 ? block.z : block.w;
}

inline void go_to_next_block(curandStatePhilox4_32_10* state) {
  add_blocks(state, 1);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

}  // namespace cuda_on_host

inline unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int number = ::cuda_on_host::number_of_block(state->output, state->STATE);
  state->STATE = (state->STATE + 1) % 4;
  if (state->STATE == 0) ::cuda_on_host::go_to_next_block(state);
  return number;
}

// The next four numbers. They come from two blocks if part of the current one has been used.
inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const unsigned int used = state->STATE;
  const uint4 first = state->output;
  ::cuda_on_host::go_to_next_block(state);
  const uint4 second = state->output;
  const auto number = [&](unsigned int index) {
    const unsigned int at = used + index;
    return at < 4 ? ::cuda_on_host::number_of_block(first, at)
                  : ::cuda_on_host::number_of_block(second, at - 4);
  };
  return uint4{number(0), number(1), number(2), number(3)};
}

// Skips `count` numbers.
inline void skipahead(unsigned long long count, curandStatePhilox4_32_10_t* state) {
  const unsigned int within = state->STATE + static_cast<unsigned int>(count % 4);
  ::cuda_on_host::add_blocks(state, count / 4 + within / 4);
  state->STATE = within % 4;
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

// Skips `count` subsequences of 2^66 numbers.
inline void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10_t* state) {
  ::cuda_on_host::add_subsequences(state, count);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  curandStatePhilox4_32_10 fresh{};
  fresh.key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  ::cuda_on_host::add_subsequences(&fresh, subsequence);
  skipahead(offset, &fresh);
  *state = fresh;
}
