// Where the schedules `random` and `pct` preempt lanes, and which lane runs next.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "checker/schedule/schedules.hpp"

namespace heddle_checker {
namespace {

using heddle_host::interruption;

constexpr unsigned events = 4000;

// The events at which the schedule preempts lane 0; every third event is an atomic access.
std::vector<unsigned> stops_of(const char* name, std::uint64_t seed, unsigned threads = 32) {
  const auto order = make_schedule(name, seed);
  order->grid_begins(4, threads);
  std::vector<unsigned> stops;
  for (unsigned event = 0; event < events; ++event) {
    if (order->interrupts(0, 0, event % 3 == 0) != interruption::none) stops.push_back(event);
  }
  return stops;
}

TEST(preempting_schedules, stop_at_the_same_places_for_the_same_seed) {
  for (const char* name : {"random", "pct"}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      EXPECT_EQ(stops_of(name, seed), stops_of(name, seed)) << name << ':' << seed;
    }
    EXPECT_NE(stops_of(name, 1), stops_of(name, 9)) << name;
  }
}

TEST(preempting_schedules, stop_only_at_atomic_accesses_with_some_seeds) {
  for (const char* name : {"random", "pct"}) {
    unsigned only_strong = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const std::vector<unsigned> stops = stops_of(name, seed);
      EXPECT_FALSE(stops.empty()) << name << ':' << seed;
      unsigned plain = 0;
      for (const unsigned stop : stops) plain += stop % 3 != 0;
      only_strong += plain == 0;
    }
    EXPECT_GE(only_strong, 4u) << name;
    EXPECT_LT(only_strong, 8u) << name;
  }
}

TEST(preempting_schedules, let_another_block_run_if_blocks_have_one_lane) {
  for (const char* name : {"random", "pct"}) {
    const auto order = make_schedule(name, 1);
    order->grid_begins(4, 1);
    for (unsigned event = 0; event < events; ++event) {
      EXPECT_NE(order->interrupts(0, 0, true), interruption::for_another_lane);
    }
  }
}

TEST(preempting_schedules, give_no_block_two_turns_while_another_can_run) {
  const std::array<std::uint64_t, 3> blocks{4, 7, 9};
  for (const char* name : {"random", "pct"}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const auto order = make_schedule(name, seed);
      order->grid_begins(16, 32);
      std::array<unsigned, 3> turns{};
      unsigned last = blocks.size();
      for (unsigned turn = 0; turn < 60; ++turn) {
        const unsigned chosen = order->choose_block(blocks.data(), blocks.size());
        ASSERT_LT(chosen, blocks.size());
        EXPECT_NE(chosen, last) << name << ':' << seed;
        last = chosen;
        ++turns[chosen];
      }
      for (const unsigned count : turns) EXPECT_GT(count, 5u) << name << ':' << seed;
    }
  }
}

}  // namespace
}  // namespace heddle_checker
