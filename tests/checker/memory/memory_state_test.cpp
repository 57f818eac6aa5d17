// Which bytes exist and have been written, compared with a table of single bytes.
#include "checker/memory/memory_state.hpp"
#include "support/seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace heddle_checker {
namespace {

constexpr std::uintptr_t base = std::uintptr_t{1} << 40;
constexpr std::size_t arena_bytes = std::size_t{8} << 20;
constexpr std::size_t large_begin = 1000, large_bytes = std::size_t{3} << 20;

TEST(memory_state_test, knows_a_large_untouched_allocation) {
  memory_state state({base, arena_bytes});
  state.begin(base + large_begin, large_bytes);
  EXPECT_TRUE(state.exists(base + large_begin, large_bytes));
  EXPECT_FALSE(state.exists(base + large_begin - 1, 1));
  EXPECT_FALSE(state.exists(base + large_begin + large_bytes, 1));
  EXPECT_FALSE(state.is_readable(base + (1 << 20), 4));
  EXPECT_TRUE(state.try_write(base + (1 << 20), 4));
  EXPECT_TRUE(state.is_readable(base + (1 << 20), 4));
  EXPECT_FALSE(state.is_readable(base + (1 << 20) + 4, 4));
  EXPECT_TRUE(state.exists(base + large_begin, large_bytes));
  state.end(base + large_begin, large_bytes);
  EXPECT_FALSE(state.exists(base + (1 << 20), 4));
  EXPECT_FALSE(state.exists(base + (2 << 20), 4));
  EXPECT_FALSE(state.try_write(base + (2 << 20), 4));
}

TEST(memory_state_test, accepts_a_write_to_an_untouched_page) {
  memory_state state({base, arena_bytes});
  state.begin(base, large_bytes);
  state.write(base + (1 << 20) + 8, 8);
  EXPECT_TRUE(state.is_readable(base + (1 << 20) + 8, 8));
  EXPECT_FALSE(state.is_readable(base + (1 << 20), 8));
  EXPECT_TRUE(state.exists(base + (1 << 20), 8));
}

// One large and one small allocation; each operation is compared with a table of bytes.
TEST(memory_state_test, agrees_with_a_table_of_bytes) {
  const auto seed = heddle_test::seed();
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 random(seed);
  enum : unsigned char { nothing, unwritten, written };
  std::vector<unsigned char> table(arena_bytes, nothing);
  memory_state state({base, arena_bytes});
  constexpr std::size_t small_begin = std::size_t{5} << 20, small_bytes = 777;
  for (const auto& [first, bytes] :
       {std::pair{large_begin, large_bytes}, std::pair{small_begin, small_bytes}}) {
    state.begin(base + first, bytes);
    std::fill_n(table.begin() + first, bytes, unwritten);
  }
  for (unsigned round = 0; round < 20000; ++round) {
    const bool is_small = random() % 4 == 0;
    const std::size_t around = is_small ? small_begin - 20 + random() % (small_bytes + 40)
                                        : random() % (large_begin + large_bytes + 100);
    const std::size_t bytes = random() % 50 == 0 ? random() % 200000 : 1 + random() % 16;
    const auto holds = [&](auto test) {
      return std::all_of(table.begin() + around, table.begin() + around + bytes, test);
    };
    const bool exists = holds([](unsigned char one) { return one != nothing; });
    const bool is_readable = holds([](unsigned char one) { return one == written; });
    ASSERT_EQ(state.exists(base + around, bytes), exists) << around << " " << bytes;
    ASSERT_EQ(state.is_written(base + around, bytes), is_readable) << around << " " << bytes;
    if (bytes <= 16) {
      ASSERT_EQ(state.is_readable(base + around, bytes), is_readable) << around << " " << bytes;
    }
    if (random() % 3 != 0) continue;
    if (bytes <= 16) {
      ASSERT_EQ(state.try_write(base + around, bytes), exists) << around << " " << bytes;
      if (!exists) continue;
    } else {
      state.write(base + around, bytes);
    }
    for (std::size_t i = around; i < around + bytes; ++i) {
      if (table[i] == unwritten) table[i] = written;
    }
  }
}

}  // namespace
}  // namespace heddle_checker
