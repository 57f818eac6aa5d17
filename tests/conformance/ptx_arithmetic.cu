// Inline PTX: arithmetic on integers and floats, carries, bits, comparisons, conversions.
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

constexpr int row_of_words = 60;

__global__ void words(unsigned* results) {
  const unsigned i = rank_in_grid();
  const unsigned a = i == 0 ? 0 : word(i), b = i == 1 ? 0x80000000u : mix(i + 4000) | 1,
                 c = i == 2 ? ~0u : word(i + 8000);
  unsigned* const row = results + i * row_of_words;
  unsigned* next = row;
  RUN_TWO("add.s32", "r", "r");
  RUN_TWO("add.sat.s32", "r", "r");
  RUN_TWO("sub.u32", "r", "r");
  RUN_TWO("sub.sat.s32", "r", "r");
  RUN_TWO("mul.lo.s32", "r", "r");
  RUN_TWO("mul.hi.s32", "r", "r");
  RUN_TWO("mul.hi.u32", "r", "r");
  RUN_THREE("mad.lo.s32", "r", "r");
  RUN_THREE("mad.hi.u32", "r", "r");
  RUN_THREE("mad.hi.sat.s32", "r", "r");
  RUN_TWO("mul24.lo.s32", "r", "r");
  RUN_TWO("mul24.hi.u32", "r", "r");
  RUN_TWO("mul24.hi.s32", "r", "r");
  RUN_THREE("mad24.lo.u32", "r", "r");
  RUN_THREE("mad24.hi.s32", "r", "r");
  RUN_TWO("div.s32", "r", "r");
  RUN_TWO("div.u32", "r", "r");
  RUN_TWO("rem.s32", "r", "r");
  RUN_TWO("rem.u32", "r", "r");
  RUN_THREE("sad.s32", "r", "r");
  RUN_THREE("sad.u32", "r", "r");
  RUN_ONE("abs.s32", "r", "r");
  RUN_ONE("neg.s32", "r", "r");
  RUN_TWO("min.s32", "r", "r");
  RUN_TWO("max.u32", "r", "r");
  RUN_ONE("popc.b32", "r", "r");
  RUN_ONE("clz.b32", "r", "r");
  RUN_ONE("brev.b32", "r", "r");
  RUN_ONE("bfind.u32", "r", "r");
  RUN_ONE("bfind.s32", "r", "r");
  RUN_ONE("bfind.shiftamt.s32", "r", "r");
  RUN_ONE("not.b32", "r", "r");
  RUN_ONE("cnot.b32", "r", "r");
  RUN_THREE("dp4a.u32.u32", "r", "r");
  RUN_THREE("dp4a.s32.u32", "r", "r");
  RUN_THREE("dp4a.s32.s32", "r", "r");
  RUN_THREE("dp2a.lo.s32.s32", "r", "r");
  RUN_THREE("dp2a.hi.u32.s32", "r", "r");
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(*next++) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x2d;" : "=r"(*next++) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(*next++) : "r"(a), "r"(b), "r"(c), "n"(0xe8));
  while (next != row + row_of_words) *next++ = 0;
}

CASE(words_of_32_bits) {
  const buffer<unsigned> results(256 * row_of_words);
  words<<<2, 128>>>(results);
  show("results", results);
}

constexpr int row_of_fields = 24;

// Distances, positions and lengths on both sides of their limits.
__global__ void fields(unsigned* results) {
  const unsigned i = rank_in_grid();
  const unsigned a = mix(i), b = i % 70, c = mix(i + 5000) % 5 == 0 ? mix(i) : mix(i + 300) % 70;
  unsigned* const row = results + i * row_of_fields;
  unsigned* next = row;
  RUN_TWO("shl.b32", "r", "r");
  RUN_TWO("shr.u32", "r", "r");
  RUN_TWO("shr.s32", "r", "r");
  RUN_TWO("shr.b32", "r", "r");
  RUN_THREE("bfe.u32", "r", "r");
  RUN_THREE("bfe.s32", "r", "r");
  RUN_TWO("bmsk.clamp.b32", "r", "r");
  RUN_TWO("bmsk.wrap.b32", "r", "r");
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(*next++) : "r"(c), "r"(b));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(*next++) : "r"(b), "r"(c));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(*next++) : "r"(b), "r"(c));
  RUN_TWO("szext.clamp.u32", "r", "r");
  RUN_TWO("szext.clamp.s32", "r", "r");
  RUN_TWO("szext.wrap.s32", "r", "r");
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(*next++) : "r"(a), "r"(~a), "r"(b), "r"(c));
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(*next++) : "r"(a), "r"(mix(i + 1)), "r"(b));
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(*next++) : "r"(a), "r"(mix(i + 1)), "r"(b));
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(*next++) : "r"(a), "r"(mix(i + 1)), "r"(b));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(*next++) : "r"(a), "r"(mix(i + 1)), "r"(b));
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(*next++) : "r"(a), "r"(b % 32), "r"(int(c % 20) - 10));
  while (next != row + row_of_fields) *next++ = 0;
}

CASE(shifts_and_fields) {
  const buffer<unsigned> results(512 * row_of_fields);
  fields<<<4, 128>>>(results);
  show("results", results);
}

__global__ void permutations(unsigned* results) {
  const unsigned i = rank_in_grid();
  const unsigned a = mix(i), b = mix(i + 100), c = i % 4 | (mix(i) & 0xfff0);
  unsigned* next = results + i * 8;
  RUN_THREE("prmt.b32", "r", "r");
  RUN_THREE("prmt.b32.f4e", "r", "r");
  RUN_THREE("prmt.b32.b4e", "r", "r");
  RUN_THREE("prmt.b32.rc8", "r", "r");
  RUN_THREE("prmt.b32.ecl", "r", "r");
  RUN_THREE("prmt.b32.ecr", "r", "r");
  RUN_THREE("prmt.b32.rc16", "r", "r");
  *next = 0;
}

CASE(byte_permutations_of_every_mode) {
  const buffer<unsigned> results(128 * 8);
  permutations<<<1, 128>>>(results);
  show("results", results);
}

constexpr int row_of_wide = 28;

__global__ void wide_words(unsigned long long* results) {
  const unsigned i = rank_in_grid();
  const unsigned long long a = i == 0 ? 0 : wide(i), b = mix64(i + 500) | 1, c = wide(i + 900);
  const unsigned x = mix(i), y = mix(i + 1), position = i % 90, length = mix(i) % 90;
  unsigned long long* const row = results + i * row_of_wide;
  unsigned long long* next = row;
  RUN_TWO("add.s64", "l", "l");
  RUN_TWO("mul.lo.u64", "l", "l");
  RUN_TWO("mul.hi.s64", "l", "l");
  RUN_TWO("mul.hi.u64", "l", "l");
  RUN_THREE("mad.lo.s64", "l", "l");
  RUN_THREE("mad.hi.u64", "l", "l");
  RUN_TWO("div.s64", "l", "l");
  RUN_TWO("rem.u64", "l", "l");
  RUN_TWO("min.s64", "l", "l");
  RUN_TWO("max.u64", "l", "l");
  RUN_ONE("brev.b64", "l", "l");
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(*next++) : "r"(x), "r"(y));
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(*next++) : "r"(x), "r"(y));
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(*next++) : "r"(x), "r"(y), "l"(c));
  asm("shl.b64 %0, %1, %2;" : "=l"(*next++) : "l"(b), "r"(position));
  asm("shr.s64 %0, %1, %2;" : "=l"(*next++) : "l"(b), "r"(position));
  asm("shr.u64 %0, %1, %2;" : "=l"(*next++) : "l"(b), "r"(position));
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(*next++) : "l"(b), "r"(position), "r"(length));
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(*next++) : "l"(b), "r"(position), "r"(length));
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(*next++) : "l"(a), "l"(b), "r"(position), "r"(length));
  asm("{ .reg .u32 n; popc.b64 n, %1; cvt.u64.u32 %0, n; }" : "=l"(*next++) : "l"(a));
  asm("{ .reg .u32 n; clz.b64 n, %1; cvt.u64.u32 %0, n; }" : "=l"(*next++) : "l"(a));
  asm("{ .reg .u32 n; bfind.s64 n, %1; cvt.s64.s32 %0, n; }" : "=l"(*next++) : "l"(a));
  asm("mov.b64 %0, {%1, %2};" : "=l"(*next++) : "r"(x), "r"(y));
  asm("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; mov.b64 %0, {hi, lo}; }" : "=l"(*next++) : "l"(a));
  while (next != row + row_of_wide) *next++ = 0;
}

CASE(words_of_64_bits) {
  const buffer<unsigned long long> results(256 * row_of_wide);
  wide_words<<<2, 128>>>(results);
  show("results", results);
}

// Sums, differences and products of 96 bits.
__global__ void carries(unsigned* results) {
  const unsigned i = rank_in_grid();
  unsigned a[3], b[3];
  for (int k = 0; k < 3; ++k) {
    a[k] = mix(i + 7 * k) % 3 == 0 ? ~0u : mix(i + 11 * k);
    b[k] = mix(i + 13 * k) % 3 == 0 ? a[k] : mix(i + 17 * k);
  }
  unsigned* const row = results + i * 12;
  asm("add.cc.u32 %0, %3, %6;\n\t"
      "addc.cc.u32 %1, %4, %7;\n\t"
      "addc.u32 %2, %5, %8;"
      : "=&r"(row[0]), "=&r"(row[1]), "=&r"(row[2])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(b[0]), "r"(b[1]), "r"(b[2]));
  asm("sub.cc.u32 %0, %3, %6;\n\t"
      "subc.cc.u32 %1, %4, %7;\n\t"
      "subc.u32 %2, %5, %8;"
      : "=&r"(row[3]), "=&r"(row[4]), "=&r"(row[5])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(b[0]), "r"(b[1]), "r"(b[2]));
  asm("mad.lo.cc.u32 %0, %3, %4, %5;\n\t"
      "madc.hi.cc.u32 %1, %3, %4, %6;\n\t"
      "madc.hi.u32 %2, %3, %7, %7;"
      : "=&r"(row[6]), "=&r"(row[7]), "=&r"(row[8])
      : "r"(a[0]), "r"(b[0]), "r"(a[1]), "r"(b[1]), "r"(b[2]));
  row[9] = row[10] = row[11] = 0;
}

CASE(carries_go_from_word_to_word) {
  const buffer<unsigned> results(256 * 12);
  carries<<<2, 128>>>(results);
  show("results", results);
}

// A loop with a branch: Collatz steps, at most 200.
__global__ void branches(unsigned* results) {
  const unsigned i = rank_in_grid();
  unsigned steps;
  asm("{\n\t"
      ".reg .pred done, odd, late;\n\t"
      ".reg .u32 n, bit;\n\t"
      "mov.u32 n, %1;\n\t"
      "mov.u32 %0, 0;\n"
      "AGAIN:\n\t"
      "setp.le.u32 done, n, 1;\n\t"
      "setp.ge.or.u32 late, %0, 200, done;\n\t"
      "@late bra LEAVE;\n\t"
      "and.b32 bit, n, 1;\n\t"
      "setp.ne.u32 odd, bit, 0;\n\t"
      "@odd mad.lo.u32 n, n, 3, 1;\n\t"
      "@!odd shr.u32 n, n, 1;\n\t"
      "add.u32 %0, %0, 1;\n\t"
      "bra.uni AGAIN;\n"
      "LEAVE:\n\t"
      "}"
      : "=&r"(steps)
      : "r"(i));
  results[i] = steps;
}

CASE(a_loop_of_branches) {
  const buffer<unsigned> results(512);
  branches<<<4, 128>>>(results);
  show("results", results);
}
