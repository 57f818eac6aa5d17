// The seed decides which blocks of a grid are watched.
#include "checker/schedule/watched_blocks.hpp"

#include <gtest/gtest.h>

#include <set>

namespace heddle_checker {
namespace {

std::set<std::uint64_t> chosen(std::uint64_t most, std::uint64_t seed, std::uint64_t blocks) {
  watched_blocks some;
  some.choose_by(seed, most);
  some.grid_begins(blocks);
  std::set<std::uint64_t> all;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    if (some.contains(block)) all.insert(block);
  }
  EXPECT_EQ(some.watched(), all.size());
  EXPECT_EQ(some.all(), blocks);
  return all;
}

TEST(watched_blocks_test, are_as_many_as_asked_for) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(chosen(7, seed, 20).size(), 7u);
    EXPECT_EQ(chosen(7, seed, 8).size(), 7u);
  }
  EXPECT_EQ(chosen(7, 1, 7).size(), 7u);
  EXPECT_EQ(chosen(7, 1, 3).size(), 3u);
  EXPECT_EQ(chosen(0, 1, 3).size(), 3u);
}

TEST(watched_blocks_test, depend_only_on_the_seed) {
  EXPECT_EQ(chosen(5, 3, 1000), chosen(5, 3, 1000));
  EXPECT_NE(chosen(5, 3, 1000), chosen(5, 4, 1000));
  std::set<std::uint64_t> ever;
  for (std::uint64_t seed = 0; seed < 200; ++seed) ever.merge(chosen(5, seed, 20));
  EXPECT_EQ(ever.size(), 20u);
}

TEST(watched_blocks_test, are_counted_over_all_grids) {
  watched_blocks some;
  some.choose_by(1, 4);
  some.grid_begins(10);
  some.grid_begins(2);
  EXPECT_EQ(some.watched(), 6u);
  EXPECT_EQ(some.all(), 12u);
}

}  // namespace
}  // namespace heddle_checker
