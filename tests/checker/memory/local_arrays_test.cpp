// Local arrays of lanes: bounds, owners, written bytes, and reuse of their memory.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "checker/memory/local_arrays.hpp"
#include "support/seed.hpp"

namespace heddle_checker {
namespace {

class local_arrays_test : public testing::Test {
 protected:
  static heddle_host::address_range reserve(std::size_t bytes) {
    void* const base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return {reinterpret_cast<std::uintptr_t>(base), bytes};
  }
  std::uintptr_t begin(std::size_t bytes, std::uint64_t lane) {
    return reinterpret_cast<std::uintptr_t>(arrays.begin(bytes, lane, "a", {"x.cu", 3}));
  }
  local_verdict read(std::uintptr_t address, std::uint64_t lane, unsigned bytes = 4) {
    return arrays.touch(address, bytes, direction::read, lane);
  }
  local_verdict write(std::uintptr_t address, std::uint64_t lane, unsigned bytes = 4) {
    return arrays.touch(address, bytes, direction::write, lane);
  }
  void end(std::uintptr_t array) { arrays.end(reinterpret_cast<const void*>(array)); }

  heddle_host::address_range range = reserve(1 << 24);
  local_arrays arrays{range};
};

TEST_F(local_arrays_test, know_their_bounds_and_what_has_been_written) {
  const std::uintptr_t a = begin(32, 1);
  EXPECT_EQ(read(a, 1), local_verdict::unwritten);
  EXPECT_EQ(write(a, 1), local_verdict::fine);
  EXPECT_EQ(read(a, 1), local_verdict::fine);
  EXPECT_EQ(read(a, 1, 8), local_verdict::unwritten);
  EXPECT_EQ(arrays.touch(a + 8, 4, direction::update, 1), local_verdict::unwritten);
  EXPECT_EQ(read(a + 8, 1), local_verdict::fine);
  EXPECT_EQ(write(a + 28, 1), local_verdict::fine);
  EXPECT_EQ(write(a + 32, 1), local_verdict::outside);
  EXPECT_EQ(write(a + 30, 1), local_verdict::outside);
  EXPECT_EQ(read(a - 4, 1), local_verdict::outside);
}

TEST_F(local_arrays_test, belong_to_one_lane) {
  const std::uintptr_t a = begin(32, 1);
  EXPECT_EQ(write(a, 2), local_verdict::of_another_lane);
  EXPECT_EQ(read(a, 1), local_verdict::unwritten);
}

TEST_F(local_arrays_test, are_found_by_any_address_in_them_or_next_to_them) {
  const std::uintptr_t a = begin(1000, 1);
  for (const std::uintptr_t address : {a, a + 999, a + 1000, a - 1}) {
    ASSERT_NE(arrays.around(address), nullptr);
    EXPECT_EQ(arrays.around(address)->begin, a);
    EXPECT_EQ(arrays.around(address)->declared.line, 3);
  }
  EXPECT_EQ(arrays.around(a + (1 << 20)), nullptr);
}

TEST_F(local_arrays_test, count_as_ended_until_their_memory_is_reused) {
  const std::uintptr_t a = begin(32, 1);
  write(a, 1);
  end(a);
  EXPECT_EQ(read(a, 1), local_verdict::ended);
  const std::uintptr_t b = begin(24, 2);
  EXPECT_EQ(a, b);
  EXPECT_EQ(read(b, 2), local_verdict::unwritten);
  EXPECT_EQ(write(b + 24, 2), local_verdict::outside);
}

TEST_F(local_arrays_test, end_with_the_grid) {
  const std::uintptr_t a = begin(32, 1), b = begin(300, 2);
  arrays.end_all();
  EXPECT_EQ(read(a, 1), local_verdict::ended);
  EXPECT_EQ(read(b, 2), local_verdict::ended);
}

TEST_F(local_arrays_test, refuse_sizes_that_do_not_fit) {
  EXPECT_EQ(begin(1 << 24, 1), 0u);
  std::size_t made = 0;
  while (begin(1 << 20, 1) != 0) ++made;
  EXPECT_EQ(made, 8u);  // 2 MiB each, with the gap around them
}

TEST_F(local_arrays_test, never_overlap) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  std::mt19937 random(seed);
  std::map<std::uintptr_t, std::size_t> alive;
  for (int step = 0; step < 20000; ++step) {
    if (alive.size() > 100 || (!alive.empty() && random() % 2 == 0)) {
      const auto which = std::next(alive.begin(), random() % alive.size());
      end(which->first);
      alive.erase(which);
      continue;
    }
    const std::size_t bytes = 1 + random() % 2000;
    const std::uintptr_t made = begin(bytes, step);
    ASSERT_NE(made, 0u) << heddle_test::seed_text();
    ASSERT_EQ(made % local_arrays::alignment, 0u);
    const auto next = alive.lower_bound(made);
    if (next != alive.end()) {
      ASSERT_GE(next->first, made + bytes + 64) << heddle_test::seed_text();
    }
    if (next != alive.begin()) {
      const auto& [begin, size] = *std::prev(next);
      ASSERT_GE(made, begin + size + 64) << heddle_test::seed_text();
    }
    alive[made] = bytes;
  }
}

}  // namespace
}  // namespace heddle_checker
