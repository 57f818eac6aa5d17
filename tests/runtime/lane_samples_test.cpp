// Digests of what an interrupted lane has in its registers and on its stack.
#include <gtest/gtest.h>
#include <ucontext.h>

#include <array>
#include <cstdint>

#include "machine/lane_samples.hpp"
#include "run_kernel.hpp"

namespace {

// What a signal handler gets when code with this stack pointer is interrupted.
ucontext_t interrupted_at(const void* stack_pointer) {
  ucontext_t context{};
  const auto address = reinterpret_cast<std::uintptr_t>(stack_pointer);
#if defined(__aarch64__)
  context.uc_mcontext.sp = address;
#else
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(address);
#endif
  return context;
}

TEST(lane_samples, differ_where_the_stack_differs) {
  bool has_state = false;
  bool repeats = false;
  bool differs = false;
  ASSERT_EQ(run_kernel({.block = {1, 1, 1}},
                       [&] {
                         std::array<volatile unsigned char, 512> variables{};
                         const ucontext_t context = interrupted_at(
                             const_cast<unsigned char*>(&variables[variables.size() / 2]));
                         const auto before = heddle_host::state_of_lane(&context);
                         const auto again = heddle_host::state_of_lane(&context);
                         variables.back() = 1;
                         const auto after = heddle_host::state_of_lane(&context);
                         has_state = before.has_value() && after.has_value();
                         repeats = before == again;
                         differs = before != after;
                       }),
            cudaSuccess);
  EXPECT_TRUE(has_state);
  EXPECT_TRUE(repeats);
  EXPECT_TRUE(differs);
}

// The thread sanitizer delivers a signal late, when another lane may run.
TEST(lane_samples, are_not_taken_from_another_stack) {
  bool is_sampled = true;
  bool is_new = true;
  ASSERT_EQ(run_kernel({.block = {1, 1, 1}},
                       [&] {
                         const ucontext_t context =
                             interrupted_at(reinterpret_cast<const void*>(std::uintptr_t{4096}));
                         is_sampled = heddle_host::state_of_lane(&context).has_value();
                         is_new = heddle_host::has_new_state(&context);
                       }),
            cudaSuccess);
  EXPECT_FALSE(is_sampled);
  EXPECT_FALSE(is_new);
}

}  // namespace
