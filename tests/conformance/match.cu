// __match_any_sync and __match_all_sync compare values bit by bit.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

template <typename T>
__global__ void match_any(unsigned mask, unsigned choices, unsigned* results) {
  if (!names(mask, lane_id())) return;
  const T value = static_cast<T>(mix(rank_in_grid()) % choices) * static_cast<T>(3);
  results[rank_in_grid()] = __match_any_sync(mask, value);
}

template <typename T>
void show_match_any() {
  for (const unsigned mask : MASK_SHAPES) {
    for (const unsigned choices : {1u, 3u, 20u}) {
      const buffer<unsigned> results(2 * 64);
      match_any<T><<<2, 64>>>(mask, choices, results);
      show("matches", results);
    }
  }
}

CASE(match_any_of_int) { show_match_any<int>(); }

CASE(match_any_of_unsigned) { show_match_any<unsigned>(); }

CASE(match_any_of_64_bit_integers) {
  show_match_any<long>();
  show_match_any<unsigned long>();
  show_match_any<long long>();
  show_match_any<unsigned long long>();
}

CASE(match_any_of_float_and_double) {
  show_match_any<float>();
  show_match_any<double>();
}

__global__ void match_high_words(unsigned* results) {
  // equal low words and high words that differ in one bit; then the other way round
  const unsigned long long odd = lane_id() % 2 + blockIdx.x;
  results[rank_in_grid() * 2] = __match_any_sync(full_mask, 77ull | odd << 63);
  results[rank_in_grid() * 2 + 1] = __match_any_sync(full_mask, 5ull << 60 | (odd & 1));
}

CASE(match_any_looks_at_both_words) {
  const buffer<unsigned> results(2 * 32 * 2);
  match_high_words<<<2, 32>>>(results);
  show("matches", results);
}

__global__ void match_special_floats(unsigned* results) {
  // NaNs match by their bits; minus zero and zero differ
  const unsigned kinds[4] = {0x7fc00000u, 0x7fc00001u, 0x80000000u, 0u};
  const float value = __uint_as_float(kinds[(lane_id() + blockIdx.x) % 4]);
  results[rank_in_grid()] = __match_any_sync(full_mask, value);
  const unsigned long long wide[4] = {0x7ff8000000000000ull, 0x7ff8000000000001ull,
                                      0x8000000000000000ull, 0ull};
  const double doubled = __longlong_as_double(wide[lane_id() / 8]);
  results[64 + rank_in_grid()] = __match_any_sync(full_mask, doubled);
}

CASE(match_any_of_nan_and_signed_zero) {
  const buffer<unsigned> results(128);
  match_special_floats<<<2, 32>>>(results);
  show("matches", results);
}

template <typename T>
__global__ void match_all(unsigned mask, unsigned* results) {
  // the lanes of warp 0 agree; one lane of warp 1 differs
  if (!names(mask, lane_id())) return;
  T value = static_cast<T>(40 + blockIdx.x);
  if (warp_id() == 1 && lane_id() == 31 - __clz(mask)) value += static_cast<T>(1);
  int agree = -5;
  const unsigned matched = __match_all_sync(mask, value, &agree);
  results[rank_in_grid() * 2] = matched;
  results[rank_in_grid() * 2 + 1] = agree != 0;
}

template <typename T>
void show_match_all() {
  for (const unsigned mask : MASK_SHAPES) {
    const buffer<unsigned> results(2 * 64 * 2);
    match_all<T><<<2, 64>>>(mask, results);
    show("mask and predicate", results);
  }
}

CASE(match_all_of_32_bits) {
  show_match_all<int>();
  show_match_all<unsigned>();
  show_match_all<float>();
}

CASE(match_all_of_64_bits) {
  show_match_all<long long>();
  show_match_all<unsigned long long>();
  show_match_all<double>();
}

__global__ void group_by_key(unsigned* sums) {
  // the lanes with the same key sum their values; the first of them writes the sum
  const unsigned key = mix(rank_in_grid()) % 6;
  const unsigned group = __match_any_sync(full_mask, key);
  const unsigned sum = __reduce_add_sync(group, rank_in_grid() + 1);
  if (lane_id() == __ffs(group) - 1u) sums[(rank_in_grid() / 32) * 6 + key] = sum;
}

CASE(match_any_groups_feed_reductions) {
  const buffer<unsigned> sums(8 * 6, 0);
  group_by_key<<<4, 64>>>(sums);
  show("sums", sums);
}
