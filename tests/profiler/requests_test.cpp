// What a single request costs: sectors, wavefronts, lanes per address, strides.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "profiler/addresses.hpp"
#include "profiler/banks.hpp"
#include "profiler/sectors.hpp"
#include "support/seed.hpp"

namespace {

using namespace heddle_profiler;

request with_stride(std::uintptr_t first, std::intptr_t stride, unsigned bytes,
                    std::uint32_t mask = ~0u) {
  request made;
  made.mask = mask;
  made.bytes = bytes;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    made.address[lane] = first + static_cast<std::uintptr_t>(stride * static_cast<int>(lane));
  }
  return made;
}

constexpr std::uintptr_t base = 0x10000;

TEST(sectors_of_a_request, are_four_for_dense_words) {
  const sector_cost cost = sectors_of(with_stride(base, 4, 4));
  EXPECT_EQ(cost.sectors, 4u);
  EXPECT_EQ(cost.fewest, 4u);
  EXPECT_EQ(cost.used_bytes, 128u);
}

TEST(sectors_of_a_request, are_five_for_words_that_start_inside_a_sector) {
  EXPECT_EQ(sectors_of(with_stride(base + 28, 4, 4)).sectors, 5u);
  EXPECT_EQ(sectors_of(with_stride(base + 28, 4, 4)).fewest, 4u);
}

TEST(sectors_of_a_request, are_one_if_all_lanes_read_one_word) {
  const sector_cost cost = sectors_of(with_stride(base, 0, 4));
  EXPECT_EQ(cost.sectors, 1u);
  EXPECT_EQ(cost.used_bytes, 4u);
}

TEST(sectors_of_a_request, ignore_lanes_that_do_not_take_part) {
  EXPECT_EQ(sectors_of(with_stride(base, 32, 4, 0x80000001u)).sectors, 2u);
  EXPECT_EQ(sectors_of(with_stride(base, 32, 4, 0)).sectors, 0u);
}

TEST(sectors_of_a_request, are_two_for_an_access_that_crosses_a_sector_boundary) {
  EXPECT_EQ(sectors_of(with_stride(base + 24, 0, 16, 1)).sectors, 2u);
}

TEST(sectors_of_a_request, agree_with_a_set_of_all_bytes) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  std::mt19937 random(seed);
  for (int round = 0; round < 2000; ++round) {
    request what;
    what.mask = static_cast<std::uint32_t>(random());
    what.bytes = 1u << random() % 5;
    const unsigned reach = 1u << random() % 12;
    for (auto& address : what.address) address = base + random() % reach * (random() % 2 + 1);
    std::set<std::uintptr_t> bytes, sectors;
    what.for_each_lane([&](unsigned lane) {
      for (unsigned i = 0; i < what.bytes; ++i) {
        bytes.insert(what.address[lane] + i);
        sectors.insert((what.address[lane] + i) / 32);
      }
    });
    const sector_cost cost = sectors_of(what);
    ASSERT_EQ(cost.sectors, sectors.size()) << heddle_test::seed_text() << ", round " << round;
    ASSERT_EQ(cost.used_bytes, bytes.size()) << heddle_test::seed_text() << ", round " << round;
  }
}

// Matches the counts of Nsight Compute on an H200; see expected/lanes_2.txt and similar files.
TEST(sectors_of_atomics, are_visited_once_for_each_lane_of_an_address) {
  const auto shared_by = [](unsigned lanes) {
    request made = with_stride(base, 0, 4);
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) made.address[lane] += lane / lanes * 4;
    return made;
  };
  EXPECT_EQ(sectors_of_atomics(shared_by(1)), 4u);
  EXPECT_EQ(sectors_of_atomics(shared_by(2)), 4u);
  EXPECT_EQ(sectors_of_atomics(shared_by(4)), 4u);
  EXPECT_EQ(sectors_of_atomics(shared_by(8)), 8u);
  EXPECT_EQ(sectors_of_atomics(shared_by(16)), 16u);
  EXPECT_EQ(sectors_of_atomics(shared_by(32)), 32u);
  EXPECT_EQ(sectors_of_atomics(with_stride(base, 32, 4)), 32u);
  EXPECT_EQ(sectors_of_atomics(with_stride(base, 32, 4, 0x80000001u)), 2u);
  EXPECT_EQ(sectors_of_atomics(with_stride(base, 0, 4, 0)), 0u);
}

TEST(sectors_of_atomics, are_visited_as_often_as_the_busiest_address) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  std::mt19937 random(seed);
  for (int round = 0; round < 2000; ++round) {
    request what;
    what.mask = static_cast<std::uint32_t>(random());
    what.bytes = 4;
    const unsigned reach = 1u << random() % 8;
    for (auto& address : what.address) address = base + random() % reach * 4;
    std::map<std::uintptr_t, std::map<std::uintptr_t, unsigned>> lanes_of;
    what.for_each_lane([&](unsigned lane) {
      const std::uintptr_t address = what.address[lane];
      ++lanes_of[address / 32][address];
    });
    unsigned visits = 0;
    for (const auto& [sector, addresses] : lanes_of) {
      unsigned most = 0;
      for (const auto& [address, lanes] : addresses) most = std::max(most, lanes);
      visits += most;
    }
    ASSERT_EQ(sectors_of_atomics(what), visits) << heddle_test::seed_text() << ", round " << round;
  }
}

TEST(bank_conflicts, are_as_many_as_the_common_divisor_of_stride_and_banks) {
  for (const unsigned ways : {1u, 2u, 4u, 8u, 16u, 32u}) {
    const bank_cost cost = banks_of(with_stride(base, static_cast<int>(ways * 4), 4));
    EXPECT_EQ(cost.wavefronts, ways);
    EXPECT_EQ(cost.ways, ways);
    EXPECT_EQ(cost.fewest, 1u);
  }
  EXPECT_EQ(banks_of(with_stride(base, 33 * 4, 4)).wavefronts, 1u);
}

TEST(bank_conflicts, do_not_occur_for_a_broadcast) {
  EXPECT_EQ(banks_of(with_stride(base, 0, 4)).wavefronts, 1u);
  EXPECT_EQ(banks_of(with_stride(base, 1, 1)).wavefronts, 1u);
}

TEST(bank_conflicts, are_counted_per_part_of_the_warp_for_wide_elements) {
  EXPECT_EQ(banks_of(with_stride(base, 8, 8)).wavefronts, 2u);
  EXPECT_EQ(banks_of(with_stride(base, 16, 16)).wavefronts, 4u);
  EXPECT_EQ(banks_of(with_stride(base, 16, 16)).ways, 1u);
  EXPECT_EQ(banks_of(with_stride(base, 16, 8)).wavefronts, 4u);
  EXPECT_EQ(banks_of(with_stride(base, 8, 8, 0xffffu)).wavefronts, 1u);
}

TEST(bank_conflicts, serialise_atomics_on_one_word) {
  EXPECT_EQ(banks_of_atomics(with_stride(base, 0, 4)).wavefronts, 32u);
  EXPECT_EQ(banks_of_atomics(with_stride(base, 4, 4)).wavefronts, 1u);
}

TEST(addresses_of_a_request, count_the_lanes_that_share_one) {
  request what = with_stride(base, 4, 4);
  what.address[5] = what.address[6] = base;
  const address_sharing sharing = sharing_of(what);
  EXPECT_EQ(sharing.addresses, 30u);
  EXPECT_EQ(sharing.most_on_one, 3u);
}

TEST(addresses_of_a_request, have_a_stride_if_all_lanes_agree) {
  EXPECT_TRUE(stride_of(with_stride(base, 12, 4)).is_constant);
  EXPECT_EQ(stride_of(with_stride(base, -12, 4)).bytes, -12);
  EXPECT_EQ(stride_of(with_stride(base, 12, 4, 0x55555555u)).bytes, 12);
  request what = with_stride(base, 12, 4);
  what.address[31] += 4;
  EXPECT_FALSE(stride_of(what).is_constant);
  EXPECT_FALSE(stride_of(with_stride(base, 12, 4, 1)).is_constant);
}

}  // namespace
