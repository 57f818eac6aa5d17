// Races between atomic, volatile and plain accesses.
#include "scene.hpp"

namespace heddle_checker {
namespace {

class strong_accesses : public scene {};

TEST_F(strong_accesses, do_not_race_with_each_other) {
  update({0, 1});
  update({1, 1});
  load({0, 2});
  store({1, 2});
  store({0, 3});
  load({1, 3});
  load_volatile({0, 4});
  store_volatile({1, 4});
  update({0, 5});
  expect_silence();
}

TEST_F(strong_accesses, race_with_plain_reads) {
  read({0, 1}, flag);
  update({1, 1});
  expect_race({0, 1}, {1, 1});
  EXPECT_EQ(reported.at(0).second.does, direction::update);
  EXPECT_EQ(reported.at(0).second.how, strength::atomic);
  EXPECT_EQ(reported.at(0).second.reach, scope::device);
}

TEST_F(strong_accesses, race_with_plain_writes_before_them) {
  write({0, 1}, flag);
  load({1, 1});
  expect_race({0, 1}, {1, 1});
}

TEST_F(strong_accesses, race_with_plain_writes_after_them) {
  load_volatile({0, 1});
  write({1, 1}, flag);
  expect_race({0, 1}, {1, 1});
  EXPECT_EQ(reported.at(0).first.how, strength::relaxed_volatile);
}

TEST_F(strong_accesses, do_not_race_with_plain_reads_if_they_only_read) {
  load({0, 1});
  read({1, 1}, flag);
  load({0, 2});
  expect_silence();
}

TEST_F(strong_accesses, race_across_blocks_with_block_scope) {
  update({0, 1}, flag, order::relaxed, scope::block);
  update({0, 50}, flag, order::relaxed, scope::block);
  expect_silence();
  update({1, 1}, flag, order::relaxed, scope::block);
  expect_race({0, 50}, {1, 1});
  EXPECT_EQ(reported.at(0).cause, race_cause::scope);
  EXPECT_EQ(reported.at(0).first.reach, scope::block);
}

TEST_F(strong_accesses, race_if_one_of_the_scopes_is_too_narrow) {
  update({0, 1}, flag, order::relaxed, scope::block);
  update({1, 1}, flag, order::relaxed, scope::system);
  expect_race({0, 1}, {1, 1});
  EXPECT_EQ(reported.at(0).cause, race_cause::scope);
}

TEST_F(strong_accesses, do_not_race_with_a_narrow_scope_if_they_are_ordered) {
  update({0, 1}, flag, order::relaxed, scope::block);
  detector.grid_barrier(grid);
  update({1, 1}, flag, order::relaxed, scope::block);
  expect_silence();
}

TEST_F(strong_accesses, race_if_their_sizes_differ) {
  update({0, 1}, flag, order::relaxed, scope::device, 8);
  update({1, 1}, flag + 4, order::relaxed, scope::device, 4);
  expect_race({0, 1}, {1, 1});
  EXPECT_EQ(reported.at(0).cause, race_cause::size);
  EXPECT_EQ(reported.at(0).address, flag + 4);
}

TEST_F(strong_accesses, do_not_race_on_different_halves_of_a_word) {
  update({0, 1}, flag, order::relaxed, scope::device, 2);
  update({1, 1}, flag + 2, order::relaxed, scope::device, 2);
  expect_silence();
  update({1, 2}, flag, order::relaxed, scope::device, 4);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).cause, race_cause::size);
}

// A common bug: lane 0 sets a counter to zero, and nothing orders this before the other lanes'
// additions.
TEST_F(strong_accesses, do_not_hide_a_plain_write_before_them) {
  write({0, 0}, flag);
  update({0, 0});
  update({0, 1});
  expect_race({0, 0}, {0, 1});
  EXPECT_EQ(reported.at(0).first.does, direction::write);
  EXPECT_EQ(reported.at(0).first.how, strength::plain);
}

TEST_F(strong_accesses, may_follow_a_plain_write_after_a_barrier) {
  write({0, 0}, flag);
  barrier(0);
  for (unsigned thread = 0; thread < threads; ++thread) update({0, thread});
  barrier(0);
  read({0, 7}, flag);
  expect_silence();
}

TEST_F(strong_accesses, do_not_hide_an_earlier_unordered_store) {
  store({0, 1});
  store({0, 2});
  detector.warp_sync(*block[0], 0, 0b1100);
  read({0, 3}, flag);
  expect_race({0, 1}, {0, 3});
}

TEST_F(strong_accesses, come_after_a_write_that_they_observed) {
  store({0, 1});
  load({1, 1});
  write({1, 1}, flag);
  expect_silence();
}

TEST_F(strong_accesses, order_an_observed_write_before_lanes_they_synchronise_with) {
  store({0, 1});
  load({1, 1});
  detector.warp_sync(*block[1], 0, 0b0110);
  load({1, 1});
  read({1, 2}, flag);
  expect_silence();
  read({1, 3}, flag);
  expect_race({0, 1}, {1, 3});
}

TEST_F(strong_accesses, do_not_come_after_the_newest_write_if_they_observed_an_earlier_one) {
  store({0, 1});
  load({1, 1});
  store({0, 1});
  write({1, 1}, flag);
  expect_race({0, 1}, {1, 1});
}

TEST_F(strong_accesses, do_not_hide_an_earlier_access_of_narrower_scope) {
  update({0, 1}, flag, order::relaxed, scope::block);
  update({0, 1}, flag, order::relaxed, scope::device);
  update({1, 1}, flag, order::relaxed, scope::device);
  expect_race({0, 1}, {1, 1});
  EXPECT_EQ(reported.at(0).first.reach, scope::block);
  EXPECT_EQ(reported.at(0).cause, race_cause::scope);
}

TEST_F(strong_accesses,
       order_an_observed_write_of_narrower_scope_before_lanes_they_synchronise_with) {
  detector.form_cluster(block);
  store({1, 3}, flag, order::relaxed, scope::cluster);
  update({0, 32}, flag, order::relaxed, scope::device);
  barrier(0);
  update({0, 33}, flag, order::relaxed, scope::cluster);
  store({0, 32}, flag, order::relaxed, scope::block);
  expect_silence();
}

}  // namespace
}  // namespace heddle_checker
