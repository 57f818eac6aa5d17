// Which array an out-of-range index belongs to.
#include <gtest/gtest.h>

#include "checker/memory/allocations.hpp"

namespace heddle_checker {
namespace {

allocation array_at(std::uintptr_t begin, std::size_t bytes, std::vector<std::size_t> extents) {
  allocation made;
  made.begin = begin;
  made.bytes = bytes;
  made.extents = std::move(extents);
  return made;
}

TEST(out_of_range_index, belongs_to_the_array_with_its_type_and_address) {
  const allocation taps = array_at(1000, 20, {5});
  EXPECT_TRUE(is_left_by(taps, {5, {5}}, 1020));
  EXPECT_TRUE(is_left_by(taps, {-1, {5}}, 996));
  EXPECT_TRUE(is_left_by(taps, {5, {5}}, 1022));  // inside the element
  EXPECT_FALSE(is_left_by(taps, {5, {5}}, 1024));
  EXPECT_FALSE(is_left_by(taps, {6, {5}}, 1020));
  EXPECT_FALSE(is_left_by(taps, {5, {4}}, 1020));
  EXPECT_FALSE(is_left_by(taps, {5, {}}, 1020));
}

TEST(out_of_range_index, belongs_to_a_row_of_a_nested_array) {
  const allocation table = array_at(1000, 48, {3, 4});  // int table[3][4]
  EXPECT_TRUE(is_left_by(table, {4, {4}}, 1016));       // table[0][4]
  EXPECT_TRUE(is_left_by(table, {4, {4}}, 1048));       // table[2][4]
  EXPECT_FALSE(is_left_by(table, {4, {4}}, 1020));
  EXPECT_FALSE(is_left_by(table, {4, {4}}, 1064));  // table[3][4]
  EXPECT_TRUE(is_left_by(table, {3, {3, 4}}, 1048));
  EXPECT_TRUE(is_left_by(table, {3, {3, 4}}, 1060));
  EXPECT_FALSE(is_left_by(table, {3, {3, 4}}, 1064));
}

TEST(out_of_range_index, belongs_to_a_declaration_of_unknown_shape_if_the_size_fits) {
  const allocation slot = array_at(1000, 64, {});
  EXPECT_TRUE(is_left_by(slot, {16, {16}}, 1064));
  EXPECT_FALSE(is_left_by(slot, {16, {15}}, 1064));
}

}  // namespace
}  // namespace heddle_checker
