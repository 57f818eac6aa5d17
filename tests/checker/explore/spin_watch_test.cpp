// Tells lanes that spin from lanes that only seem to.
#include "checker/explore/spin_watch.hpp"

#include <gtest/gtest.h>

namespace heddle_checker {
namespace {

class SpinWatch : public testing::Test {
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

TEST_F(SpinWatch, DoesNotMindTheFirstLook) { EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, 1))); }

TEST_F(SpinWatch, NoticesALaneThatIsWhereItWas) {
  watch.has_looked(0, at(flag, 1));
  EXPECT_TRUE(watch.goes_in_a_circle(0, at(flag, 1)));
  EXPECT_FALSE(watch.goes_in_a_circle(1, at(flag, 1)));
  EXPECT_FALSE(watch.has_guessed());
}

TEST_F(SpinWatch, LetsALaneLookAtANewValue) {
  watch.has_looked(0, at(flag, 1));
  flag = 1;
  EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, 1)));
}

TEST_F(SpinWatch, LetsALaneGoRoundIfSomethingElseOnItsWayHasChanged) {
  watch.has_looked(0, at(flag, 1));
  watch.has_looked(0, at(other, 2));
  other = 1;
  EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, 1)));
}

TEST_F(SpinWatch, LetsALaneGoRoundThatHasGotOn) {
  watch.has_looked(0, at(flag, 1));
  watch.has_got_on(0);
  EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, 1)));
}

TEST_F(SpinWatch, GuessesThatALaneWaitsAfterEightLooksInDifferentStates) {
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_FALSE(watch.goes_in_a_circle(0, at(flag, i)));
    watch.has_looked(0, at(flag, i));
  }
  EXPECT_TRUE(watch.goes_in_a_circle(0, at(flag, 8)));
  EXPECT_TRUE(watch.has_guessed());
}

TEST_F(SpinWatch, KnowsWhichChangesALaneWouldSee) {
  watch.has_looked(0, at(flag, 1));
  EXPECT_TRUE(watch.would_see(0, write_to(flag)));
  EXPECT_FALSE(watch.would_see(0, write_to(other)));
  EXPECT_FALSE(watch.would_see(1, write_to(flag)));
}

}  // namespace
}  // namespace heddle_checker
