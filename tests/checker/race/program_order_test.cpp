// Which side of a race should come first, as far as the lanes' program order shows it.
#include "scene.hpp"

namespace heddle_checker {
namespace {

class intended_order : public scene {};

constexpr unsigned writing = 2, reading = 1;  // as the scene numbers its lines

TEST_F(intended_order, puts_the_write_first_if_lanes_write_before_they_read) {
  write({0, 0});
  read({0, 0});
  write({0, 40}, data + 4);
  read({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).intended, program_order::first_side);
}

TEST_F(intended_order, follows_the_other_lane_if_the_read_runs_first) {
  write({0, 0}, data + 4);
  read({0, 0});
  write({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).first.does, direction::read);
  EXPECT_EQ(reported.at(0).intended, program_order::second_side);
}

TEST_F(intended_order, puts_the_read_first_if_lanes_overwrite_what_they_read) {
  write({0, 0});
  barrier(0);
  read({0, 0});
  write({0, 0});
  read({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).first.does, direction::write);
  EXPECT_EQ(reported.at(0).intended, program_order::second_side);
}

TEST_F(intended_order, follows_any_lane_that_ran_both_lines) {
  write({0, 0}, data + 64);
  read({0, 0}, data + 64);
  read({0, 1});
  write({0, 40});
  expect_race({0, 1}, {0, 40});
  EXPECT_EQ(reported.at(0).intended, program_order::second_side);
}

TEST_F(intended_order, is_unknown_if_no_lane_runs_both_lines) {
  write({0, 0});
  read({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).intended, program_order::unknown);
  ASSERT_FALSE(reported.at(0).texts.empty());
  EXPECT_EQ(reported.at(0).texts.at(0), std::vector<const void*>{line(reading)});
}

TEST_F(intended_order, is_unknown_within_one_line) {
  write({0, 0});
  write({0, 40});
  expect_race({0, 0}, {0, 40});
  EXPECT_EQ(reported.at(0).intended, program_order::unknown);
}

TEST_F(intended_order, ignores_lines_before_a_barrier) {
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
