// Tells lanes that spin from lanes that only seem to.
#include "checker/explore/spin_watch.hpp"

#include <gtest/gtest.h>

namespace heddle_checker {
namespace {

class spin_watch_test : public testing::Test {
 protected:
  look at(const int& variable, std::uint64_t lane_state) const {
    return {&variable, reinterpret_cast<std::uintptr_t>(&variable), sizeof variable, lane_state, 0};
  }
  footprint write_to(const int& variable) const {
    return {reinterpret_cast<std::uintptr_t>(&variable), sizeof variable, true};
  }
  int flag = 0;
  int other = 0;
  spin_watch watch;
};

TEST_F(spin_watch_test, accepts_the_first_read) {
  EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, 1)));
}

TEST_F(spin_watch_test, notices_a_lane_that_repeats_its_state) {
  watch.has_looked(0, at(flag, 1));
  EXPECT_TRUE(watch.goes_in_a_circle(0, at(flag, 1)));
  EXPECT_FALSE(watch.goes_in_a_circle(1, at(flag, 1)));
  EXPECT_FALSE(watch.has_guessed());
}

TEST_F(spin_watch_test, lets_a_lane_read_a_new_value) {
  watch.has_looked(0, at(flag, 1));
  flag = 1;
  EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, 1)));
}

TEST_F(spin_watch_test, lets_a_lane_loop_if_another_value_it_reads_has_changed) {
  watch.has_looked(0, at(flag, 1));
  watch.has_looked(0, at(other, 2));
  other = 1;
  EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, 1)));
}

TEST_F(spin_watch_test, lets_a_lane_loop_that_has_made_progress) {
  watch.has_looked(0, at(flag, 1));
  watch.has_got_on(0);
  EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, 1)));
}

TEST_F(spin_watch_test, guesses_that_a_lane_waits_after_eight_reads_in_different_states) {
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, i)));
    watch.has_looked(0, at(flag, i));
  }
  EXPECT_TRUE(watch.goes_in_a_circle(0, at(flag, 8)));
  EXPECT_TRUE(watch.has_guessed());
}

TEST_F(spin_watch_test, knows_which_writes_a_lane_would_see) {
  watch.has_looked(0, at(flag, 1));
  EXPECT_TRUE(watch.would_see(0, write_to(flag)));
  EXPECT_FALSE(watch.would_see(0, write_to(other)));
  EXPECT_FALSE(watch.would_see(1, write_to(flag)));
}

}  // namespace
}  // namespace heddle_checker
