// Which streams, events, waits and messages order grids and the host.
#include <array>

#include "scene.hpp"

namespace heddle_checker {
namespace {

class several_agents : public scene {
 protected:
  several_agents() : scene(0) {}

  // Runs a grid of one block that writes or reads the data, to its end.
  agent grid_that(direction does, std::vector<agent> known, std::uintptr_t address = data) {
    const agent one = detector.begin_grid(known);
    block_clock* const only = detector.begin_block(one, 0, 32);
    detector.access(*only, 3, address, 4, does, line(1));
    detector.end_block(only);
    detector.end_grid(one);
    return one;
  }
  agent host_that(direction does, std::vector<agent> known) {
    block_clock* const action = detector.begin_host_action(known);
    const agent one = detector.agent_of(*action);
    detector.access(*action, 0, data, 64, does, line(2));
    detector.end_block(action);
    return one;
  }
};

TEST_F(several_agents, do_not_race_if_one_follows_the_other) {
  const agent first = grid_that(direction::write, {});
  const agent second = grid_that(direction::read, {first});
  grid_that(direction::write, {second});
  expect_silence();
}

TEST_F(several_agents, race_if_nothing_orders_them) {
  const agent first = grid_that(direction::write, {});
  const agent second = grid_that(direction::read, {});
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).first.of, first);
  EXPECT_EQ(reported.at(0).second.of, second);
  EXPECT_EQ(reported.at(0).first.thread, 3u);
}

TEST_F(several_agents, report_the_reader_rather_than_a_copy_that_races_with_itself) {
  const agent copy = host_that(direction::write, {});
  const agent reader = grid_that(direction::read, {copy});
  const agent again = host_that(direction::write, {});
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).first.of, reader);
  EXPECT_EQ(reported.at(0).second.of, again);
}

TEST_F(several_agents, report_a_copy_that_races_with_itself_if_there_is_no_reader) {
  const agent copy = host_that(direction::write, {});
  host_that(direction::write, {});
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).first.of, copy);
}

TEST_F(several_agents, are_known_as_last_writers) {
  EXPECT_FALSE(detector.last_writer(data).has_value());
  const agent first = grid_that(direction::write, {});
  const agent second = grid_that(direction::write, {first});
  grid_that(direction::read, {second});
  const auto last = detector.last_writer(data);
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->of, second);
  EXPECT_EQ(last->thread, 3u);
  EXPECT_EQ(last->code, line(1));
}

TEST_F(several_agents, come_after_everything_before_their_predecessors) {
  agent last = grid_that(direction::write, {});
  for (unsigned i = 0; i < 10; ++i) last = grid_that(direction::write, {last}, data + 512);
  grid_that(direction::read, {last});
  expect_silence();
}

TEST_F(several_agents, are_ordered_across_streams_by_an_event) {
  const agent one = grid_that(direction::write, {});
  agent other = grid_that(direction::write, {}, data + 512);
  other = grid_that(direction::write, {other}, data + 512);
  grid_that(direction::read, {other, one});
  expect_silence();
}

TEST_F(several_agents, are_not_ordered_across_streams_by_a_later_event) {
  const agent before = grid_that(direction::write, {}, data + 512);
  const agent one = grid_that(direction::write, {before});
  const agent other = grid_that(direction::read, {before}, data + 512);
  grid_that(direction::read, {other});
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).first.of, one);
}

TEST_F(several_agents, are_distinguished_across_many_streams) {
  std::vector<agent> all;
  for (unsigned i = 0; i < 100; ++i) {
    all.push_back(grid_that(direction::write, {}, data + 4 * i));
    all.push_back(grid_that(direction::write, {all.back()}, data + 4 * i));
  }
  grid_that(direction::read, {all[2 * 57 + 1]}, data + 4 * 57);
  host_that(direction::read, all);
  expect_silence();
  grid_that(direction::read, {all[2 * 57 + 1]}, data + 4 * 58);
  EXPECT_EQ(reported.size(), 1u);
}

TEST_F(several_agents, race_with_the_host) {
  grid_that(direction::write, {});
  host_that(direction::read, {});
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_FALSE(reported.at(0).first.is_host);
  EXPECT_TRUE(reported.at(0).second.is_host);
}

TEST_F(several_agents, are_ordered_with_the_host_by_waiting) {
  const agent copied = host_that(direction::write, {});
  const agent ran = grid_that(direction::write, {copied});
  host_that(direction::read, {ran});
  expect_silence();
}

TEST_F(several_agents, synchronize_with_the_host_at_system_scope) {
  block_clock* const host = detector.begin_host_action({});
  const agent one = detector.begin_grid({});
  block_clock* const block = detector.begin_block(one, 0, 32);
  const auto update = [&](block_clock& who, scope reach, order ordering) {
    detector.strong_access(who, 0, flag, 4, direction::update, strength::atomic, reach, ordering,
                           line(3));
  };
  detector.access(*host, 0, data, 4, direction::write, line(1));
  update(*host, scope::system, order::release);
  update(*block, scope::system, order::acquire);
  detector.access(*block, 0, data, 4, direction::read, line(2));
  expect_silence();
  update(*block, scope::device, order::relaxed);
  update(*host, scope::system, order::relaxed);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported.at(0).cause, race_cause::scope);
}

TEST_F(several_agents, pass_on_what_they_acquired_from_a_running_grid) {
  const agent writing = detector.begin_grid({});
  block_clock* const writer = detector.begin_block(writing, 0, 32);
  const agent reading = detector.begin_grid({});
  block_clock* const reader = detector.begin_block(reading, 0, 32);
  detector.access(*writer, 0, data, 4, direction::write, line(1));
  detector.strong_access(*writer, 0, flag, 4, direction::write, strength::atomic, scope::device,
                         order::release, line(2));
  detector.strong_access(*reader, 0, flag, 4, direction::read, strength::atomic, scope::device,
                         order::acquire, line(3));
  detector.end_block(reader);
  detector.end_grid(reading);
  grid_that(direction::read, {reading});
  expect_silence();
  detector.access(*writer, 0, data, 4, direction::write, line(4));
  EXPECT_EQ(reported.size(), 1u);
}

TEST_F(several_agents, pass_on_what_happened_before_them_with_a_message) {
  const agent copied = host_that(direction::write, {});
  const agent sending = detector.begin_grid({&copied, 1});
  block_clock* const sender = detector.begin_block(sending, 0, 32);
  const agent receiving = detector.begin_grid({});
  block_clock* const receiver = detector.begin_block(receiving, 0, 32);
  detector.strong_access(*sender, 0, flag, 4, direction::write, strength::atomic, scope::device,
                         order::release, line(2));
  detector.strong_access(*receiver, 0, flag, 4, direction::read, strength::atomic, scope::device,
                         order::acquire, line(3));
  detector.access(*receiver, 0, data, 4, direction::read, line(1));
  expect_silence();
  detector.access(*receiver, 1, data, 4, direction::read, line(1));
  EXPECT_EQ(reported.size(), 1u);
}

}  // namespace
}  // namespace heddle_checker
