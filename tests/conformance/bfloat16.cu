// __nv_bfloat16 and __nv_bfloat162: every conversion, and arithmetic over many patterns.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "narrow.cuh"

using namespace conformance;

using narrow = __nv_bfloat16;
using pair = __nv_bfloat162;

__device__ narrow from_bits(unsigned bits) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}
__device__ unsigned short bits_of(narrow value) { return bfloat_bits(value); }
// Mostly patterns of moderate size, so that sums and products do not all overflow.
__device__ narrow sample(unsigned seed) {
  const unsigned bits = mix(seed);
  return from_bits(bits % 4 ? (bits >> 16 & 0x87ffu) + 0x3c00u : bits >> 16);
}

__global__ void widen_all(float* results) {
  for (unsigned bits = rank_in_grid(); bits < 65536; bits += grid_size())
    results[bits] = __bfloat162float(from_bits(bits));
}

CASE(bfloat16_to_float_of_all_patterns) {
  const buffer<float> results(65536);
  widen_all<<<32, 256>>>(results);
  show("floats", results);
}

__global__ void narrow_floats(unsigned short* results) {
  // each pattern's float, the floats next to it, the midpoint to the next pattern, a random float
  for (unsigned bits = rank_in_grid(); bits < 65536; bits += grid_size()) {
    const unsigned base = __float_as_uint(__bfloat162float(from_bits(bits)));
    const unsigned tries[6] = {base,           base + 1,           base - 1,
                               base + 0x8000u, base + 0x8000u + 1, mix(bits)};
    for (int i = 0; i < 6; ++i) {
      const float value = __uint_as_float(tries[i]);
      unsigned short* const row = results + (bits * 6 + i) * 4;
      row[0] = bits_of(__float2bfloat16_rn(value));
      row[1] = bits_of(__float2bfloat16_rz(value));
      row[2] = bits_of(__float2bfloat16_ru(value));
      row[3] = bits_of(__float2bfloat16_rd(value));
    }
  }
}

CASE(bfloat16_from_float_in_four_rounding_modes) {
  const buffer<unsigned short> results(65536 * 6 * 4);
  narrow_floats<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void narrow_doubles(unsigned short* results) {
  // a double just above or below a midpoint must not be rounded twice
  for (unsigned bits = rank_in_grid(); bits < 65536; bits += grid_size()) {
    const float base = __bfloat162float(from_bits(bits));
    const double middle = __uint_as_float(__float_as_uint(base) + 0x8000u);
    results[bits * 4] = bits_of(__double2bfloat16(middle));
    results[bits * 4 + 1] =
        bits_of(__double2bfloat16(__longlong_as_double(__double_as_longlong(middle) + 1)));
    results[bits * 4 + 2] =
        bits_of(__double2bfloat16(__longlong_as_double(__double_as_longlong(middle) - 1)));
    results[bits * 4 + 3] = bits_of(__double2bfloat16(base));
  }
}

CASE(bfloat16_from_double_is_rounded_once) {
  const buffer<unsigned short> results(65536 * 4);
  narrow_doubles<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void arithmetic(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 40000; i += grid_size()) {
    const narrow a = sample(3 * i), b = sample(3 * i + 1);
    unsigned short* const row = results + i * 4;
    row[0] = bits_of(__hadd(a, b));
    row[1] = bits_of(__hsub(a, b));
    row[2] = bits_of(__hmul(a, b));
    row[3] = bits_of(__hneg(a));
  }
}

CASE(bfloat16_add_subtract_multiply) {
  const buffer<unsigned short> results(40000 * 4);
  arithmetic<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void fused(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 60000; i += grid_size())
    results[i] = bits_of(__hfma(sample(3 * i), sample(3 * i + 1), sample(3 * i + 2)));
}

CASE(bfloat16_fused_multiply_add_is_rounded_once) {
  const buffer<unsigned short> results(60000);
  fused<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void divide_and_root(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 20000; i += grid_size()) {
    const narrow a = from_bits(mix(2 * i) % 0x1000 + 0x3800),
                 b = from_bits((mix(2 * i + 1) & 0x87ff) + 0x3c00);
    results[i * 2] = bits_of(__hdiv(a, b));
    results[i * 2 + 1] = bits_of(hsqrt(__habs(a)));
  }
}

CASE(bfloat16_divide_and_square_root) {
  const buffer<unsigned short> results(2 * 20000);
  divide_and_root<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void comparisons(unsigned* results, unsigned short* extremes) {
  constexpr unsigned short specials[special_count] = BFLOAT_SPECIALS;
  for (unsigned i = rank_in_grid(); i < special_count * special_count; i += grid_size()) {
    const narrow a = from_bits(specials[i / special_count]),
                 b = from_bits(specials[i % special_count]);
    unsigned seen = 0;
    seen |= __heq(a, b) << 0 | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3;
    seen |= __hgt(a, b) << 4 | __hge(a, b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7;
    seen |= __hltu(a, b) << 8 | __hleu(a, b) << 9 | __hgtu(a, b) << 10 | __hgeu(a, b) << 11;
    seen |= __hisnan(a) << 12 | (__hisinf(a) != 0) << 13;
    seen |= (a == b) << 14 | (a != b) << 15 | (a < b) << 16 | (a <= b) << 17 | (a > b) << 18 |
            (a >= b) << 19;
    results[i] = seen;
    extremes[i * 5] = bits_of(__hmin(a, b));
    extremes[i * 5 + 1] = bits_of(__hmax(a, b));
    extremes[i * 5 + 2] = bits_of(__hmin_nan(a, b));
    extremes[i * 5 + 3] = bits_of(__hmax_nan(a, b));
    extremes[i * 5 + 4] = bits_of(__habs(a));
  }
}

CASE(bfloat16_comparisons_with_nan_and_zeros) {
  const buffer<unsigned> results(special_count * special_count);
  const buffer<unsigned short> extremes(special_count * special_count * 5);
  comparisons<<<2, 128>>>(results, extremes);
  show("comparisons", results);
  show("extremes", extremes);
}

__global__ void to_integers(long long* results) {
  for (unsigned bits = rank_in_grid(); bits < 65536; bits += grid_size()) {
    const narrow value = from_bits(bits);
    long long* const row = results + bits * 12;
    row[0] = __bfloat162int_rn(value);
    row[1] = __bfloat162int_rz(value);
    row[2] = __bfloat162int_ru(value);
    row[3] = __bfloat162int_rd(value);
    row[4] = __bfloat162uint_rn(value);
    row[5] = __bfloat162uint_rz(value);
    row[6] = __bfloat162short_rn(value);
    row[7] = __bfloat162ushort_rz(value);
    row[8] = __bfloat162ll_rd(value);
    row[9] = static_cast<long long>(__bfloat162ull_ru(value));
    row[10] = __bfloat162short_rd(value);
    row[11] = __bfloat162uint_ru(value);
  }
}

CASE(bfloat16_to_integers_saturates) {
  const buffer<long long> results(65536 * 12);
  to_integers<<<32, 256>>>(results);
  show("integers", results);
}

__global__ void from_integers(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 20000; i += grid_size()) {
    const unsigned long long wide = mix64(i) >> i % 64;
    const unsigned word = static_cast<unsigned>(wide);
    unsigned short* const row = results + i * 10;
    row[0] = bits_of(__int2bfloat16_rn(static_cast<int>(word)));
    row[1] = bits_of(__int2bfloat16_rz(static_cast<int>(word)));
    row[2] = bits_of(__int2bfloat16_ru(static_cast<int>(word)));
    row[3] = bits_of(__int2bfloat16_rd(static_cast<int>(word)));
    row[4] = bits_of(__uint2bfloat16_rn(word));
    row[5] = bits_of(__ll2bfloat16_rn(static_cast<long long>(wide)));
    row[6] = bits_of(__ull2bfloat16_rn(wide));
    row[7] = bits_of(__short2bfloat16_rn(static_cast<short>(word)));
    row[8] = bits_of(__ushort2bfloat16_rn(static_cast<unsigned short>(word)));
    row[9] = bits_of(__ull2bfloat16_rz(wide));
  }
}

CASE(bfloat16_from_integers) {
  const buffer<unsigned short> results(20000 * 10);
  from_integers<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void whole_numbers(unsigned short* results) {
  for (unsigned bits = rank_in_grid(); bits < 65536; bits += grid_size()) {
    const narrow value = from_bits(bits);
    results[bits * 4] = bits_of(hfloor(value));
    results[bits * 4 + 1] = bits_of(hceil(value));
    results[bits * 4 + 2] = bits_of(htrunc(value));
    results[bits * 4 + 3] = bits_of(hrint(value));
  }
}

CASE(bfloat16_floor_ceil_trunc_rint) {
  const buffer<unsigned short> results(65536 * 4);
  whole_numbers<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void saturating(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 20000; i += grid_size()) {
    const narrow a = sample(3 * i), b = sample(3 * i + 1), c = sample(3 * i + 2);
    unsigned short* const row = results + i * 5;
    row[0] = bits_of(__hadd_sat(a, b));
    row[1] = bits_of(__hsub_sat(a, b));
    row[2] = bits_of(__hmul_sat(a, b));
    row[3] = bits_of(__hfma_sat(a, b, c));
    row[4] = bits_of(__hfma_relu(a, b, c));
  }
}

CASE(bfloat16_saturating_arithmetic) {
  const buffer<unsigned short> results(20000 * 5);
  saturating<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void pairs(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 10000; i += grid_size()) {
    const pair a = __halves2bfloat162(sample(4 * i), sample(4 * i + 1));
    const pair b = __halves2bfloat162(sample(4 * i + 2), sample(4 * i + 3));
    const pair got[9] = {__hadd2(a, b), __hsub2(a, b), __hmul2(a, b), __hfma2(a, b, a), __hneg2(a),
                         __habs2(b),    __hmin2(a, b), __hmax2(a, b), __heq2(a, b)};
    unsigned short* const row = results + i * 24;
    for (int k = 0; k < 9; ++k) {
      row[2 * k] = bits_of(__low2bfloat16(got[k]));
      row[2 * k + 1] = bits_of(__high2bfloat16(got[k]));
    }
    row[18] = bits_of(__low2bfloat16(__lows2bfloat162(a, b)));
    row[19] = bits_of(__high2bfloat16(__lows2bfloat162(a, b)));
    row[20] = bits_of(__low2bfloat16(__highs2bfloat162(a, b)));
    row[21] = bits_of(__high2bfloat16(__highs2bfloat162(a, b)));
    row[22] = __hbeq2(a, a) + 2 * __hblt2(a, b) + 4 * __hbge2(a, b) + 8 * __hbne2(a, b);
    row[23] = bits_of(__low2bfloat16(__lowhigh2highlow(a)));
  }
}

CASE(bfloat16_pairs) {
  const buffer<unsigned short> results(10000 * 24);
  pairs<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void operators(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 5000; i += grid_size()) {
    const narrow a = sample(2 * i), b = sample(2 * i + 1);
    unsigned short* const row = results + i * 9;
    row[0] = bits_of(a + b);
    row[1] = bits_of(a - b);
    row[2] = bits_of(a * b);
    row[3] = bits_of(-a);
    narrow sum = a;
    sum += b;
    row[4] = bits_of(sum);
    narrow product = a;
    product *= b;
    row[5] = bits_of(product);
    narrow counted = b;
    ++counted;
    row[6] = bits_of(counted);
    row[7] = bits_of(narrow(static_cast<float>(static_cast<int>(i) - 2500) / 8));
    row[8] = bits_of(narrow(static_cast<int>(i * 37) - 9000));
  }
}

CASE(bfloat16_operators_and_constructors) {
  const buffer<unsigned short> results(5000 * 9);
  operators<<<32, 256>>>(results);
  show("bits", results);
}
