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

TEST_F(three_threads, go_on_by_number_without_dice) {
  EXPECT_EQ(next(5), (order{1, 2, 0, 1, 2}));
  EXPECT_FALSE(turns.wants_switch());
}

TEST_F(three_threads, go_on_in_the_same_order_by_the_same_dice) {
  std::vector<order> orders;
  for (const std::uint64_t seed : {7, 7, 8}) {
    thread_turns fresh;
    for (int i = 0; i < 3; ++i) (void)fresh.begin();
    turns = fresh;
    turns.decide_by(dice(seed));
    orders.push_back(next(40));
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_NE(orders[0], orders[2]);
}

TEST_F(three_threads, that_step_back_come_behind_those_that_do_not) {
  EXPECT_EQ(turns.choose(now), 1u);
  turns.step_back(1);
  EXPECT_EQ(next(4), (order{2, 0, 2, 0}));
}

TEST_F(three_threads, that_step_back_are_not_forgotten) {
  EXPECT_EQ(turns.choose(now), 1u);
  turns.step_back(1);
  const order chosen = next(200);
  EXPECT_GE(std::ranges::count(chosen, 1u), 1);
}

TEST_F(three_threads, wait_until_somebody_wakes_them) {
  turns.wait(turns.choose(now), &key, {}, now);
  turns.wait(turns.choose(now), &key, {}, now);
  EXPECT_EQ(next(2), (order{0, 0}));
  EXPECT_EQ(turns.wake(&other_key), 0u);
  EXPECT_EQ(turns.wake(&key, 1), 1u);
  EXPECT_EQ(next(3), (order{1, 0, 1})) << "the first one that has waited";
  EXPECT_EQ(turns.wake(&key), 1u);
  EXPECT_EQ(next(3), (order{2, 0, 1}));
}

TEST_F(three_threads, give_up_only_where_no_other_can_go_on) {
  turns.wait(turns.choose(now), &key, now, now);
  EXPECT_EQ(next(4), (order{2, 0, 2, 0}));
  for (thread who : {2u, 0u}) turns.wait(who, &key, {}, now);
  EXPECT_EQ(turns.choose(now), 1u);
  EXPECT_TRUE(turns.gave_up(1));
}

TEST_F(three_threads, give_up_where_all_others_only_let_others_go_first) {
  turns.wait(0, &key, now + 1ms, now);
  turns.wait(1, &key, {}, now);
  unsigned steps = 0;
  for (; turns.choose(now) == 2; ++steps) turns.step_back(2);
  EXPECT_GT(steps, 10u);
  EXPECT_LT(steps, 100u);
  EXPECT_EQ(turns.choose(now + 1ms), 0u);
  EXPECT_TRUE(turns.gave_up(0));
}

TEST_F(three_threads, give_up_after_a_long_time_only_when_it_is_over) {
  turns.wait(0, &key, now + 10s, now);
  turns.wait(1, &key, {}, now);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(turns.choose(now), 2u);
    turns.step_back(2);
  }
  EXPECT_EQ(turns.choose(now + 10s), 0u);
}

TEST_F(three_threads, give_up_in_the_order_of_the_times_they_were_given) {
  turns.wait(0, &key, now + 3s, now);
  turns.wait(1, &key, now + 1s, now);
  turns.wait(2, &key, now + 1s, now + 100ms);
  EXPECT_EQ(turns.choose(now), thread_turns::nobody);
  EXPECT_FALSE(turns.all_wait_for_ever());
  EXPECT_EQ(turns.choose(now + 5s), 1u);
  turns.end(1);
  EXPECT_EQ(turns.choose(now + 5s), 2u);
}

TEST_F(three_threads, may_all_wait_for_ever) {
  for (thread who : {0u, 1u}) turns.wait(who, &key, {}, now);
  EXPECT_FALSE(turns.all_wait_for_ever());
  turns.wait(2, &key, {}, now);
  EXPECT_TRUE(turns.all_wait_for_ever());
  turns.lose(2);
  EXPECT_FALSE(turns.all_wait_for_ever()) << "it may come back";
}

TEST_F(three_threads, are_interrupted_by_dice_only_for_another) {
  turns.decide_by(dice(3));
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
