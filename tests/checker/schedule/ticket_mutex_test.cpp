// Only one thread is in the checker at a time; others get in between two steps of a running grid.
#include "checker/schedule/ticket_mutex.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace heddle_checker {
namespace {

TEST(ticket_mutex, admits_one_thread_at_a_time) {
  ticket_mutex mutex;
  int inside = 0, locks = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int locked = 0; locked < 1000; ++locked) {
        const ticket_lock_guard guard(&mutex);
        EXPECT_EQ(++inside, 1);
        ++locks;
        --inside;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(locks, 4000);
  EXPECT_FALSE(mutex.has_waiters());
}

TEST(ticket_mutex, is_recursive) {
  ticket_mutex mutex;
  {
    const ticket_lock_guard outer(&mutex);
    { const ticket_lock_guard inner(&mutex); }
    std::atomic<bool> is_inside{false};
    std::thread other([&] {
      const ticket_lock_guard guard(&mutex);
      is_inside = true;
    });
    while (!mutex.has_waiters()) std::this_thread::yield();
    EXPECT_FALSE(is_inside) << "the inner guard must not unlock the mutex";
    mutex.yield();
    EXPECT_TRUE(is_inside);
    other.join();
  }
  const ticket_lock_guard last(&mutex);
  EXPECT_FALSE(mutex.has_waiters());
}

TEST(ticket_mutex, has_a_guard_that_accepts_null) { const ticket_lock_guard guard(nullptr); }

}  // namespace
}  // namespace heddle_checker
