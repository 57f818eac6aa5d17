// SIMD functions on the bytes and halves of a word, DPX functions and dot products.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

// Words whose bytes and halves are random, equal to those of the other word, or extreme.
__device__ unsigned word(unsigned seed) {
  const unsigned extremes[] = {0x00000000u, 0xffffffffu, 0x80808080u, 0x7f7f7f7fu,
                               0x80008000u, 0x7fff7fffu, 0x0001ffffu, 0xff01807fu};
  const unsigned bits = mix(seed);
  return bits % 3 ? bits : extremes[mix(seed + 1) % 8];
}
__device__ unsigned near_word(unsigned other, unsigned seed) {
  return mix(seed + 2) % 4 ? word(seed) : other ^ (mix(seed) & 0x01000180u);
}

constexpr unsigned word_count = 20000;

#define FUNCTIONS_OF_WORDS(count)                                                                 \
  __vabsdiffs##count(a, b), __vabsdiffu##count(a, b), __vadd##count(a, b), __vaddss##count(a, b), \
      __vaddus##count(a, b), __vavgs##count(a, b), __vavgu##count(a, b), __vhaddu##count(a, b),   \
      __vmaxs##count(a, b), __vmaxu##count(a, b), __vmins##count(a, b), __vminu##count(a, b),     \
      __vsads##count(a, b), __vsadu##count(a, b), __vsub##count(a, b), __vsubss##count(a, b),     \
      __vsubus##count(a, b), __vabs##count(a), __vabsss##count(a), __vneg##count(a),              \
      __vnegss##count(a)
constexpr int function_count = 21;

__global__ void arithmetic_on_halves(unsigned* results) {
  for (unsigned i = rank_in_grid(); i < word_count; i += grid_size()) {
    const unsigned a = word(2 * i), b = near_word(a, 2 * i + 1);
    const unsigned row[function_count] = {FUNCTIONS_OF_WORDS(2)};
    for (int k = 0; k < function_count; ++k) results[i * function_count + k] = row[k];
  }
}

CASE(arithmetic_on_two_halves) {
  const buffer<unsigned> results(word_count * function_count);
  arithmetic_on_halves<<<32, 256>>>(results);
  show("words", results);
}

__global__ void arithmetic_on_bytes(unsigned* results) {
  for (unsigned i = rank_in_grid(); i < word_count; i += grid_size()) {
    const unsigned a = word(2 * i), b = near_word(a, 2 * i + 1);
    const unsigned row[function_count] = {FUNCTIONS_OF_WORDS(4)};
    for (int k = 0; k < function_count; ++k) results[i * function_count + k] = row[k];
  }
}

CASE(arithmetic_on_four_bytes) {
  const buffer<unsigned> results(word_count * function_count);
  arithmetic_on_bytes<<<32, 256>>>(results);
  show("words", results);
}

#define COMPARISONS(name, count)                                                                \
  name##eq##count(a, b), name##ne##count(a, b), name##ges##count(a, b), name##geu##count(a, b), \
      name##gts##count(a, b), name##gtu##count(a, b), name##les##count(a, b),                   \
      name##leu##count(a, b), name##lts##count(a, b), name##ltu##count(a, b)
constexpr int comparison_count = 40;

__global__ void comparisons(unsigned* results) {
  for (unsigned i = rank_in_grid(); i < word_count; i += grid_size()) {
    const unsigned a = word(2 * i), b = near_word(a, 2 * i + 1);
    const unsigned row[comparison_count] = {COMPARISONS(__vcmp, 2), COMPARISONS(__vcmp, 4),
                                            COMPARISONS(__vset, 2), COMPARISONS(__vset, 4)};
    for (int k = 0; k < comparison_count; ++k) results[i * comparison_count + k] = row[k];
  }
}

CASE(comparisons_of_halves_and_bytes) {
  const buffer<unsigned> results(word_count * comparison_count);
  comparisons<<<32, 256>>>(results);
  show("words", results);
}

#define OF_THREE(name)                                                        \
  static_cast<unsigned>(name##_s32(s, t, u)), name##_u32(a, b, c),            \
      static_cast<unsigned>(name##_s32_relu(s, t, u)), name##_s16x2(a, b, c), \
      name##_u16x2(a, b, c), name##_s16x2_relu(a, b, c)
constexpr int three_count = 28;

__global__ void of_three(unsigned* results) {
  for (unsigned i = rank_in_grid(); i < word_count; i += grid_size()) {
    const unsigned a = word(3 * i), b = near_word(a, 3 * i + 1), c = near_word(a + b, 3 * i + 2);
    const int s = static_cast<int>(a), t = static_cast<int>(b), u = static_cast<int>(c);
    const unsigned row[three_count] = {OF_THREE(__viaddmax),
                                       OF_THREE(__viaddmin),
                                       OF_THREE(__vimax3),
                                       OF_THREE(__vimin3),
                                       static_cast<unsigned>(__vimax_s32_relu(s, t)),
                                       static_cast<unsigned>(__vimin_s32_relu(s, t)),
                                       __vimax_s16x2_relu(a, b),
                                       __vimin_s16x2_relu(a, b)};
    for (int k = 0; k < three_count; ++k) results[i * three_count + k] = row[k];
  }
}

CASE(dpx_sums_and_extremes) {
  const buffer<unsigned> results(word_count * three_count);
  of_three<<<32, 256>>>(results);
  show("words", results);
}

__global__ void winners(unsigned* results) {
  for (unsigned i = rank_in_grid(); i < word_count; i += grid_size()) {
    const unsigned a = word(2 * i), b = near_word(a, 2 * i + 1);
    const int s = static_cast<int>(a), t = static_cast<int>(b);
    bool first[4], high[4], low[4];
    unsigned* const row = results + i * 9;
    row[0] = static_cast<unsigned>(__vibmax_s32(s, t, &first[0]));
    row[1] = static_cast<unsigned>(__vibmin_s32(s, t, &first[1]));
    row[2] = __vibmax_u32(a, b, &first[2]);
    row[3] = __vibmin_u32(a, b, &first[3]);
    row[4] = __vibmax_s16x2(a, b, &high[0], &low[0]);
    row[5] = __vibmin_s16x2(a, b, &high[1], &low[1]);
    row[6] = __vibmax_u16x2(a, b, &high[2], &low[2]);
    row[7] = __vibmin_u16x2(a, b, &high[3], &low[3]);
    row[8] = 0;
    for (int k = 0; k < 4; ++k) row[8] = row[8] << 3 | first[k] << 2 | high[k] << 1 | low[k];
  }
}

CASE(dpx_extremes_and_which_operand_they_are) {
  const buffer<unsigned> results(word_count * 9);
  winners<<<32, 256>>>(results);
  show("words", results);
}

// The four parts of a word, as CUDA's vectors.
__device__ char4 signed_bytes(unsigned x) {
  return make_char4(static_cast<signed char>(x), static_cast<signed char>(x >> 8),
                    static_cast<signed char>(x >> 16), static_cast<signed char>(x >> 24));
}
__device__ uchar4 unsigned_bytes(unsigned x) {
  return make_uchar4(static_cast<unsigned char>(x), static_cast<unsigned char>(x >> 8),
                     static_cast<unsigned char>(x >> 16), static_cast<unsigned char>(x >> 24));
}
__device__ short2 signed_halves(unsigned x) {
  return make_short2(static_cast<short>(x), static_cast<short>(x >> 16));
}
__device__ ushort2 unsigned_halves(unsigned x) {
  return make_ushort2(static_cast<unsigned short>(x), static_cast<unsigned short>(x >> 16));
}

constexpr int product_count = 12;

__global__ void dot_products(unsigned* results) {
  for (unsigned i = rank_in_grid(); i < word_count; i += grid_size()) {
    const unsigned a = word(3 * i), b = word(3 * i + 1), c = word(3 * i + 2);
    const int s = static_cast<int>(a), t = static_cast<int>(b), u = static_cast<int>(c);
    const unsigned row[product_count] = {
        static_cast<unsigned>(__dp4a(s, t, u)),
        __dp4a(a, b, c),
        static_cast<unsigned>(__dp4a(signed_bytes(b), signed_bytes(c), s)),
        __dp4a(unsigned_bytes(b), unsigned_bytes(c), a),
        static_cast<unsigned>(__dp2a_lo(s, t, u)),
        __dp2a_lo(a, b, c),
        static_cast<unsigned>(__dp2a_lo(signed_halves(b), signed_bytes(c), s)),
        __dp2a_lo(unsigned_halves(b), unsigned_bytes(c), a),
        static_cast<unsigned>(__dp2a_hi(s, t, u)),
        __dp2a_hi(a, b, c),
        static_cast<unsigned>(__dp2a_hi(signed_halves(b), signed_bytes(c), s)),
        __dp2a_hi(unsigned_halves(b), unsigned_bytes(c), a)};
    for (int k = 0; k < product_count; ++k) results[i * product_count + k] = row[k];
  }
}

CASE(dot_products_of_bytes_and_halves) {
  const buffer<unsigned> results(word_count * product_count);
  dot_products<<<32, 256>>>(results);
  show("words", results);
}

__global__ void byte_orders(unsigned long long* results) {
  for (unsigned i = rank_in_grid(); i < 1000; i += grid_size()) {
    const unsigned long long wide = mix64(i);
    results[i * 3] = __nv_bswap16(static_cast<unsigned short>(wide));
    results[i * 3 + 1] = __nv_bswap32(static_cast<unsigned>(wide));
    results[i * 3 + 2] = __nv_bswap64(wide);
  }
}

CASE(bytes_in_reverse_order) {
  const buffer<unsigned long long> results(1000 * 3);
  byte_orders<<<4, 256>>>(results);
  show("words", results);
}
