// Releases and acquires: which of them synchronise, and what they order.
#include "scene.hpp"

namespace heddle_checker {
namespace {

class messages : public scene {
 protected:
  static constexpr lane_name sender{0, 1};
  static constexpr lane_name receiver{1, 2};
};

TEST_F(messages, arrive_with_fences_around_relaxed_atomics) {
  write(sender);
  fence(sender);
  store(sender);
  load(receiver);
  fence(receiver);
  read(receiver);
  write(receiver);
  expect_silence();
}

TEST_F(messages, need_the_senders_fence) {
  write(sender);
  store(sender);
  load(receiver);
  fence(receiver);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, need_the_receivers_fence) {
  write(sender);
  fence(sender);
  store(sender);
  load(receiver);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, do_not_arrive_before_the_flag_is_read) {
  write(sender);
  fence(sender);
  store(sender);
  fence(receiver);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, do_not_arrive_if_the_fence_comes_too_early) {
  fence(sender);
  write(sender);
  store(sender);
  load(receiver);
  fence(receiver);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, do_not_arrive_if_the_flag_is_read_too_early) {
  load(receiver);
  write(sender);
  fence(sender);
  store(sender);
  fence(receiver);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, do_not_arrive_through_another_location) {
  write(sender);
  fence(sender);
  store(sender);
  load(receiver, flag + 4);
  fence(receiver);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, arrive_with_volatile_accesses_and_fences) {
  write(sender);
  fence(sender);
  store_volatile(sender);
  load_volatile(receiver);
  fence(receiver);
  read(receiver);
  expect_silence();
}

TEST_F(messages, race_at_a_plain_flag) {
  write(sender);
  fence(sender);
  write(sender, flag, 4, 8);
  read(receiver, flag, 4, 9);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).address, flag);
}

TEST_F(messages, arrive_with_release_and_acquire) {
  write(sender);
  store(sender, flag, order::release);
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_silence();
}

TEST_F(messages, arrive_with_sequentially_consistent_accesses) {
  write(sender);
  store(sender, flag, order::seq_cst);
  load(receiver, flag, order::seq_cst);
  read(receiver);
  expect_silence();
}

TEST_F(messages, do_not_arrive_with_relaxed_accesses) {
  write(sender);
  store(sender);
  load(receiver);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, do_not_order_what_the_sender_does_later) {
  store(sender, flag, order::release);
  write(sender);
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, are_passed_on_by_relaxed_updates) {
  write(sender);
  store(sender, flag, order::release);
  update({0, 50});
  update({1, 70});
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_silence();
}

TEST_F(messages, are_lost_when_another_lane_stores_to_the_flag) {
  write(sender);
  store(sender, flag, order::release);
  store({0, 50});
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, survive_the_senders_next_store) {
  write(sender);
  store(sender, flag, order::release);
  store(sender);
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_silence();
}

TEST_F(messages, pass_through_several_lanes_and_locations) {
  write(sender);
  store(sender, flag, order::release);
  load({1, 70}, flag, order::acquire);
  store({1, 70}, flag + 4, order::release);
  load(receiver, flag + 4, order::acquire);
  read(receiver);
  expect_silence();
}

TEST_F(messages, pass_through_a_lane_with_fences_alone) {
  write(sender);
  fence(sender);
  store(sender);
  load({1, 70});
  fence({1, 70});
  store({1, 70}, flag + 4);
  load(receiver, flag + 4);
  fence(receiver);
  read(receiver);
  expect_silence();
}

TEST_F(messages, reach_the_whole_block_after_a_barrier) {
  write(sender);
  store(sender, flag, order::release);
  load(receiver, flag, order::acquire);
  barrier(1);
  read({1, 90});
  expect_silence();
}

TEST_F(messages, release_for_the_whole_block_after_a_barrier) {
  write({0, 90});
  barrier(0);
  store(sender, flag, order::release);
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_silence();
}

TEST_F(messages, release_for_a_warp_after_its_sync) {
  write({0, 30});
  detector.warp_sync(*block[0], 0, ~0u);
  store(sender, flag, order::release);
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_silence();
}

TEST_F(messages, release_for_some_lanes_after_their_sync) {
  write({0, 2});
  detector.warp_sync(*block[0], 0, 0b0110);
  store(sender, flag, order::release);
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_silence();
}

TEST_F(messages, do_not_release_for_lanes_outside_the_sync) {
  write({0, 30});
  store(sender, flag, order::release);
  load(receiver, flag, order::acquire);
  read(receiver);
  expect_race({0, 30}, receiver);
}

TEST_F(messages, release_for_the_whole_grid_after_its_barrier) {
  block.push_back(detector.begin_block(grid, 2, threads));
  const agent other = detector.begin_grid({});
  block.push_back(detector.begin_block(other, 0, threads));
  write({2, 30});
  detector.grid_barrier(grid);
  store({0, 1}, flag, order::release);
  load({3, 0}, flag, order::acquire);
  read({3, 0});
  expect_silence();
}

TEST_F(messages, stay_in_the_block_with_a_narrow_scope) {
  write(sender);
  store(sender, flag, order::release, scope::block);
  load({0, 70}, flag, order::acquire, scope::block);
  read({0, 70});
  expect_silence();
}

TEST_F(messages, stay_in_the_block_with_a_narrow_fence) {
  write(sender);
  fence(sender, scope::block);
  store(sender);
  load({0, 70});
  fence({0, 70}, scope::block);
  read({0, 70});
  expect_silence();
  load(receiver);
  fence(receiver);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, come_only_from_the_block_with_a_narrow_acquire_fence) {
  write(sender);
  fence(sender);
  store(sender);
  load(receiver);
  fence(receiver, scope::block);
  read(receiver);
  expect_race(sender, receiver);
}

TEST_F(messages, stay_in_the_cluster_with_cluster_scope) {
  block.push_back(detector.begin_block(grid, 2, threads));
  detector.form_cluster(std::array{block[0], block[1]});
  write(sender);
  fence(sender, scope::cluster);
  store(sender);
  load(receiver);
  fence(receiver, scope::cluster);
  read(receiver);
  expect_silence();
  load({2, 0});
  fence({2, 0});
  read({2, 0});
  expect_race(sender, {2, 0});
}

TEST_F(messages, arrive_through_a_lock) {
  for (const lane_name holder : {sender, receiver, lane_name{0, 60}, sender}) {
    update(holder);  // atomicCAS
    fence(holder);
    read(holder);
    write(holder);
    fence(holder);
    update(holder);  // atomicExch
  }
  expect_silence();
}

TEST_F(messages, do_not_arrive_through_a_lock_without_a_fence_before_its_release) {
  for (const lane_name holder : {sender, receiver}) {
    update(holder);
    fence(holder);
    read(holder);
    write(holder);
    update(holder);
  }
  expect_race(sender, receiver);
}

// The last block to arrive adds up the results of the others and resets the counter.
class last_block : public messages {
 protected:
  void run(bool with_fences) {
    for (const unsigned which : {0u, 1u}) {
      write({which, 0}, data + 4 * which);
      if (with_fences) fence({which, 0});
      update({which, 0});
      if (with_fences) fence({which, 0});
      barrier(which);
    }
    read({1, 0}, data);
    read({1, 40}, data);
    write({1, 40}, flag, 4, 20);
  }
};

TEST_F(last_block, does_not_race_with_fences) {
  run(true);
  expect_silence();
}

TEST_F(last_block, races_without_fences_at_the_data_and_not_at_the_counter) {
  run(false);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).address, data);
}

}  // namespace
}  // namespace heddle_checker
