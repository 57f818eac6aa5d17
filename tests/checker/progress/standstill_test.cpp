// Lanes that poll memory while nothing changes.
#include "checker/progress/standstill.hpp"

#include <gtest/gtest.h>

namespace heddle_checker {
namespace {

constexpr std::size_t lanes = 32;
constexpr std::uintptr_t flag = 0x1000;
const void* const code = &lanes;

void look_often(standstill& watch, standstill::lane& who, std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) watch.look(who, flag, true, code);
}

TEST(standstill_test, is_suspected_after_the_allowed_number_of_reads) {
  standstill watch;
  standstill::lane who;
  look_often(watch, who, standstill::suspicious_looks(lanes) - 1);
  EXPECT_FALSE(watch.is_suspicious(who, lanes));
  look_often(watch, who, 1);
  EXPECT_TRUE(watch.is_suspicious(who, lanes));
}

TEST(standstill_test, starts_over_when_something_happens) {
  standstill watch;
  standstill::lane who;
  look_often(watch, who, standstill::suspicious_looks(lanes) - 1);
  watch.something_happens();
  EXPECT_FALSE(watch.stands_still(who, lanes));
  look_often(watch, who, 1);
  EXPECT_EQ(who.looks, 1u);
  EXPECT_FALSE(watch.is_suspicious(who, lanes));
}

TEST(standstill_test, tolerates_a_loop_that_gives_up_after_a_thousand_reads) {
  for (const std::size_t many : {1, 32, 1024, 100'000}) {
    EXPECT_GT(standstill::suspicious_looks(many), 1000u);
  }
}

TEST(standstill_test, counts_a_slower_lane_as_standing_still) {
  standstill watch;
  standstill::lane slow;
  look_often(watch, slow, standstill::suspicious_looks(lanes) / 8 - 1);
  EXPECT_FALSE(watch.stands_still(slow, lanes));
  look_often(watch, slow, 1);
  EXPECT_TRUE(watch.stands_still(slow, lanes));
}

TEST(standstill_test, counts_a_rest_only_without_a_read_before_it) {
  standstill watch;
  standstill::lane who;
  watch.look(who, flag, true, code);
  watch.rest(who);
  EXPECT_EQ(who.looks, 1u);
  watch.rest(who);
  EXPECT_EQ(who.looks, 2u);
}

TEST(standstill_test, distinguishes_a_walk_from_reads_of_a_few_places) {
  standstill watch;
  standstill::lane who;
  for (int round = 0; round < 3; ++round) {
    for (std::uintptr_t i = 0; i < 4; ++i) watch.look(who, flag + 4 * i, true, code);
  }
  EXPECT_FALSE(who.walks());
  watch.look(who, flag + 16, true, code);
  EXPECT_TRUE(who.walks());
  EXPECT_TRUE(who.only_atomically);
  watch.look(who, flag, false, code);
  EXPECT_FALSE(who.only_atomically);
}

}  // namespace
}  // namespace heddle_checker
