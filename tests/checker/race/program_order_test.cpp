// Which side of a race should come first, as far as the lanes' program order shows it.
#include "scene.hpp"

namespace heddle_checker {
namespace {

class program_text : public scene {};

constexpr unsigned writing = 2, reading = 1;  // as the scene numbers its lines

TEST_F(program_text, that_writes_before_it_reads_wants_the_write_first) {
  write({0, 0});
  read({0, 0});
  write({0, 40}, data + 4);
  read({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).intended, program_order::first_side);
}

TEST_F(program_text, is_known_of_the_other_lane_when_the_read_is_seen_first) {
  write({0, 0}, data + 4);
  read({0, 0});
  write({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).first.does, direction::read);
  EXPECT_EQ(reported.at(0).intended, program_order::second_side);
}

TEST_F(program_text, that_overwrites_what_was_read_wants_the_read_first) {
  write({0, 0});
  barrier(0);
  read({0, 0});
  write({0, 0});
  read({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).first.does, direction::write);
  EXPECT_EQ(reported.at(0).intended, program_order::second_side);
}

TEST_F(program_text, is_known_of_any_lane_that_has_been_at_both) {
  write({0, 0}, data + 64);
  read({0, 0}, data + 64);
  read({0, 1});
  write({0, 40});
  expect_race({0, 1}, {0, 40});
  EXPECT_EQ(reported.at(0).intended, program_order::second_side);
}

TEST_F(program_text, is_not_known_where_nobody_runs_both) {
  write({0, 0});
  read({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).intended, program_order::unknown);
  ASSERT_FALSE(reported.at(0).texts.empty());
  EXPECT_EQ(reported.at(0).texts.at(0), std::vector<const void*>{line(reading)});
}

TEST_F(program_text, of_one_line_has_no_order) {
  write({0, 0});
  write({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).intended, program_order::unknown);
}

TEST_F(program_text, of_before_a_meeting_does_not_count) {
  code_table codes;
  code_order visited;
  visited.note(line(writing), codes);
  visited.note(line(reading), codes);
  EXPECT_EQ(visited.first_of(line(reading), line(writing), codes), line(writing));
  visited.clear();
  visited.note(line(reading), codes);
  EXPECT_FALSE(visited.first_of(line(reading), line(writing), codes).has_value());
}

}  // namespace
}  // namespace heddle_checker
