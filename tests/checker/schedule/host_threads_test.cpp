// Real threads take turns.
#include "checker/schedule/host_threads.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "checker/schedule/quiet_section.hpp"

namespace heddle_checker {
namespace {

using namespace std::chrono_literals;

// The test's own thread is the first one.
class turns_of_threads : public testing::Test {
 protected:
  turns_of_threads() { turns.begin(); }
  ~turns_of_threads() override {
    for (std::thread& each : others) {
      if (each.joinable()) join(each);
    }
    turns.leave();
  }
  template <typename Function>
  std::thread& begin(Function what) {
    const host_threads::thread fresh = turns.add();
    others.emplace_back([this, fresh, what] {
      turns.arrive(fresh);
      what();
      turns.leave();
    });
    turns.is_called(fresh, others.back().native_handle());
    return others.back();
  }
  void join(std::thread& one) {
    if (const auto end = turns.end_of(one.native_handle())) {
      turns.wait_until(end.get(), {}, [&] { return end->load(); });
    }
    one.join();
  }
  host_threads turns{1ms};
  std::vector<std::thread> others;
};

TEST_F(turns_of_threads, run_one_at_a_time) {
  int inside = 0, visits = 0;
  others.reserve(4);
  for (int i = 0; i < 4; ++i) {
    begin([&] {
      for (int round = 0; round < 200; ++round) {
        EXPECT_EQ(++inside, 1);
        ++visits;
        --inside;
        turns.step_back();
      }
    });
  }
  EXPECT_EQ(visits, 0) << "the first one has not stopped";
  for (std::thread& each : others) join(each);
  EXPECT_EQ(visits, 800);
}

TEST_F(turns_of_threads, are_the_same_each_time) {
  for (const bool is_random : {false, true}) {
    std::string first;
    for (int time = 0; time < 20; ++time) {
      std::string order;
      if (is_random) turns.decide_by(random_generator(5));
      others.clear();
      others.reserve(3);
      for (char name : {'a', 'b', 'c'}) {
        begin([&, name] {
          for (int round = 0; round < 8; ++round) {
            order += name;
            turns.pass_point();
            if (round % 3 == 0) turns.step_back();
          }
        });
      }
      for (std::thread& each : others) join(each);
      if (first.empty()) first = order;
      EXPECT_EQ(order, first);
    }
    EXPECT_EQ(first.size(), 24u);
  }
}

TEST_F(turns_of_threads, continue_in_a_quiet_section_unless_the_thread_waits) {
  turns.decide_by(random_generator(1));
  bool has_run = false;
  others.reserve(1);
  begin([&] { has_run = true; });
  {
    const quiet_section meanwhile;
    for (int i = 0; i < 100; ++i) turns.pass_point();
    EXPECT_FALSE(has_run);
  }
  const quiet_section meanwhile;
  join(others[0]);
  EXPECT_TRUE(has_run);
}

TEST_F(turns_of_threads, pass_on_when_a_thread_waits) {
  bool is_ready = false;
  int key = 0;
  std::string order;
  others.reserve(1);
  begin([&] {
    order += "b";
    is_ready = true;
    EXPECT_EQ(turns.wake(&key), 1u);
    order += "c";
  });
  order += "a";
  EXPECT_TRUE(turns.wait_until(&key, {}, [&] { return is_ready; }));
  order += "d";
  EXPECT_EQ(order, "abcd");
}

TEST_F(turns_of_threads, lose_no_wake_up_between_preparation_and_wait) {
  int key = 0, lock = 0;
  bool has_lock = true;
  others.reserve(1);
  begin([&] {
    EXPECT_TRUE(turns.wait_until(&lock, {}, [&] { return !has_lock; }));
    turns.wake(&key);
  });
  turns.step_back();  // now the other thread waits for the lock
  EXPECT_TRUE(turns.wait_once(
      &key, {},
      [&] {
        has_lock = false;
        return true;
      },
      &lock));
}

TEST_F(turns_of_threads, come_back_when_the_time_is_up) {
  int key = 0;
  others.reserve(1);
  begin([&] { turns.wait_until(&key, host_threads::clock::now() + 5ms, [] { return false; }); });
  EXPECT_FALSE(turns.wait_until(&key, host_threads::clock::now() + 20ms, [] { return false; }));
}

TEST_F(turns_of_threads, move_on_if_a_thread_waits_for_something_unknown) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  others.reserve(1);
  for (int time = 0; time < 20; ++time) {  // after a few, the threads no longer take turns
    std::string order;
    others.clear();
    begin([&] {
      order += "a";
      const char byte = 0;
      ASSERT_EQ(write(pipe_ends[1], &byte, 1), 1);
      turns.step_back();
    });
    char byte = 1;
    ASSERT_EQ(read(pipe_ends[0], &byte, 1), 1);  // the schedule does not know of this wait
    EXPECT_EQ(order, "a");
    turns.step_back();
    join(others[0]);
  }
  for (const int end : pipe_ends) close(end);
}

TEST_F(turns_of_threads, call_the_listener_if_all_threads_wait) {
  int key = 0;
  bool was_called = false;
  turns.when_all_wait([&] {
    was_called = true;
    turns.wake(&key);
  });
  others.reserve(1);
  begin([&] { turns.wait_once(&key, {}, [] { return true; }); });
  turns.wait_once(&key, {}, [] { return true; });
  EXPECT_TRUE(was_called);
}

TEST_F(turns_of_threads, ignore_threads_that_do_not_take_part) {
  std::thread stranger([&] {
    EXPECT_FALSE(turns.takes_turns());
    EXPECT_FALSE(turns.is_taking_part());
    turns.wake(&turns);
  });
  stranger.join();
  EXPECT_FALSE(turns.takes_turns()) << "alone";
  others.reserve(1);
  std::thread& second = begin([&] { EXPECT_TRUE(turns.takes_turns()); });
  EXPECT_TRUE(turns.takes_turns());
  join(second);
  EXPECT_FALSE(turns.are_several());
}

}  // namespace
}  // namespace heddle_checker
