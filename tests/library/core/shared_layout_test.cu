// Where items are in shared memory: disjoint, aligned, and without bank conflicts.
#include <heddle/core/shared_layout.cuh>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "support/on_device.cuh"

namespace {
using heddle::detail::access_size;
using heddle::detail::shared_layout;
using namespace heddle_test;

static_assert(access_size(1) == 1 && access_size(6) == 2 && access_size(12) == 4);
static_assert(access_size(24) == 8 && access_size(48) == 16 && access_size(64) == 16);

// For a warp in which lane i accesses `unit` bytes at places[i]: how many rounds the banks need
// beyond the minimum for that many bytes. Lanes are served in groups that fill 128 bytes together,
// and a bank delivers one word per round.
int rounds_too_many(const std::vector<unsigned>& places, int unit) {
  const std::size_t group = static_cast<std::size_t>(unit < 4 ? 32 : 128 / unit);
  int too_many = 0;
  for (std::size_t first = 0; first < places.size(); first += group) {
    std::map<unsigned, std::set<unsigned>> words_of_bank;
    for (std::size_t i = first; i < std::min(first + group, places.size()); ++i) {
      for (unsigned word = places[i] / 4; word <= (places[i] + static_cast<unsigned>(unit) - 1) / 4;
           ++word) {
        words_of_bank[word % 32].insert(word);
      }
    }
    std::size_t rounds = 1;
    for (const auto& [bank, words] : words_of_bank) rounds = std::max(rounds, words.size());
    too_many += static_cast<int>(rounds) - 1;
  }
  return too_many;
}

template <int item_size, int owners, int count>
void expect_items_apart() {
  using layout = shared_layout<item_size, owners, count>;
  SCOPED_TRACE(testing::Message() << count << " items of " << item_size << " bytes of each of "
                                  << owners << " owners");
  std::vector<bool> is_used(layout::bytes, false);
  for (unsigned owner = 0; owner < owners; ++owner) {
    ASSERT_EQ(layout::of_owner(owner) % layout::owner_unit, 0u) << "owner " << owner;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned place = layout::of_item(owner * count + i);
      ASSERT_EQ(place, layout::of_owner(owner) + i * item_size) << "the two ways differ";
      ASSERT_EQ(place % layout::item_unit, 0u);
      for (unsigned byte = place; byte < place + item_size; ++byte) {
        ASSERT_LT(byte, static_cast<unsigned>(layout::bytes)) << "beyond the end";
        ASSERT_FALSE(is_used[byte]) << "two items meet in byte " << byte;
        is_used[byte] = true;
      }
    }
  }
}

// Each lane accesses one unit of its own items, at the same offset in them.
template <int item_size, int owners, int count>
void expect_no_conflicts_by_owner() {
  using layout = shared_layout<item_size, owners, count>;
  for (int offset = 0; offset < layout::owner_bytes; offset += layout::owner_unit) {
    for (unsigned first = 0; first + 32 <= owners; first += 32) {
      std::vector<unsigned> places;
      for (unsigned lane = 0; lane < 32; ++lane) {
        places.push_back(layout::of_owner(first + lane) + static_cast<unsigned>(offset));
      }
      ASSERT_EQ(rounds_too_many(places, layout::owner_unit), 0)
          << "owners from " << first << " at offset " << offset;
    }
  }
}
// Each lane accesses one item, in a row.
template <int item_size, int owners, int count>
void expect_no_conflicts_by_item() {
  using layout = shared_layout<item_size, owners, count>;
  for (unsigned first = 0; first + 32 <= owners * count; first += 32) {
    for (int offset = 0; offset < item_size; offset += layout::item_unit) {
      std::vector<unsigned> places;
      for (unsigned lane = 0; lane < 32; ++lane) {
        places.push_back(layout::of_item(first + lane) + static_cast<unsigned>(offset));
      }
      ASSERT_EQ(rounds_too_many(places, layout::item_unit), 0) << "items from " << first;
    }
  }
}

template <int item_size, int... counts>
void expect_good_layouts() {
  (expect_items_apart<item_size, 32, counts>(), ...);
  (expect_items_apart<item_size, 96, counts>(), ...);
  (expect_items_apart<item_size, 33, counts>(), ...);
  (expect_no_conflicts_by_owner<item_size, 64, counts>(), ...);
  (expect_no_conflicts_by_item<item_size, 64, counts>(), ...);
}

TEST(core_shared_layout, keeps_words_apart_and_gives_every_lane_its_own_bank) {
  expect_good_layouts<4, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 32>();
}
TEST(core_shared_layout, does_the_same_for_items_of_two_and_four_words) {
  expect_good_layouts<8, 1, 2, 3, 4, 7, 8, 16, 32>();
  expect_good_layouts<16, 1, 2, 3, 4, 8, 16>();
}
TEST(core_shared_layout, keeps_items_of_odd_sizes_apart) {
  expect_items_apart<1, 32, 7>();
  expect_items_apart<2, 32, 5>();
  expect_items_apart<3, 32, 4>();
  expect_items_apart<12, 64, 6>();
  expect_items_apart<20, 33, 9>();
  expect_items_apart<64, 32, 3>();
}

// Copies 24 bytes to shared memory and back with accesses of 8 bytes.
struct copy_there_and_back {
  struct item {
    std::uint16_t parts[12];
  };
  __device__ item operator()() const {
    using layout = shared_layout<24, 32, 1>;
    __shared__ alignas(16) unsigned char shared[layout::bytes];
    item own, neighbours;
    for (int i = 0; i < 12; ++i) {
      own.parts[i] = static_cast<std::uint16_t>(100 * threadIdx.x + static_cast<unsigned>(i));
    }
    heddle::detail::copy_to_shared<24, 8>(shared + layout::of_item(threadIdx.x), &own);
    __syncthreads();
    heddle::detail::copy_from_shared<24, 8>(&neighbours,
                                            shared + layout::of_item((threadIdx.x + 1) % 32));
    return neighbours;
  }
};

TEST(core_shared_layout, copies_all_bytes_of_an_item) {
  const auto answers = answers_of(copy_there_and_back{}, 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 12; ++i) {
      ASSERT_EQ(answers[lane].parts[i], 100 * ((lane + 1) % 32) + i) << "lane " << lane;
    }
  }
}

}  // namespace
