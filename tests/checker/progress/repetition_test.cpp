// Tells lanes that repeat the same steps forever from lanes that are only slow.
#include "checker/progress/repetition.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle_checker {
namespace {

// Runs a loop nest that compares its counter at each level. True: the lane was taken for one that
// repeats itself.
bool is_taken_for_repetition(std::size_t lanes, const std::vector<std::uint64_t>& rounds) {
  repetition search;
  repetition::lane who;
  search.begin(lanes);
  std::vector<std::uint64_t> counters(rounds.size());
  while (search.is_searching()) {
    std::size_t level = 0;
    while (level < rounds.size()) {
      const std::uint64_t counter = ++counters[level];
      if (search.step(who, mixture().add(level).add(counter).number())) return true;
      if (counter < rounds[level]) break;
      counters[level++] = 0;
    }
    if (level == rounds.size()) return false;  // the loop nest has ended
  }
  return false;
}

TEST(repetition_test, does_not_flag_nested_loops) {
  for (const std::uint64_t outer : {2, 7, 1000, 1'000'000}) {
    for (const std::uint64_t middle : {1, 3, 255, 1024, 70'000}) {
      for (const std::uint64_t inner : {1, 2, 100, 1023, 1024, 1025, 5000, 66'000}) {
        for (const std::size_t lanes : {std::size_t{1}, std::size_t{64}, std::size_t{4096}}) {
          EXPECT_FALSE(is_taken_for_repetition(lanes, {inner, middle, outer}))
              << inner << " in " << middle << " in " << outer << ", lanes " << lanes;
        }
      }
    }
  }
}

TEST(repetition_test, flags_a_lane_that_cycles) {
  for (const std::uint64_t length : {1, 2, 32, 1000}) {
    repetition search;
    repetition::lane who;
    search.begin(64);
    std::uint64_t at = 0;
    bool is_seen = false;
    for (std::uint32_t step = 0; step < 4 * search.quarter(); ++step) {
      ASSERT_TRUE(search.is_searching());
      is_seen = search.step(who, mixture().add(at++ % length).number());
    }
    EXPECT_TRUE(is_seen) << length;
    EXPECT_TRUE(search.repeats(who));
  }
}

TEST(repetition_test, stops_searching_when_a_lane_does_something_new) {
  repetition search;
  repetition::lane one, other;
  search.begin(2);
  for (std::uint32_t step = 0; step < 2 * search.quarter(); ++step) search.step(one, 5);
  search.step(other, 6);
  EXPECT_TRUE(search.is_searching());
  search.step(one, 6);
  EXPECT_FALSE(search.is_searching());
  EXPECT_EQ(search.news(), 1u);
}

TEST(repetition_test, searches_less_often_after_finding_nothing) {
  repetition search;
  search.grid_begins();
  std::uint64_t before = 0;
  while (!search.work(1024)) ++before;
  search.begin(1);
  search.give_up();
  std::uint64_t later = 0;
  while (!search.work(1024)) ++later;
  EXPECT_GT(later, before);
}

}  // namespace
}  // namespace heddle_checker
