// Only one thread is in the checker at a time; others get in between two steps of a running grid.
#include "checker/schedule/turnstile.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace heddle_checker {
namespace {

TEST(turnstile, lets_one_thread_in_at_a_time) {
  turnstile door;
  int inside = 0, visits = 0;
  std::vector<std::thread> guests;
  for (int i = 0; i < 4; ++i) {
    guests.emplace_back([&] {
      for (int visited = 0; visited < 1000; ++visited) {
        const visit mine(&door);
        EXPECT_EQ(++inside, 1);
        ++visits;
        --inside;
      }
    });
  }
  for (std::thread& each : guests) each.join();
  EXPECT_EQ(visits, 4000);
  EXPECT_FALSE(door.is_wanted());
}

TEST(turnstile, lets_the_thread_inside_enter_again) {
  turnstile door;
  {
    const visit outer(&door);
    { const visit inner(&door); }
    std::atomic<bool> is_inside{false};
    std::thread other([&] {
      const visit mine(&door);
      is_inside = true;
    });
    while (!door.is_wanted()) std::this_thread::yield();
    EXPECT_FALSE(is_inside) << "the inner visit must not end the outer one";
    door.let_others_in();
    EXPECT_TRUE(is_inside);
    other.join();
  }
  const visit last(&door);
  EXPECT_FALSE(door.is_wanted());
}

TEST(turnstile, allows_a_visit_to_nothing) { const visit nowhere(nullptr); }

}  // namespace
}  // namespace heddle_checker
