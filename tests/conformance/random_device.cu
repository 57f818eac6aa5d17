// cuRAND's device API: the numbers and the uniform distributions of every generator.
#include <curand_kernel.h>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__device__ const unsigned long long SEEDS[] = {0, 1, 1234, 0xdeadbeefcafef00dull, ~0ull};
__device__ const unsigned long long SUBSEQUENCES[] = {0, 1, 2, 77, 4095, 0x123456789ull};
__device__ const unsigned long long OFFSETS[] = {0, 1, 2, 3, 6, 1000, 0xfedcba9876ull};
constexpr unsigned combinations = 5 * 6 * 7;

// Each thread starts one generator: every seed with every subsequence and offset.
template <typename State>
__device__ State started(unsigned i) {
  State state;
  curand_init(SEEDS[i % 5], SUBSEQUENCES[i / 5 % 6], OFFSETS[i / 30], &state);
  return state;
}

template <typename State>
__global__ void bits(unsigned* results) {
  const unsigned i = rank_in_grid();
  if (i >= combinations) return;
  State state = started<State>(i);
  for (unsigned k = 0; k < 8; ++k) results[i * 8 + k] = curand(&state);
}

template <typename State>
void show_bits() {
  const buffer<unsigned> results(combinations * 8);
  bits<State><<<2, 128>>>(results);
  show("results", results);
}
CASE(bits_of_xorwow) { show_bits<curandStateXORWOW_t>(); }
CASE(bits_of_mrg32k3a) { show_bits<curandStateMRG32k3a_t>(); }
CASE(bits_of_philox) { show_bits<curandStatePhilox4_32_10_t>(); }

template <typename State>
__global__ void skips(unsigned* results) {
  const unsigned i = rank_in_grid();
  if (i >= combinations) return;
  State state = started<State>(i);
  unsigned* const row = results + i * 4;
  skipahead(mix64(i) >> i % 64, &state);
  row[0] = curand(&state);
  skipahead(i % 5, &state);
  row[1] = curand(&state);
  skipahead_sequence(i, &state);
  row[2] = curand(&state);
  skipahead(0ull, &state);
  row[3] = curand(&state);
}

template <typename State>
void show_skips() {
  const buffer<unsigned> results(combinations * 4);
  skips<State><<<2, 128>>>(results);
  show("results", results);
}
CASE(skips_of_xorwow) { show_skips<curandStateXORWOW_t>(); }
CASE(skips_of_mrg32k3a) { show_skips<curandStateMRG32k3a_t>(); }
CASE(skips_of_philox) { show_skips<curandStatePhilox4_32_10_t>(); }

__global__ void subsequences_of_mrg(unsigned* results) {
  const unsigned i = rank_in_grid();
  curandStateMRG32k3a_t state;
  curand_init(42, 0, 0, &state);
  skipahead_subsequence(mix(i), &state);
  results[i] = curand(&state);
}
CASE(subsequences_of_mrg32k3a) {
  const buffer<unsigned> results(64);
  subsequences_of_mrg<<<1, 64>>>(results);
  show("results", results);
}

// The distributions consume different amounts of numbers, so each result also depends on the calls
// before it.
template <typename State>
__global__ void uniforms(unsigned long long* results) {
  const unsigned i = rank_in_grid();
  if (i >= combinations) return;
  State state = started<State>(i);
  for (unsigned k = 0; k < 4; ++k) {
    results[i * 8 + 2 * k] = __float_as_uint(curand_uniform(&state));
    results[i * 8 + 2 * k + 1] =
        static_cast<unsigned long long>(__double_as_longlong(curand_uniform_double(&state)));
  }
}

template <typename State>
void show_uniforms() {
  const buffer<unsigned long long> results(combinations * 8);
  uniforms<State><<<2, 128>>>(results);
  show("results", results);
}
CASE(uniform_numbers_of_xorwow) { show_uniforms<curandStateXORWOW_t>(); }
CASE(uniform_numbers_of_mrg32k3a) { show_uniforms<curandStateMRG32k3a_t>(); }
CASE(uniform_numbers_of_philox) { show_uniforms<curandStatePhilox4_32_10_t>(); }

__global__ void fours_of_philox(unsigned long long* results) {
  const unsigned i = rank_in_grid();
  if (i >= combinations) return;
  curandStatePhilox4_32_10_t state = started<curandStatePhilox4_32_10_t>(i);
  unsigned long long* const row = results + i * 10;
  const uint4 numbers = curand4(&state);
  row[0] = numbers.x;
  row[1] = numbers.y;
  row[2] = numbers.z;
  row[3] = numbers.w;
  const float4 uniform = curand_uniform4(&state);
  row[4] = __float_as_uint(uniform.x);
  row[5] = __float_as_uint(uniform.y);
  row[6] = __float_as_uint(uniform.z);
  row[7] = __float_as_uint(uniform.w);
  const double2 doubles = curand_uniform2_double(&state);
  row[8] = static_cast<unsigned long long>(__double_as_longlong(doubles.x));
  row[9] = static_cast<unsigned long long>(__double_as_longlong(doubles.y));
}
CASE(four_numbers_of_philox_at_once) {
  const buffer<unsigned long long> results(combinations * 10);
  fours_of_philox<<<2, 128>>>(results);
  show("results", results);
}

// Any vectors make a sequence; these are not Sobol's.
template <typename Word>
__device__ void make_vectors(Word* vectors) {
  for (unsigned k = 0; k < 8 * sizeof(Word); ++k) vectors[k] = static_cast<Word>(mix64(k + 1));
}

template <typename Word, typename State, typename Scrambled>
__global__ void sobol(unsigned long long* results) {
  const unsigned i = rank_in_grid();
  Word vectors[8 * sizeof(Word)];
  make_vectors(vectors);
  const Word offset = i < 4 ? static_cast<Word>(0) - i : static_cast<Word>(mix64(i) >> i % 64);
  State plain;
  Scrambled scrambled;
  curand_init(vectors, offset, &plain);
  curand_init(vectors, static_cast<Word>(mix64(i + 500)), offset, &scrambled);
  unsigned long long* const row = results + i * 10;
  for (unsigned k = 0; k < 3; ++k) {
    row[2 * k] = curand(&plain);
    row[2 * k + 1] = curand(&scrambled);
  }
  skipahead(static_cast<Word>(i * 37), &plain);
  row[6] = curand(&plain);
  skipahead(static_cast<Word>(mix64(i)), &scrambled);
  row[7] = curand(&scrambled);
  row[8] = __float_as_uint(curand_uniform(&plain));
  row[9] = static_cast<unsigned long long>(__double_as_longlong(curand_uniform_double(&plain)));
}
CASE(sobol_numbers_of_32_bits) {
  const buffer<unsigned long long> results(128 * 10);
  sobol<unsigned, curandStateSobol32_t, curandStateScrambledSobol32_t><<<1, 128>>>(results);
  show("results", results);
}
CASE(sobol_numbers_of_64_bits) {
  const buffer<unsigned long long> results(128 * 10);
  sobol<unsigned long long, curandStateSobol64_t, curandStateScrambledSobol64_t>
      <<<1, 128>>>(results);
  show("results", results);
}

// States in global memory, initialised by one kernel and used by others.
__global__ void start_all(curandState* states) {
  const unsigned i = rank_in_grid();
  curand_init(99, i, 0, &states[i]);
}
__global__ void draw_from_all(curandState* states, unsigned* sums) {
  const unsigned i = rank_in_grid();
  curandState mine = states[i];
  for (unsigned k = 0; k < 10; ++k) sums[i] += curand(&mine) >> 8;
  states[i] = mine;
  sums[i] ^= curand(&states[i]);
}
CASE(states_in_global_memory_continue_in_the_next_kernel) {
  const buffer<curandState> states(4 * 64);
  const buffer<unsigned> sums(4 * 64, 0);
  start_all<<<4, 64>>>(states);
  for (int round = 0; round < 3; ++round) draw_from_all<<<4, 64>>>(states, sums);
  show("sums", sums);
}

// Programs print the sizes of states, or copy states as bytes.
CASE(sizes_of_states) {
  std::printf("%zu %zu %zu %zu %zu\n", sizeof(curandStateXORWOW_t), sizeof(curandStateMRG32k3a_t),
              sizeof(curandStatePhilox4_32_10_t), sizeof(curandStateSobol32_t),
              sizeof(curandStateSobol64_t));
}
