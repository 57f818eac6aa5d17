// Inline PTX: rounding modes, comparisons, conversions, and types of 16 and 8 bits.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__device__ unsigned word(unsigned seed) { return mix(seed) >> mix(seed + 77) % 32; }
__device__ unsigned long long wide(unsigned seed) { return mix64(seed) >> mix(seed + 99) % 64; }

// Each macro runs one instruction and stores its result in the next place of the thread's row.
#define RUN_ONE(text, to, from)                     \
  do {                                              \
    asm(text " %0, %1;" : "=" to(*next) : from(a)); \
    ++next;                                         \
  } while (0)
#define RUN_TWO(text, to, from)                                  \
  do {                                                           \
    asm(text " %0, %1, %2;" : "=" to(*next) : from(a), from(b)); \
    ++next;                                                      \
  } while (0)
#define RUN_THREE(text, to, from)                                             \
  do {                                                                        \
    asm(text " %0, %1, %2, %3;" : "=" to(*next) : from(a), from(b), from(c)); \
    ++next;                                                                   \
  } while (0)

#define COMPARE(name, type, constraint)                                           \
  asm("{ .reg .pred p; setp." name "." type " p, %1, %2; selp.u32 %0, 1, 0, p; }" \
      : "=r"(bit)                                                                 \
      : constraint(a), constraint(b));                                            \
  found = found << 1 | bit

__device__ float sample(unsigned seed) {
  const unsigned kind = mix(seed) % 8;
  const unsigned sign = mix(seed + 1) << 31;
  return __uint_as_float(kind == 0   ? sign
                         : kind == 1 ? sign | 0x7f800000u
                         : kind == 2 ? 0x7fc00000u
                         : kind == 3 ? sign | (mix(seed + 2) & 0x007fffffu)
                         : kind == 4 ? sign | 0x3f800000u
                                     : mix(seed + 3) & 0xbfffffffu);
}

__global__ void comparisons(unsigned* results) {
  const unsigned i = rank_in_grid();
  unsigned found = 0, bit;
  {
    const unsigned a = mix(i) % 3 - 1, b = mix(i + 50) % 3 - 1;
    COMPARE("lt", "s32", "r");
    COMPARE("le", "u32", "r");
    COMPARE("gt", "s32", "r");
    COMPARE("hs", "u32", "r");
    COMPARE("eq", "b32", "r");
    COMPARE("ne", "b32", "r");
  }
  {
    const float a = sample(i), b = mix(i) % 4 == 0 ? a : sample(i + 999);
    COMPARE("eq", "f32", "f");
    COMPARE("ne", "f32", "f");
    COMPARE("lt", "f32", "f");
    COMPARE("le", "f32", "f");
    COMPARE("gt", "f32", "f");
    COMPARE("ge", "f32", "f");
    COMPARE("equ", "f32", "f");
    COMPARE("neu", "f32", "f");
    COMPARE("ltu", "f32", "f");
    COMPARE("leu", "f32", "f");
    COMPARE("gtu", "f32", "f");
    COMPARE("geu", "f32", "f");
    COMPARE("num", "f32", "f");
    COMPARE("nan", "f32", "f");
    COMPARE("lt.ftz", "f32", "f");
    COMPARE("eq.ftz", "f32", "f");
  }
  unsigned* const row = results + i * 8;
  const int x = int(mix(i) % 5), y = int(mix(i + 9) % 5);
  row[0] = found;
  asm("{ .reg .pred p, q, r; setp.eq.s32 r, %3, 1; setp.lt.and.s32 p|q, %2, %3, !r; "
      "selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
      : "=r"(row[1]), "=r"(row[2])
      : "r"(x), "r"(y));
  asm("{ .reg .pred p, q; setp.gt.s32 q, %1, 2; setp.eq.xor.s32 p, %1, %2, q; "
      "@p mov.u32 %0, 7; @!p mov.u32 %0, 9; }"
      : "=r"(row[3])
      : "r"(x), "r"(y));
  asm("set.le.u32.s32 %0, %1, %2;" : "=r"(row[4]) : "r"(x), "r"(y));
  asm("set.ltu.f32.f32 %0, %1, %2;" : "=r"(row[5]) : "f"(sample(i)), "f"(sample(i + 999)));
  asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(row[6]) : "r"(5), "r"(6), "r"(x - 2));
  asm("slct.u32.f32 %0, %1, %2, %3;" : "=r"(row[7]) : "r"(5), "r"(6), "f"(sample(i)));
}

CASE(comparisons_and_selections) {
  const buffer<unsigned> results(512 * 8);
  comparisons<<<4, 128>>>(results);
  show("results", results);
}

constexpr int row_of_floats = 40;

// Only results that IEEE 754 or PTX defines to the last bit.
__global__ void floats(float* results) {
  const unsigned i = rank_in_grid();
  const float a = sample(i), b = sample(i + 5000), c = sample(i + 9000);
  float* const row = results + i * row_of_floats;
  float* next = row;
  RUN_TWO("add.rn.f32", "f", "f");
  RUN_TWO("add.rz.f32", "f", "f");
  RUN_TWO("sub.rm.f32", "f", "f");
  RUN_TWO("sub.rp.ftz.f32", "f", "f");
  RUN_TWO("add.sat.f32", "f", "f");
  RUN_TWO("mul.rn.f32", "f", "f");
  RUN_TWO("mul.rz.f32", "f", "f");
  RUN_TWO("mul.rp.f32", "f", "f");
  RUN_TWO("mul.ftz.sat.f32", "f", "f");
  RUN_THREE("fma.rn.f32", "f", "f");
  RUN_THREE("fma.rz.f32", "f", "f");
  RUN_THREE("fma.rm.ftz.f32", "f", "f");
  RUN_THREE("fma.rp.sat.f32", "f", "f");
  RUN_TWO("div.rn.f32", "f", "f");
  RUN_TWO("div.rz.ftz.f32", "f", "f");
  RUN_ONE("rcp.rn.f32", "f", "f");
  RUN_ONE("rcp.rp.f32", "f", "f");
  RUN_ONE("sqrt.rn.f32", "f", "f");
  RUN_ONE("sqrt.rm.f32", "f", "f");
  RUN_ONE("abs.f32", "f", "f");
  RUN_ONE("neg.ftz.f32", "f", "f");
  RUN_TWO("min.f32", "f", "f");
  RUN_TWO("max.f32", "f", "f");
  RUN_TWO("min.NaN.f32", "f", "f");
  RUN_TWO("max.ftz.f32", "f", "f");
  RUN_TWO("min.xorsign.abs.f32", "f", "f");
  RUN_TWO("copysign.f32", "f", "f");
  RUN_ONE("cvt.rni.f32.f32", "f", "f");
  RUN_ONE("cvt.rzi.f32.f32", "f", "f");
  RUN_ONE("cvt.rmi.f32.f32", "f", "f");
  RUN_ONE("cvt.sat.f32.f32", "f", "f");
  RUN_ONE("cvt.ftz.f32.f32", "f", "f");
  while (next != row + row_of_floats) *next++ = 0;
}

CASE(floats_in_every_rounding_mode) {
  const buffer<float> results(512 * row_of_floats);
  floats<<<4, 128>>>(results);
  show("results", results);
}

__global__ void properties(unsigned* results) {
  const unsigned i = rank_in_grid();
  const float a = sample(i);
  unsigned found = 0, bit;
#define TEST_PROPERTY(name)                                                                      \
  asm("{ .reg .pred p; testp." name ".f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(bit) : "f"(a)); \
  found = found << 1 | bit
  TEST_PROPERTY("finite");
  TEST_PROPERTY("infinite");
  TEST_PROPERTY("number");
  TEST_PROPERTY("notanumber");
  TEST_PROPERTY("normal");
  TEST_PROPERTY("subnormal");
  results[i] = found;
}

CASE(properties_of_numbers) {
  const buffer<unsigned> results(256);
  properties<<<2, 128>>>(results);
  show("results", results);
}

constexpr int row_of_conversions = 40;

__global__ void conversions(long long* results) {
  const unsigned i = rank_in_grid();
  const int s = int(word(i)) * (mix(i) % 2 ? 1 : -1);
  const unsigned u = word(i + 400);
  const long long l = static_cast<long long>(wide(i)) * (mix(i + 3) % 2 ? 1 : -1);
  const float f = mix(i) % 3 == 0 ? sample(i) : float(s) / 16;
  const double d = mix(i) % 5 == 0 ? double(sample(i)) : double(l) / 64;
  long long* const row = results + i * row_of_conversions;
  int k = 0;
#define TO_WORD(text, constraint, value)                  \
  do {                                                    \
    int got;                                              \
    asm(text " %0, %1;" : "=r"(got) : constraint(value)); \
    row[k++] = got;                                       \
  } while (0)
#define TO_WIDE(text, constraint, value)                     \
  do {                                                       \
    asm(text " %0, %1;" : "=l"(row[k]) : constraint(value)); \
    ++k;                                                     \
  } while (0)
#define TO_FLOAT(text, constraint, value)                                        \
  do {                                                                           \
    float got;                                                                   \
    asm(text " %0, %1;" : "=f"(got) : constraint(value));                        \
    row[k++] = got != got ? -1ll : static_cast<long long>(__float_as_uint(got)); \
  } while (0)
#define TO_DOUBLE(text, constraint, value)                  \
  do {                                                      \
    double got;                                             \
    asm(text " %0, %1;" : "=d"(got) : constraint(value));   \
    row[k++] = got != got ? -1 : __double_as_longlong(got); \
  } while (0)
#define TO_SHORT(text, constraint, value)                 \
  do {                                                    \
    unsigned short got;                                   \
    asm(text " %0, %1;" : "=h"(got) : constraint(value)); \
    row[k++] = got;                                       \
  } while (0)
  TO_WORD("cvt.s8.s32", "r", s);
  TO_WORD("cvt.u8.s32", "r", s);
  TO_WORD("cvt.sat.s8.s32", "r", s);
  TO_WORD("cvt.sat.u8.s32", "r", s);
  TO_WORD("cvt.sat.u16.s32", "r", s);
  TO_WORD("cvt.s16.u32", "r", u);
  TO_WORD("cvt.sat.s32.u32", "r", u);
  TO_WORD("cvt.sat.s32.s64", "l", l);
  TO_WORD("cvt.sat.u32.s64", "l", l);
  TO_WIDE("cvt.s64.s32", "r", s);
  TO_WIDE("cvt.u64.u32", "r", u);
  TO_WORD("cvt.rni.s32.f32", "f", f);
  TO_WORD("cvt.rzi.s32.f32", "f", f);
  TO_WORD("cvt.rmi.s32.f32", "f", f);
  TO_WORD("cvt.rpi.u32.f32", "f", f);
  TO_WORD("cvt.rzi.u32.f64", "d", d);
  TO_WIDE("cvt.rni.s64.f64", "d", d);
  TO_WIDE("cvt.rzi.u64.f32", "f", f);
  TO_FLOAT("cvt.rn.f32.s32", "r", s);
  TO_FLOAT("cvt.rz.f32.s32", "r", s);
  TO_FLOAT("cvt.rm.f32.s64", "l", l);
  TO_FLOAT("cvt.rp.f32.u32", "r", u);
  TO_FLOAT("cvt.rn.f32.f64", "d", d);
  TO_FLOAT("cvt.rz.f32.f64", "d", d);
  TO_FLOAT("cvt.rn.sat.f32.f64", "d", d);
  TO_DOUBLE("cvt.f64.f32", "f", f);
  TO_DOUBLE("cvt.rn.f64.s64", "l", l);
  TO_DOUBLE("cvt.rmi.f64.f64", "d", d);
  TO_SHORT("cvt.rn.f16.f32", "f", f);
  TO_SHORT("cvt.rz.f16.f32", "f", f);
  TO_SHORT("cvt.rn.bf16.f32", "f", f);
  TO_FLOAT("cvt.f32.f16", "h", static_cast<unsigned short>(mix(i)));
  TO_WORD("cvt.rna.tf32.f32", "f", f == f ? f : 0.0f);
  while (k != row_of_conversions) row[k++] = 0;
}

CASE(conversions_clamp_and_round) {
  const buffer<long long> results(512 * row_of_conversions);
  conversions<<<4, 128>>>(results);
  show("results", results);
}

constexpr int row_of_halves = 20;

__global__ void halves(unsigned* results) {
  const unsigned i = rank_in_grid();
  const unsigned a = mix(i), b = mix(i + 1000), c = mix(i + 2000);
  unsigned* const row = results + i * row_of_halves;
  unsigned* next = row;
  RUN_TWO("add.rn.f16x2", "r", "r");
  RUN_TWO("sub.rn.f16x2", "r", "r");
  RUN_TWO("mul.rn.f16x2", "r", "r");
  RUN_THREE("fma.rn.f16x2", "r", "r");
  RUN_THREE("fma.rn.relu.f16x2", "r", "r");
  RUN_TWO("add.rn.ftz.f16x2", "r", "r");
  RUN_TWO("mul.rn.sat.f16x2", "r", "r");
  RUN_TWO("min.f16x2", "r", "r");
  RUN_TWO("max.NaN.f16x2", "r", "r");
  RUN_ONE("abs.f16x2", "r", "r");
  RUN_ONE("neg.f16x2", "r", "r");
  RUN_TWO("add.rn.bf16x2", "r", "r");
  RUN_TWO("mul.rn.bf16x2", "r", "r");
  RUN_THREE("fma.rn.bf16x2", "r", "r");
  RUN_TWO("max.bf16x2", "r", "r");
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(*next++) : "f"(float(int(a)) / 65536), "f"(sample(i)));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(*next++) : "f"(sample(i + 5)), "f"(float(int(a))));
  while (next != row + row_of_halves) *next++ = 0;
}

CASE(pairs_of_halves) {
  const buffer<unsigned> results(512 * row_of_halves);
  halves<<<4, 128>>>(results);
  show("results", results);
}

__global__ void small_floats(unsigned* results) {
  const unsigned i = rank_in_grid();
  const float a = ldexpf(float(int(mix(i))), int(mix(i + 9) % 50) - 45), b = sample(i);
  unsigned short got;
  unsigned* const row = results + i * 4;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(got) : "f"(a), "f"(b));
  row[0] = got;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(got) : "f"(a), "f"(b));
  row[1] = got;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(row[2]) : "h"(static_cast<unsigned short>(mix(i))));
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(row[3]) : "h"(static_cast<unsigned short>(mix(i))));
}

CASE(pairs_of_8_bit_floats) {
  const buffer<unsigned> results(512 * 4);
  small_floats<<<4, 128>>>(results);
  show("results", results);
}
