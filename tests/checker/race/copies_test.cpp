// Asynchronous copies race with every lane that has not waited for them.
#include <random>

#include "scene.hpp"
#include "support/seed.hpp"

namespace heddle_checker {
namespace {

class copies : public scene {
 protected:
  void copy(lane_name lane, direction does, std::uintptr_t address = data) {
    block_clock& beside = detector.ask_for_copy(*block[lane.block], lane.thread);
    detector.access(beside, lane.thread, address, 4, does, line(9));
  }
  vector_clock so_far(lane_name lane) {
    return detector.copies_so_far(*block[lane.block], lane.thread);
  }
  void wait(lane_name lane, const vector_clock& what) {
    detector.has_awaited(*block[lane.block], lane.thread, what);
  }
};

TEST_F(copies, race_with_the_lane_that_started_them) {
  copy({0, 3}, direction::write);
  read({0, 3});
  expect_race({0, 3}, {0, 3});
  EXPECT_TRUE(reported.at(0).first.is_copy);
  EXPECT_FALSE(reported.at(0).second.is_copy);
}

TEST_F(copies, race_with_a_write_to_what_they_read) {
  copy({0, 3}, direction::read);
  write({0, 3});
  expect_race({0, 3}, {0, 3});
  EXPECT_EQ(reported.at(0).first.does, direction::read);
}

TEST_F(copies, come_after_what_the_lane_did_and_acquired) {
  write({0, 40});
  barrier(0);
  write({0, 3}, data + 4);
  copy({0, 3}, direction::read);
  copy({0, 3}, direction::write, data + 4);
  expect_silence();
}

TEST_F(copies, race_with_accesses_that_are_unordered_with_their_lane) {
  write({0, 40});
  copy({0, 3}, direction::read);
  expect_race({0, 40}, {0, 3});
  EXPECT_TRUE(reported.at(0).second.is_copy);
}

TEST_F(copies, are_visible_to_the_lane_that_waited_and_after_its_barrier) {
  copy({0, 3}, direction::write);
  wait({0, 3}, so_far({0, 3}));
  read({0, 3});
  barrier(0);
  read({0, 40});
  write({0, 41}, data + 4);
  barrier(0);
  write({0, 70});
  expect_silence();
}

TEST_F(copies, are_not_visible_to_other_lanes_before_a_barrier) {
  copy({0, 3}, direction::write);
  wait({0, 3}, so_far({0, 3}));
  read({0, 4});
  expect_race({0, 3}, {0, 4});
}

TEST_F(copies, do_not_complete_at_a_block_barrier) {
  copy({0, 3}, direction::write);
  barrier(0);
  read({0, 3});
  expect_race({0, 3}, {0, 3});
}

TEST_F(copies, do_not_complete_with_a_wait_for_earlier_copies) {
  copy({0, 3}, direction::write);
  const vector_clock first = so_far({0, 3});
  copy({0, 3}, direction::write, data + 4);
  wait({0, 3}, first);
  read({0, 3});
  expect_silence();
  read({0, 3}, data + 4);
  expect_race({0, 3}, {0, 3});
}

TEST_F(copies, race_in_shared_memory_only_within_their_block) {
  block_clock* const earlier = detector.begin_block(grid, 7, threads, data, 64);
  detector.access(detector.ask_for_copy(*earlier, 3), 3, data, 4, direction::write, line(9));
  detector.end_block(earlier);
  block_clock* const later = detector.begin_block(grid, 8, threads, data, 64);
  detector.access(*later, 5, data, 4, direction::write, line(2));
  expect_silence();
  detector.access(detector.ask_for_copy(*later, 6), 6, data + 4, 4, direction::write, line(9));
  detector.access(*later, 5, data + 4, 4, direction::read, line(1));
  expect_race({8, 6}, {8, 5});
}

TEST_F(copies, end_with_their_grid) {
  copy({0, 3}, direction::write);
  copy({1, 3}, direction::read, data + 4);
  detector.end_grid(grid);
  const agent next = detector.begin_grid({{grid}});
  block_clock* const fresh = detector.begin_block(next, 0, threads);
  detector.access(*fresh, 9, data, 4, direction::read, line(1));
  detector.access(*fresh, 9, data + 4, 4, direction::write, line(2));
  expect_silence();
}

// Any lane fills a stage of the ring by a copy, and any other reads it, with the waits and
// barriers that this needs: no race is reported, whatever the order of the lanes.
TEST_F(copies, do_not_race_in_a_ring_with_the_right_waits) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 engine(seed);
  const auto some_lane = [&] { return static_cast<unsigned>(engine() % threads); };
  constexpr unsigned stages = 3;
  for (unsigned round = 0; round < 200; ++round) {
    const std::uintptr_t stage = data + 64 * (round % stages);
    const unsigned copier = some_lane();
    copy({0, copier}, direction::write, stage);
    copy({0, copier}, direction::read, base + 8192);
    wait({0, copier}, so_far({0, copier}));
    barrier(0);
    for (unsigned i = 0; i < 5; ++i) read({0, some_lane()}, stage);
    if (round % stages == stages - 1) barrier(0);
  }
  expect_silence();
}

}  // namespace
}  // namespace heddle_checker
