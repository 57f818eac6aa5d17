// Bit counts, byte permutations, funnel shifts and integer multiplications.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

// Random numbers of every bit length, not only long ones.
__device__ unsigned word(unsigned seed) { return mix(seed) >> mix(seed + 77) % 32; }
__device__ unsigned long long wide(unsigned seed) { return mix64(seed) >> mix(seed + 99) % 64; }

__global__ void counts(int* results) {
  const unsigned i = rank_in_grid();
  const unsigned x = i < 2 ? 0u - i : word(i);
  const unsigned long long y = i < 2 ? 0ull - i : wide(i);
  int* const row = results + i * 10;
  row[0] = __popc(x);
  row[1] = __clz(static_cast<int>(x));
  row[2] = __ffs(static_cast<int>(x));
  row[3] = static_cast<int>(__brev(x));
  row[4] = __popcll(y);
  row[5] = __clzll(static_cast<long long>(y));
  row[6] = __ffsll(static_cast<long long>(y));
  const unsigned long long reversed = __brevll(y);
  row[7] = static_cast<int>(reversed);
  row[8] = static_cast<int>(reversed >> 32);
  row[9] = __ffs(static_cast<int>(x & 0x80000000u));
}

CASE(bit_counts_and_reversal) {
  const buffer<int> results(4 * 256 * 10);
  counts<<<4, 256>>>(results);
  show("results", results);
}

__global__ void permutations(unsigned* results) {
  // a selector has four nibbles, of which the low three bits count; its upper half is ignored
  const unsigned i = rank_in_grid();
  results[i] = __byte_perm(mix(i), mix(i + 5000), mix(i + 9000) & 0xffff7777u);
}

CASE(byte_permutations) {
  const buffer<unsigned> results(4 * 256);
  permutations<<<4, 256>>>(results);
  show("results", results);
}

__global__ void funnel_shifts(unsigned* results) {
  const unsigned i = rank_in_grid();
  const unsigned low = mix(i), high = mix(i + 3333), shift = i % 70;
  unsigned* const row = results + i * 4;
  row[0] = __funnelshift_l(low, high, shift);
  row[1] = __funnelshift_r(low, high, shift);
  row[2] = __funnelshift_lc(low, high, shift);
  row[3] = __funnelshift_rc(low, high, shift);
}

CASE(funnel_shifts_wrap_or_clamp) {
  const buffer<unsigned> results(4 * 256 * 4);
  funnel_shifts<<<4, 256>>>(results);
  show("results", results);
}

__global__ void products(long long* results) {
  const unsigned i = rank_in_grid();
  const unsigned x = word(i), y = word(i + 7000);
  const unsigned long long wide_x = wide(i), wide_y = wide(i + 7000);
  long long* const row = results + i * 6;
  row[0] = __mul24(static_cast<int>(mix(i)), static_cast<int>(mix(i + 1)));
  row[1] = __umul24(mix(i), mix(i + 1));
  row[2] = __mulhi(static_cast<int>(mix(i)), static_cast<int>(y));
  row[3] = __umulhi(x, y);
  row[4] = __mul64hi(static_cast<long long>(wide_x), static_cast<long long>(mix64(i + 3)));
  row[5] = static_cast<long long>(__umul64hi(wide_x, wide_y));
}

CASE(high_words_and_24_bit_products) {
  const buffer<long long> results(4 * 256 * 6);
  products<<<4, 256>>>(results);
  show("results", results);
}

__global__ void averages(long long* results) {
  const unsigned i = rank_in_grid();
  const unsigned x = mix(i), y = mix(i + 7000);
  long long* const row = results + i * 6;
  row[0] = __hadd(static_cast<int>(x), static_cast<int>(y));
  row[1] = __rhadd(static_cast<int>(x), static_cast<int>(y));
  row[2] = __uhadd(x, y);
  row[3] = __urhadd(x, y);
  row[4] = __sad(static_cast<int>(x), static_cast<int>(y), i);
  row[5] = __usad(x, y, i);
}

CASE(averages_and_absolute_differences) {
  const buffer<long long> results(4 * 256 * 6);
  averages<<<4, 256>>>(results);
  show("results", results);
}

__global__ void extremes(double* results) {
  const unsigned i = rank_in_grid();
  const int a = static_cast<int>(mix(i)), b = static_cast<int>(word(i + 50));
  const long long wide_a = static_cast<long long>(mix64(i)),
                  wide_b = static_cast<long long>(wide(i));
  double* const row = results + i * 12;
  row[0] = min(a, b);
  row[1] = max(a, b);
  row[2] = min(mix(i), word(i));
  row[3] = max(mix(i), word(i));
  row[4] = static_cast<double>(min(wide_a, wide_b));
  row[5] = static_cast<double>(max(wide_a, wide_b));
  row[6] = abs(a | 1);
  row[7] = static_cast<double>(llabs(wide_a | 1));
  row[8] = max(static_cast<float>(a), 3.5f);
  row[9] = min(static_cast<double>(b), 1e6);
  row[10] = max(5u, mix(i) % 10);
  row[11] = static_cast<double>(min(7ull, mix64(i) % 15));
}

CASE(minimum_maximum_absolute_value) {
  const buffer<double> results(4 * 256 * 12);
  extremes<<<4, 256>>>(results);
  show("results", results);
}

__global__ void cached_accesses(const unsigned* source, const uint4* vectors, unsigned* results) {
  const unsigned i = rank_in_grid();
  unsigned sum = __ldg(&source[i]) + __ldcg(&source[i + 1]) * 3 + __ldcs(&source[i + 2]) * 5 +
                 __ldca(&source[i + 3]) * 7;
  const uint4 vector = __ldg(&vectors[i / 4]);
  sum += vector.x + vector.y * 2 + vector.z * 3 + vector.w * 4;
  __stcg(&results[i * 2], sum);
  __stcs(&results[i * 2 + 1], sum ^ i);
}

CASE(cached_loads_and_stores) {
  std::vector<unsigned> values(256 + 8);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = mix(static_cast<unsigned>(i));
  const buffer<unsigned> source(values), results(2 * 256);
  cached_accesses<<<2, 128>>>(
      source, reinterpret_cast<const uint4*>(static_cast<unsigned*>(source)), results);
  show("results", results);
}

__global__ void reinterpretations(unsigned long long* results) {
  const unsigned i = rank_in_grid();
  unsigned long long* const row = results + i * 6;
  row[0] = __float_as_uint(__uint_as_float(mix(i) & 0xff7fffffu));
  row[1] = static_cast<unsigned>(__float_as_int(__int_as_float(static_cast<int>(i))));
  row[2] = static_cast<unsigned long long>(__double_as_longlong(i * 0.125));
  row[3] = static_cast<unsigned>(__double2hiint(i * 1.5 + 1));
  row[4] = static_cast<unsigned>(__double2loint(i / 3.0));
  row[5] = static_cast<unsigned long long>(__double_as_longlong(
      __hiloint2double(static_cast<int>(0x3ff00000 + i), static_cast<int>(mix(i)))));
}

CASE(reinterpreted_bits) {
  const buffer<unsigned long long> results(2 * 128 * 6);
  reinterpretations<<<2, 128>>>(results);
  show("results", results);
}
