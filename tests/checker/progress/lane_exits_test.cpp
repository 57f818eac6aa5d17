// Where the lanes of finished blocks exited.
#include <gtest/gtest.h>

#include "checker/progress/lane_exits.hpp"

namespace heddle_checker {
namespace {

const void* line(unsigned number) {
  return reinterpret_cast<const void*>(std::uintptr_t{0x1000} + number);
}

TEST(lane_exits, are_kept_for_each_lane_of_a_block) {
  lane_exits all;
  exits_of_block alike(32, line(1));
  exits_of_block mixed(32, line(1));
  mixed[7] = line(2);
  all.block_ends(4, alike);
  all.block_ends(5, mixed);
  EXPECT_EQ(all.find(4, 31), line(1));
  EXPECT_EQ(all.find(5, 6), line(1));
  EXPECT_EQ(all.find(5, 7), line(2));
  EXPECT_EQ(all.find(6, 0), nullptr);
  all.grid_begins();
  EXPECT_EQ(all.find(4, 31), nullptr);
}

}  // namespace
}  // namespace heddle_checker
