// The search finds what a full enumeration of the interleavings finds.
#include "checker/explore/search.hpp"

#include <gtest/gtest.h>

#include <array>

#include "explore/small_machine.hpp"

namespace heddle_checker {
namespace {

explored all_of(const small_program& program, std::optional<unsigned> bound = {}) {
  explored all;
  enumerate(small_machine(program), {}, {}, bound, all);
  return all;
}

small_program random_program(std::mt19937& random, unsigned lanes, unsigned length,
                             const std::vector<verb>& verbs) {
  small_program program(lanes);
  for (auto& lane : program) {
    for (unsigned i = 0; i < length; ++i) {
      instruction one{verbs[random() % verbs.size()],
                      static_cast<unsigned>(random() % small_machine::variables),
                      static_cast<int>(random() % 2)};
      if (one.what == verb::store) one.operand = static_cast<int>(random() % 3);
      if (one.what == verb::skip_if_zero) one.operand = 1;
      lane.push_back(one);
    }
  }
  return program;
}

const std::vector<verb> accesses{verb::load,       verb::load,    verb::store,
                                 verb::store_next, verb::swap_if, verb::skip_if_zero};

std::vector<verb> with(std::vector<verb> verbs, verb more) {
  verbs.push_back(more);
  return verbs;
}

TEST(search_test, runs_lanes_that_share_nothing_once) {
  const explored found =
      explore({{{verb::store, 0, 1}, {verb::load, 0}}, {{verb::store, 1, 1}, {verb::load, 1}}}, {});
  EXPECT_EQ(found.complete, 1u);
  EXPECT_EQ(found.pruned, 0u);
}

TEST(search_test, runs_readers_of_one_variable_once) {
  const std::vector<instruction> lane{{verb::load, 0}, {verb::load, 0}};
  EXPECT_EQ(explore({lane, lane, lane}, {}).complete, 1u);
}

TEST(search_test, runs_writers_of_one_variable_in_every_order) {
  const std::vector<instruction> lane{{verb::store, 0, 1}, {verb::store, 0, 2}};
  EXPECT_EQ(explore({lane, lane}, {}).complete, 6u);         // 4! / (2! 2!)
  EXPECT_EQ(explore({lane, lane, lane}, {}).complete, 90u);  // 6! / (2! 2! 2!)
}

TEST(search_test, finds_the_three_results_of_store_buffering) {
  const explored found =
      explore({{{verb::store, 0, 1}, {verb::load, 1}}, {{verb::store, 1, 1}, {verb::load, 0}}}, {});
  EXPECT_EQ(found.results.size(), 3u);
  EXPECT_EQ(found.complete, 3u);
}

TEST(search_test, finds_a_lost_update) {
  const std::vector<instruction> lane{{verb::load, 0}, {verb::store_next, 0}};
  EXPECT_EQ(explore({lane, lane}, {}).results, all_of({lane, lane}).results);
}

TEST(search_test, does_not_reorder_across_a_barrier) {
  const explored found = explore({{{verb::store, 0, 1}, {verb::barrier}, {verb::load, 1}},
                                  {{verb::store, 1, 1}, {verb::barrier}, {verb::load, 0}}},
                                 {});
  EXPECT_EQ(found.complete, 1u);
  EXPECT_EQ(found.pruned, 0u);
}

TEST(search_test, lets_a_waiting_lane_read_once_for_each_write) {
  const explored found = explore(
      {{{verb::wait_for, 0, 1}, {verb::load, 1}}, {{verb::store, 1, 1}, {verb::store, 0, 1}}}, {});
  EXPECT_EQ(found.complete, 2u);  // it reads before and after the store, or only after it
}

TEST(search_test, finds_a_deadlock_of_two_lanes) {
  const small_program program{{{verb::swap_if, 0, 0}, {verb::wait_for, 1, 0}, {verb::store, 0, 0}},
                              {{verb::swap_if, 1, 0}, {verb::wait_for, 0, 0}, {verb::store, 1, 0}}};
  EXPECT_EQ(explore(program, {}).results, all_of(program).results);
}

TEST(search_test, runs_each_class_of_equivalent_interleavings_once) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const bool has_three = seed % 2 == 0;
    const auto program = random_program(random, has_three ? 3 : 2, has_three ? 3 : 5,
                                        seed % 3 == 0 ? with(accesses, verb::barrier) : accesses);
    const explored all = all_of(program);
    const explored found = explore(program, {});
    EXPECT_EQ(found.results, all.results) << "seed " << seed << '\n' << text_of(program);
    EXPECT_EQ(found.traces, all.traces) << "seed " << seed << '\n' << text_of(program);
    EXPECT_EQ(found.complete, all.traces.size()) << "seed " << seed << '\n' << text_of(program);
  }
}

TEST(search_test, finds_every_result_of_programs_that_wait) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const auto program = random_program(random, 2 + seed % 2, 3, with(accesses, verb::wait_for));
    EXPECT_EQ(explore(program, {}).results, all_of(program).results) << "seed " << seed << '\n'
                                                                     << text_of(program);
  }
}

small_program random_program_for_bounds(unsigned seed) {
  std::mt19937 random(seed);
  auto verbs = seed % 3 == 0 ? with(accesses, verb::barrier) : accesses;
  if (seed % 5 == 0) verbs = with(verbs, verb::wait_for);
  constexpr std::array lengths{5u, 4u, 2u};  // of programs with two, three and four lanes
  return random_program(random, 2 + seed % 3, lengths[seed % 3], verbs);
}

TEST(search_test, runs_each_class_of_interleavings_within_a_preemption_bound) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    const small_program program = random_program_for_bounds(seed);
    const unsigned bound = seed / 3 % 4;
    const explored all = all_of(program, bound);
    const explored found = explore(program, bound);
    EXPECT_EQ(found.results, all.results) << "seed " << seed << " bound " << bound << '\n'
                                          << text_of(program);
    EXPECT_EQ(found.traces, all.traces) << "seed " << seed << " bound " << bound << '\n'
                                        << text_of(program);
    EXPECT_LE(found.complete, all.complete) << "seed " << seed;
  }
}

TEST(search_test, runs_the_same_classes_without_known_states) {
  std::uint64_t stopping = 0, going_on = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const small_program program = random_program_for_bounds(seed);
    const explored short_way = explore(program, 3);
    const explored long_way = explore(program, 3, false);
    EXPECT_EQ(short_way.traces, long_way.traces) << "seed " << seed << '\n' << text_of(program);
    EXPECT_EQ(long_way.pruned, 0u);
    stopping += short_way.complete;
    going_on += long_way.complete;
  }
  EXPECT_LT(2 * stopping, going_on);
}

// By default the last lane to reach a barrier goes on first; another choice is not a preemption.
TEST(search_test, tries_each_lane_after_a_barrier_without_a_preemption) {
  const small_program program{{{verb::barrier}, {verb::store, 0, 1}},
                              {{verb::store, 1, 1}, {verb::barrier}, {verb::store, 0, 2}}};
  EXPECT_EQ(explore(program, 0).results.size(), 2u);
}

TEST(search_test, knows_when_everything_is_explored) {
  const std::vector<instruction> lane{{verb::load, 0}, {verb::store_next, 0}};
  const small_program program{lane, lane};
  search plans;
  double before = -1;
  for (bool goes_on = true; goes_on;) {
    EXPECT_GE(plans.fraction(), 0);
    small_machine machine(program);
    guide way(plans.next());
    std::vector<trace_entry> trace;
    while (const lane_set able = machine.able()) {
      const auto lane_chosen = way.choose(able);
      if (!lane_chosen) break;
      trace.push_back({machine.step(*lane_chosen), able, 0, static_cast<std::uint8_t>(*lane_chosen),
                       happening::access});
      way.went(*lane_chosen, trace.back().what);
    }
    goes_on = plans.learn(trace);
    before = plans.fraction();
  }
  EXPECT_EQ(before, 1);
}

}  // namespace
}  // namespace heddle_checker
