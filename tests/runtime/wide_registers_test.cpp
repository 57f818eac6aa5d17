// Registers that only some processors have keep their values across a fiber switch.
#include <gtest/gtest.h>

#include "fiber/fiber.hpp"

#if defined(__ARM_FEATURE_SVE)
#include <arm_sve.h>
#elif defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace {
using namespace heddle_host;

struct two_fibers {
  context main = nullptr;
  fiber fibers[2];
  bool is_right[2] = {};
  bool (*work)(int me) = nullptr;
  int running = 0;
};
two_fibers* both = nullptr;

// Switches to the other fiber and returns when that one switches back.
[[gnu::always_inline]] inline void take_turns(int me) {
  both->running = 1 - me;
  switch_context(both->fibers[me].idle, both->fibers[1 - me].idle);
}

void work_and_end() {
  arrive_on_new_stack();
  const int me = both->running;
  both->is_right[me] = both->work(me);
  if (me == 0) take_turns(me);
  switch_context(both->fibers[me].idle, both->main);
}

// Both fibers run `work`, which returns whether its values survived the switch.
bool both_are_right(bool (*work)(int me)) {
  stack_pool stacks(64 * 1024);
  two_fibers all;
  all.work = work;
  both = &all;
  for (fiber& one : all.fibers) {
    one.memory = stacks.take();
    prepare(one, work_and_end);
  }
  switch_context(all.main, all.fibers[0].idle);
  return all.is_right[0] && all.is_right[1];
}

#if defined(__x86_64__)
TEST(wide_registers, keep_the_x87_stack_across_a_switch) {
  EXPECT_TRUE(both_are_right([](int me) {
    volatile long double origin = me + 0.125L;
    long double held = origin;
    asm volatile("" : "+t"(held));
    take_turns(me);
    asm volatile("" : "+t"(held));
    return held == origin;
  }));
}
#endif

#if defined(__AVX512F__)
TEST(wide_registers, keep_mask_registers_across_a_switch) {
  EXPECT_TRUE(both_are_right([](int me) {
    const __mmask16 origin = me == 0 ? 0x3333 : 0x5555;
    __mmask16 held = origin;
    asm volatile("" : "+Yk"(held));
    take_turns(me);
    asm volatile("" : "+Yk"(held));
    return held == origin;
  }));
}

TEST(wide_registers, keep_registers_16_to_31_across_a_switch) {
  EXPECT_TRUE(both_are_right([](int me) {
    __m512i first = _mm512_set1_epi32(me + 1);
    __m512i second = _mm512_set1_epi32(me + 11);
    asm volatile("" : "+v"(first), "+v"(second));
    take_turns(me);
    asm volatile("" : "+v"(first), "+v"(second));
    constexpr __mmask16 all = 0xffff;
    return _mm512_cmpeq_epi32_mask(first, _mm512_set1_epi32(me + 1)) == all &&
           _mm512_cmpeq_epi32_mask(second, _mm512_set1_epi32(me + 11)) == all;
  }));
}
#endif

#if defined(__ARM_FEATURE_SVE)
TEST(wide_registers, keep_predicate_registers_across_a_switch) {
  EXPECT_TRUE(both_are_right([](int me) {
    svbool_t held = svwhilelt_b8(0, me + 3);
    asm volatile("" : "+Upa"(held));
    take_turns(me);
    asm volatile("" : "+Upa"(held));
    return svcntp_b8(svptrue_b8(), held) == static_cast<std::uint64_t>(me) + 3;
  }));
}
#endif

// Runs on every processor, even where the tests above are left out.
TEST(wide_registers, keep_floating_point_registers_across_a_switch) {
  EXPECT_TRUE(both_are_right([](int me) {
    volatile double origin = me + 0.125;
    double held = origin;
    take_turns(me);
    return held == origin;
  }));
}

}  // namespace
