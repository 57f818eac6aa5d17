// Fibers keep their frames while others run, and their stacks are guarded.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "fiber/fiber.hpp"

namespace {
using namespace heddle_host;

struct ring {
  context main = nullptr;
  std::vector<fiber> fibers;
  std::vector<std::uint64_t> sums;
  std::size_t running = 0;
  int rounds = 0;
};
ring* the_ring = nullptr;

// Adds numbers in a local variable and switches to the next fiber after each.
void add_in_turns() {
  arrive_on_new_stack();
  ring& all = *the_ring;
  const std::size_t me = all.running;
  std::uint64_t sum = 0;
  double decimals = 0.25;
  for (int round = 1;; ++round) {
    sum += static_cast<std::uint64_t>(round) * (me + 1);
    decimals += 1;
    all.sums[me] = decimals == round + 0.25 ? sum : 0;
    all.running = (me + 1) % all.fibers.size();
    const bool is_last = all.running == 0 && round == all.rounds;
    switch_context(all.fibers[me].idle, is_last ? all.main : all.fibers[all.running].idle);
  }
}

// Runs the fibers for this many rounds and returns how many have a wrong sum.
int wrong_sums(std::size_t fibers, int rounds) {
  stack_pool stacks(64 * 1024);
  ring all;
  all.fibers.resize(fibers);
  all.sums.assign(fibers, ~0ull);
  all.rounds = rounds;
  the_ring = &all;
  for (std::size_t i = 0; i < fibers; ++i) {
    all.fibers[i].memory = stacks.take();
    all.fibers[i].color = static_cast<unsigned>(i);
    prepare(all.fibers[i], add_in_turns);
  }
  switch_context(all.main, all.fibers[0].idle);
  const auto last = static_cast<std::uint64_t>(rounds);
  int wrong = 0;
  for (std::size_t i = 0; i < fibers; ++i) wrong += all.sums[i] != last * (last + 1) / 2 * (i + 1);
  return wrong;
}

TEST(fiber, keeps_its_variables_while_others_run) { EXPECT_EQ(wrong_sums(100, 50), 0); }

// A signal handler overwrites the stack below the stack pointer, even during a switch.
TEST(fiber, keeps_its_variables_when_signals_interrupt_its_switches) {
  struct sigaction fill_stack {};
  fill_stack.sa_handler = [](int) {
    volatile char bytes[512];
    for (volatile char& byte : bytes) byte = 0x5a;
  };
  struct sigaction before {};
  sigaction(SIGUSR1, &fill_stack, &before);
  std::atomic<bool> is_done{false};
  std::thread sender([&, target = pthread_self()] {
    while (!is_done) pthread_kill(target, SIGUSR1);
  });
  EXPECT_EQ(wrong_sums(4, 200'000), 0);
  is_done = true;
  sender.join();
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(stack_pool, gives_separate_stacks_above_a_guard) {
  stack_pool stacks(10'000);
  std::vector<stack> taken;
  for (int i = 0; i < 70; ++i) taken.push_back(stacks.take());
  for (const stack& one : taken) {
    EXPECT_GE(one.bytes, 10'000u);
    EXPECT_TRUE(stacks.guards(one.lowest - 1));
    EXPECT_FALSE(stacks.guards(one.lowest));
    EXPECT_FALSE(stacks.guards(one.lowest + one.bytes - 1));
    one.lowest[0] = std::byte{1};
    one.lowest[one.bytes - 1] = std::byte{1};
    for (const stack& other : taken) {
      if (one.lowest == other.lowest) continue;
      EXPECT_TRUE(one.lowest + one.bytes <= other.lowest ||
                  other.lowest + other.bytes <= one.lowest);
    }
  }
  int local = 0;
  EXPECT_FALSE(stacks.guards(&local));
}

// More than the lanes of two clusters. A guard for each would exceed the process's limit on
// mappings.
TEST(stack_pool, gives_more_stacks_than_can_have_guards) {
  stack_pool stacks(10'000);
  for (int i = 0; i < 40'000; ++i) {
    const stack taken = stacks.take();
    taken.lowest[0] = taken.lowest[taken.bytes - 1] = std::byte{1};
  }
}

TEST(stack_pool, finds_the_stack_around_an_address) {
  stack_pool stacks(64 * 1024);
  const stack mine = stacks.take();
  EXPECT_EQ(stack_around(mine.lowest + 100).lowest, mine.lowest);
  int local = 0;
  const stack threads_own = stack_around(&local);
  EXPECT_GE(reinterpret_cast<std::byte*>(&local), threads_own.lowest);
  EXPECT_LT(reinterpret_cast<std::byte*>(&local), threads_own.lowest + threads_own.bytes);
}

}  // namespace
