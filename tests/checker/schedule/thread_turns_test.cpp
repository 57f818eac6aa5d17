// Which thread runs next when some can run, step back, wait or have timed out.
#include "checker/schedule/thread_turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heddle_checker {
namespace {

using namespace std::chrono_literals;
using thread = thread_turns::thread;
using order = std::vector<thread>;

class three_threads : public testing::Test {
 protected:
  three_threads() {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(turns.begin(), static_cast<thread>(i));
  }
  // Each chosen thread runs, and stays able to run.
  order next(int times) {
    order chosen;
    for (int i = 0; i < times; ++i) {
      chosen.push_back(turns.choose(now));
      turns.offer(chosen.back());
    }
    return chosen;
  }
  thread_turns turns;
  const thread_turns::moment now = std::chrono::steady_clock::now();
  int key = 0, other_key = 0;
};

TEST_F(three_threads, run_in_order_of_their_numbers_without_a_generator) {
  EXPECT_EQ(next(5), (order{1, 2, 0, 1, 2}));
  EXPECT_FALSE(turns.wants_switch());
}

TEST_F(three_threads, run_in_the_same_order_with_the_same_seed) {
  std::vector<order> orders;
  for (const std::uint64_t seed : {7, 7, 8}) {
    thread_turns fresh;
    for (int i = 0; i < 3; ++i) (void)fresh.begin();
    turns = fresh;
    turns.decide_by(random_generator(seed));
    orders.push_back(next(40));
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_NE(orders[0], orders[2]);
}

TEST_F(three_threads, run_after_others_if_they_step_back) {
  EXPECT_EQ(turns.choose(now), 1u);
  turns.step_back(1);
  EXPECT_EQ(next(4), (order{2, 0, 2, 0}));
}

TEST_F(three_threads, still_run_if_they_step_back) {
  EXPECT_EQ(turns.choose(now), 1u);
  turns.step_back(1);
  const order chosen = next(200);
  EXPECT_GE(std::ranges::count(chosen, 1u), 1);
}

TEST_F(three_threads, wait_until_another_thread_wakes_them) {
  turns.wait(turns.choose(now), &key, {}, now);
  turns.wait(turns.choose(now), &key, {}, now);
  EXPECT_EQ(next(2), (order{0, 0}));
  EXPECT_EQ(turns.wake(&other_key), 0u);
  EXPECT_EQ(turns.wake(&key, 1), 1u);
  EXPECT_EQ(next(3), (order{1, 0, 1})) << "the first one that has waited";
  EXPECT_EQ(turns.wake(&key), 1u);
  EXPECT_EQ(next(3), (order{2, 0, 1}));
}

TEST_F(three_threads, time_out_only_if_no_other_thread_can_run) {
  turns.wait(turns.choose(now), &key, now, now);
  EXPECT_EQ(next(4), (order{2, 0, 2, 0}));
  for (thread who : {2u, 0u}) turns.wait(who, &key, {}, now);
  EXPECT_EQ(turns.choose(now), 1u);
  EXPECT_TRUE(turns.gave_up(1));
}

TEST_F(three_threads, time_out_if_all_others_only_step_back) {
  turns.wait(0, &key, now + 1ms, now);
  turns.wait(1, &key, {}, now);
  unsigned steps = 0;
  for (; turns.choose(now) == 2; ++steps) turns.step_back(2);
  EXPECT_GT(steps, 10u);
  EXPECT_LT(steps, 100u);
  EXPECT_EQ(turns.choose(now + 1ms), 0u);
  EXPECT_TRUE(turns.gave_up(0));
}

TEST_F(three_threads, do_not_time_out_before_a_long_deadline) {
  turns.wait(0, &key, now + 10s, now);
  turns.wait(1, &key, {}, now);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(turns.choose(now), 2u);
    turns.step_back(2);
  }
  EXPECT_EQ(turns.choose(now + 10s), 0u);
}

TEST_F(three_threads, time_out_in_the_order_of_their_deadlines) {
  turns.wait(0, &key, now + 3s, now);
  turns.wait(1, &key, now + 1s, now);
  turns.wait(2, &key, now + 1s, now + 100ms);
  EXPECT_EQ(turns.choose(now), thread_turns::no_thread);
  EXPECT_FALSE(turns.all_wait_forever());
  EXPECT_EQ(turns.choose(now + 5s), 1u);
  turns.end(1);
  EXPECT_EQ(turns.choose(now + 5s), 2u);
}

TEST_F(three_threads, can_all_wait_forever) {
  for (thread who : {0u, 1u}) turns.wait(who, &key, {}, now);
  EXPECT_FALSE(turns.all_wait_forever());
  turns.wait(2, &key, {}, now);
  EXPECT_TRUE(turns.all_wait_forever());
  turns.lose(2);
  EXPECT_FALSE(turns.all_wait_forever()) << "it may come back";
}

TEST_F(three_threads, are_preempted_at_random_only_if_another_can_run) {
  turns.decide_by(random_generator(3));
  EXPECT_EQ(turns.count(), 3u);
  turns.wait(0, &key, {}, now);
  turns.wait(1, &key, {}, now);
  EXPECT_EQ(turns.choose(now), 2u);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(turns.wants_switch());
  turns.wake(&key, 1);
  int switches = 0;
  for (int i = 0; i < 1000; ++i) switches += turns.wants_switch() ? 1 : 0;
  EXPECT_GT(switches, 10);
  EXPECT_LT(switches, 990);
}

}  // namespace
}  // namespace heddle_checker
