// Which barriers and warp synchronisations order memory, and for which lanes.
#include <numeric>

#include "scene.hpp"

namespace heddle_checker {
namespace {

class meetings : public scene {};

TEST_F(meetings, are_needed_between_two_lanes_of_a_warp) {
  write({0, 3});
  read({0, 4});
  expect_race({0, 3}, {0, 4});
  EXPECT_EQ(reported.at(0).first.does, direction::write);
  EXPECT_EQ(reported.at(0).first.code, line(2));
  EXPECT_EQ(reported.at(0).first.how, strength::plain);
  EXPECT_EQ(reported.at(0).second.does, direction::read);
  EXPECT_EQ(reported.at(0).second.code, line(1));
  EXPECT_EQ(reported.at(0).address, data);
  EXPECT_EQ(reported.at(0).cause, race_cause::unordered);
  EXPECT_EQ(reported.at(0).first.of, grid);
  EXPECT_FALSE(reported.at(0).first.is_host);
}

TEST_F(meetings, are_not_needed_for_one_lane) {
  write({0, 3});
  read({0, 3});
  write({0, 3});
  expect_silence();
}

TEST_F(meetings, are_needed_between_a_read_and_a_later_write) {
  read({0, 3});
  write({0, 40});
  expect_race({0, 3}, {0, 40});
}

TEST_F(meetings, are_needed_between_two_writes) {
  write({0, 3});
  write({1, 3});
  expect_race({0, 3}, {1, 3});
}

TEST_F(meetings, are_not_needed_between_readers) {
  for (unsigned thread = 0; thread < threads; ++thread) {
    read({0, thread});
    read({1, thread});
  }
  expect_silence();
}

TEST_F(meetings, warp_sync_orders_the_lanes_of_its_warp) {
  write({0, 3});
  detector.warp_sync(*block[0], 0, ~0u);
  read({0, 4});
  write({0, 5}, data + 4);
  detector.warp_sync(*block[0], 0, ~0u);
  write({0, 6});
  expect_silence();
}

TEST_F(meetings, warp_sync_orders_no_other_warp) {
  write({0, 3});
  detector.warp_sync(*block[0], 0, ~0u);
  detector.warp_sync(*block[0], 1, ~0u);
  read({0, 40});
  expect_race({0, 3}, {0, 40});
}

TEST_F(meetings, partial_warp_sync_orders_its_lanes) {
  write({0, 3});
  detector.warp_sync(*block[0], 0, 0xff);
  read({0, 4});
  expect_silence();
}

TEST_F(meetings, partial_warp_sync_orders_no_other_lanes) {
  write({0, 3});
  detector.warp_sync(*block[0], 0, 0xff);
  read({0, 8});
  expect_race({0, 3}, {0, 8});
}

TEST_F(meetings, partial_warp_sync_orders_nothing_in_the_other_half) {
  write({0, 3});
  detector.warp_sync(*block[0], 0, 0xffff0000);
  detector.warp_sync(*block[0], 0, 0xfff7);
  read({0, 4});
  expect_race({0, 3}, {0, 4});
}

TEST_F(meetings, pass_on_what_a_lane_acquired) {
  write({0, 0});
  detector.warp_sync(*block[0], 0, 0b0011);
  detector.warp_sync(*block[0], 0, 0b0110);
  detector.warp_sync(*block[0], 0, 0b1100);
  read({0, 3});
  expect_silence();
  read({0, 4});
  expect_race({0, 0}, {0, 4});
}

TEST_F(meetings, do_not_order_what_comes_after_them) {
  detector.warp_sync(*block[0], 0, 0b0011);
  write({0, 0});
  detector.warp_sync(*block[0], 0, 0b0110);
  read({0, 1});
  expect_race({0, 0}, {0, 1});
}

TEST_F(meetings, warp_sync_orders_a_partial_last_warp) {
  block_clock* const small = detector.begin_block(grid, 7, 40);
  const auto access = [&](unsigned thread, direction does) {
    detector.access(*small, thread, data, 4, does, line(1));
  };
  access(33, direction::write);
  detector.warp_sync(*small, 1, ~0u);
  access(39, direction::read);
  expect_silence();
}

TEST_F(meetings, block_barrier_orders_all_lanes_of_the_block) {
  write({0, 3});
  barrier(0);
  read({0, 95});
  read({0, 4});
  barrier(0);
  write({0, 50});
  expect_silence();
}

TEST_F(meetings, block_barrier_orders_no_other_block) {
  write({0, 3});
  barrier(0);
  barrier(1);
  read({1, 3});
  expect_race({0, 3}, {1, 3});
}

TEST_F(meetings, partial_barrier_orders_its_threads) {
  std::vector<unsigned> first_two(64);
  std::iota(first_two.begin(), first_two.end(), 0u);
  write({0, 3});
  detector.partial_barrier(*block[0], first_two);
  read({0, 63});
  write({0, 40}, data + 4);
  expect_silence();
  read({0, 64});
  expect_race({0, 3}, {0, 64});
}

TEST_F(meetings, chain_of_partial_barriers_and_warp_sync_passes_order_on) {
  write({0, 3});
  detector.partial_barrier(*block[0], std::array{3u, 40u, 41u});
  detector.warp_sync(*block[0], 1, ~0u);
  detector.partial_barrier(*block[0], std::array{63u, 64u});
  read({0, 64});
  expect_silence();
  read({0, 65});
  expect_race({0, 3}, {0, 65});
}

TEST_F(meetings, partial_barrier_passes_on_what_its_warps_know) {
  write({0, 3});
  detector.warp_sync(*block[0], 0, ~0u);
  write({0, 7}, data + 4);
  detector.warp_sync(*block[0], 0, 0b10100000);
  detector.partial_barrier(*block[0], std::array{5u, 40u});
  read({0, 40});
  read({0, 40}, data + 4);
  expect_silence();
  read({0, 41});
  expect_race({0, 3}, {0, 41});
}

TEST_F(meetings, cluster_barrier_orders_its_blocks) {
  detector.form_cluster(block);
  write({0, 3});
  detector.cluster_barrier(block);
  read({1, 90});
  expect_silence();
}

TEST_F(meetings, cluster_barrier_orders_no_other_block) {
  block.push_back(detector.begin_block(grid, 2, threads));
  const std::array together{block[0], block[1]};
  detector.form_cluster(together);
  write({0, 3});
  detector.cluster_barrier(together);
  read({2, 3});
  expect_race({0, 3}, {2, 3});
}

TEST_F(meetings, grid_barrier_orders_all_blocks) {
  write({0, 3});
  detector.grid_barrier(grid);
  read({1, 90});
  detector.grid_barrier(grid);
  write({0, 4});
  expect_silence();
}

TEST_F(meetings, grid_barrier_orders_blocks_that_ended_before) {
  write({0, 3});
  detector.end_block(block[0]);
  detector.grid_barrier(grid);
  read({1, 90});
  expect_silence();
}

TEST_F(meetings, grid_barrier_orders_no_other_grid) {
  const agent other = detector.begin_grid({});
  block.push_back(detector.begin_block(other, 0, threads));
  write({0, 3});
  detector.grid_barrier(grid);
  detector.grid_barrier(other);
  read({2, 3});
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).first.of, grid);
  EXPECT_EQ(reported.at(0).second.of, other);
}

// The usual tree reduction in shared memory.
class reduction : public scene {
 protected:
  void run(unsigned last_step_with_barrier) {
    for (unsigned thread = 0; thread < 64; ++thread) write({0, thread}, at(thread));
    barrier(0);
    for (unsigned step = 32; step > 0; step /= 2) {
      for (unsigned thread = 0; thread < step; ++thread) {
        read({0, thread}, at(thread));
        read({0, thread}, at(thread + step));
        write({0, thread}, at(thread));
      }
      if (step >= last_step_with_barrier) barrier(0);
    }
    read({0, 0}, at(0));
  }
  static std::uintptr_t at(unsigned i) { return data + 4 * i; }
};

TEST_F(reduction, does_not_race_with_all_barriers) {
  run(1);
  expect_silence();
}

TEST_F(reduction, races_without_the_last_barriers) {
  run(32);
  ASSERT_FALSE(reported.empty());
  EXPECT_EQ(reported.at(0).first.thread / 32, 0u);
}

}  // namespace
}  // namespace heddle_checker
