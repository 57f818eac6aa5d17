// Fully explored states: which orders of steps lead to the same one, and what is kept about it.
#include "checker/explore/known_states.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "checker/explore/order_of_steps.hpp"

namespace heddle_checker {
namespace {

constexpr lane_set both = 3;

trace_entry step_of(std::uint8_t lane, std::uint64_t address, bool writes) {
  return {{address, 4, writes}, both, 0, lane, happening::access};
}

std::uint64_t state_behind(const std::vector<trace_entry>& trace, lane_set able = both,
                           lane_set spinning = 0) {
  order_of_steps order;
  std::vector<order_of_steps::conflict> conflicts;
  for (const trace_entry& entry : trace) order.add(entry, conflicts);
  return order.state(able, spinning);
}

TEST(state_of_an_order, is_the_same_after_steps_that_commute) {
  const auto a = step_of(0, 16, true), b = step_of(1, 32, true), end = step_of(1, 48, false);
  EXPECT_EQ(state_behind({a, b, end}), state_behind({b, a, end}));
  const auto look = step_of(0, 16, false), other_look = step_of(1, 16, false);
  EXPECT_EQ(state_behind({look, other_look, end}), state_behind({other_look, look, end}));
}

TEST(state_of_an_order, differs_after_steps_that_do_not_commute) {
  const auto a = step_of(0, 16, true), b = step_of(1, 16, false), end = step_of(1, 48, false);
  EXPECT_NE(state_behind({a, b, end}), state_behind({b, a, end}));
  EXPECT_NE(state_behind({a, b}), state_behind({a}));
  EXPECT_NE(state_behind({step_of(0, 16, true)}, 2), state_behind({step_of(1, 16, true)}, 1));
}

TEST(state_of_an_order, differs_if_another_lane_has_the_turn_or_spins) {
  const auto a = step_of(0, 16, true), b = step_of(1, 32, true);
  EXPECT_NE(state_behind({a, b}), state_behind({b, a}));        // the last lane keeps its turn
  EXPECT_EQ(state_behind({a, b}, 4), state_behind({b, a}, 4));  // neither can go on
  EXPECT_NE(state_behind({a, b}, 1, 2), state_behind({a, b}, 1, 0));
}

TEST(state_of_an_order, gives_no_lane_the_turn_after_a_barrier) {
  const auto a = step_of(0, 16, true), b = step_of(1, 32, true);
  const trace_entry meeting{{}, both, 0, 0, happening::meeting};
  EXPECT_EQ(state_behind({a, b, meeting}), state_behind({b, a, meeting}));
}

TEST(known_states_test, apply_to_runs_with_at_least_as_many_preemptions) {
  known_states known;
  EXPECT_FALSE(known.has(7, 3));
  known.add(7, 2, {});
  EXPECT_FALSE(known.has(7, 1));
  EXPECT_TRUE(known.has(7, 2));
  EXPECT_TRUE(known.has(7, 3));
  EXPECT_FALSE(known.has(8, 3));
}

TEST(known_states_test, keep_the_races_of_the_run_with_fewest_preemptions) {
  known_states known;
  const std::vector<race_behind> few{{5, 63, 1, 0}}, more{{5, 2, 1, 0}, {500000, 1, 62, 1}};
  known.add(7, 2, few);
  known.add(7, 3, more);
  ASSERT_EQ(known.races_behind(7).size(), 1u);
  EXPECT_EQ(known.races_behind(7)[0].of_lane, 63u);
  known.add(7, 1, more);
  ASSERT_EQ(known.races_behind(7).size(), 2u);
  EXPECT_EQ(known.races_behind(7)[1].number, 500000u);
  EXPECT_EQ(known.races_behind(7)[1].lane, 62u);
  EXPECT_TRUE(known.races_behind(7)[1].is_at_begin);
}

}  // namespace
}  // namespace heddle_checker
