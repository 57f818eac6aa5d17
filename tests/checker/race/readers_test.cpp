// Which readers of a word are kept, and which ones represent others.
#include "scene.hpp"

namespace heddle_checker {
namespace {

class readers : public scene {
 protected:
  readers() : scene(3) {}

  void read_by_three_warps() {
    for (const unsigned thread : {5u, 6u, 40u, 70u, 71u}) read({0, thread});
  }
};

TEST_F(readers, race_with_a_writer_in_the_last_of_several_warps) {
  read_by_three_warps();
  write({0, 70});
  expect_race({0, 5}, {0, 70});
}

TEST_F(readers, race_with_a_writer_in_the_first_of_several_warps) {
  read_by_three_warps();
  detector.warp_sync(*block[0], 0, ~0u);
  write({0, 6});
  expect_race({0, 40}, {0, 6});
}

TEST_F(readers, race_with_a_writer_in_another_block) {
  read_by_three_warps();
  write({1, 0});
  expect_race({0, 5}, {1, 0});
}

TEST_F(readers, come_before_a_writer_after_a_block_barrier) {
  read_by_three_warps();
  barrier(0);
  write({0, 70});
  read_by_three_warps();  // nothing orders these after the write
  ASSERT_EQ(reported.size(), 1u);
}

TEST_F(readers, represent_readers_of_a_third_block) {
  for (const unsigned each : {0u, 1u, 2u}) read({each, 3});
  write({2, 3});
  expect_race({0, 3}, {2, 3});
}

TEST_F(readers, come_before_a_writer_after_a_grid_barrier) {
  for (const unsigned each : {0u, 1u, 2u}) read({each, 3});
  detector.grid_barrier(grid);
  write({2, 3});
  expect_silence();
}

// The reader that is not ordered before the writer is neither of the first two.
TEST_F(readers, are_all_kept_once_a_lane_releases) {
  fence({0, 0});
  read_by_three_warps();
  for (const unsigned thread : {5u, 6u, 40u}) {
    update({0, thread}, flag, order::release);
    load({0, 90}, flag, order::acquire);
  }
  detector.warp_sync(*block[0], 2, ~0u & ~(1u << 6 | 1u << 7));  // all but 70 and 71
  write({0, 90});
  expect_race({0, 70}, {0, 90});
}

class all_readers : public scene {
 protected:
  all_readers() : scene(1, {.keeps_all_readers = true}) {}
};

TEST_F(all_readers, are_kept_if_the_setting_says_so) {
  for (unsigned thread = 0; thread < threads; ++thread) read({0, thread});
  std::vector<unsigned> all_but_one;
  for (unsigned thread = 0; thread < threads; ++thread) {
    if (thread != 70) all_but_one.push_back(thread);
  }
  detector.partial_barrier(*block[0], all_but_one);
  write({0, 3});
  expect_race({0, 70}, {0, 3});
}

}  // namespace
}  // namespace heddle_checker
