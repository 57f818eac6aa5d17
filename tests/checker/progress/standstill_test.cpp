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

TEST(Standstill, IsSuspectedAfterAsManyLooksAsPatienceAllows) {
  standstill watch;
  standstill::lane who;
  look_often(watch, who, standstill::patience(lanes) - 1);
  EXPECT_FALSE(watch.is_suspicious(who, lanes));
  look_often(watch, who, 1);
  EXPECT_TRUE(watch.is_suspicious(who, lanes));
}

TEST(Standstill, BeginsAnewWhenSomethingHappens) {
  standstill watch;
  standstill::lane who;
  look_often(watch, who, standstill::patience(lanes) - 1);
  watch.something_happens();
  EXPECT_FALSE(watch.stands_still(who, lanes));
  look_often(watch, who, 1);
  EXPECT_EQ(who.looks, 1u);
  EXPECT_FALSE(watch.is_suspicious(who, lanes));
}

TEST(Standstill, OutlastsALoopThatGivesUpAfterAThousandLooks) {
  for (const std::size_t many : {1, 32, 1024, 100'000}) {
    EXPECT_GT(standstill::patience(many), 1000u);
  }
}

TEST(Standstill, TakesASlowerLaneForOneThatStandsStill) {
  standstill watch;
  standstill::lane slow;
  look_often(watch, slow, standstill::patience(lanes) / 8 - 1);
  EXPECT_FALSE(watch.stands_still(slow, lanes));
  look_often(watch, slow, 1);
  EXPECT_TRUE(watch.stands_still(slow, lanes));
}

TEST(Standstill, CountsARestOnlyWithoutALookBeforeIt) {
  standstill watch;
  standstill::lane who;
  watch.look(who, flag, true, code);
  watch.rest(who);
  EXPECT_EQ(who.looks, 1u);
  watch.rest(who);
  EXPECT_EQ(who.looks, 2u);
}

TEST(Standstill, TellsAWalkFromLooksAtAFewPlaces) {
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
