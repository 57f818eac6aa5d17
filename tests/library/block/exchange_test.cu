// block::blocked_to_striped and striped_to_blocked: every item ends at its place.
#include <heddle/block/exchange.cuh>

#include <set>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;

template <typename T, int count>
struct row {
  T items[count];
};

// An item that contains its place, as far as its bytes can hold it.
template <typename T>
__host__ __device__ T item_at(int place) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(place * 37 + 5);
  } else {
    return T{place};
  }
}
struct twelve_bytes {
  int place;
  int twice = 2 * place;
  float half = static_cast<float>(place) / 2;
};
struct forty_bytes {
  std::int64_t place;
  std::int64_t rest[4] = {place, place + 1, place + 2, place + 3};
};

// Each thread starts with its items in one arrangement and ends with those of the other. Then again
// at once with other items; in this second round odd warps come late.
template <typename T, int max_threads, int count>
struct exchange_twice {
  bool to_striped;
  __device__ T start(int i, int shift) const {
    const int thread = heddle::thread_rank(), threads = heddle::block_size();
    return item_at<T>((to_striped ? thread * count + i : thread + i * threads) + shift);
  }
  __device__ row<T, 2 * count> operator()() const {
    __shared__ heddle::block::exchange_scratch<T, max_threads, count> scratch;
    row<T, 2 * count> answer;
    for (int round = 0; round < 2; ++round) {
      row<T, count> mine;
      for (int i = 0; i < count; ++i) mine.items[i] = start(i, 1000 * round);
      if (to_striped) {
        heddle::block::blocked_to_striped(mine.items, scratch);
      } else {
        heddle::block::striped_to_blocked(mine.items, scratch);
      }
      for (int i = 0; i < count; ++i) answer.items[round * count + i] = mine.items[i];
      if (heddle::warp_rank() % 2 == 1) __nanosleep(1000);
    }
    return answer;
  }
};

template <typename T, int max_threads, int count>
void expect_exchanged(dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  SCOPED_TRACE(std::string(__PRETTY_FUNCTION__) + ", threads " + std::to_string(threads));
  for (const bool to_striped : {true, false}) {
    const auto answers = answers_of(exchange_twice<T, max_threads, count>{to_striped}, block);
    for (int thread = 0; thread < threads; ++thread) {
      for (int i = 0; i < count; ++i) {
        const int place = to_striped ? thread + i * threads : thread * count + i;
        for (int round = 0; round < 2; ++round) {
          const T expected = item_at<T>(place + 1000 * round);
          ASSERT_EQ(std::memcmp(&answers[thread].items[round * count + i], &expected, sizeof(T)), 0)
              << "thread " << thread << ", item " << i << ", round " << round
              << (to_striped ? ", to striped" : ", to blocked");
        }
      }
    }
  }
}

TEST(block_exchange, serves_blocks_of_every_size) {
  for (unsigned threads :
       {1u, 2u, 31u, 32u, 33u, 63u, 64u, 100u, 256u, 511u, 1000u, 1023u, 1024u}) {
    expect_exchanged<int, 1024, 4>(threads);
    expect_exchanged<int, 1024, 3>(threads);
  }
}

TEST(block_exchange, serves_blocks_of_two_and_three_dimensions) {
  expect_exchanged<int, 1024, 4>(dim3(8, 8));
  expect_exchanged<int, 1024, 4>(dim3(7, 5, 3));
  expect_exchanged<int, 1024, 3>(dim3(1, 33, 2));
}

TEST(block_exchange, takes_any_number_of_items) {
  expect_exchanged<int, 96, 1>(96);
  expect_exchanged<int, 96, 2>(96);
  expect_exchanged<int, 96, 8>(96);
  expect_exchanged<int, 96, 12>(77);
  expect_exchanged<int, 33, 64>(33);
}

TEST(block_exchange, takes_items_of_every_size) {
  expect_exchanged<std::uint8_t, 96, 3>(96);
  expect_exchanged<std::uint8_t, 96, 16>(70);
  expect_exchanged<std::uint16_t, 96, 6>(96);
  expect_exchanged<std::int64_t, 96, 5>(96);
  expect_exchanged<std::int64_t, 96, 8>(33);
  expect_exchanged<twelve_bytes, 96, 4>(96);
  expect_exchanged<twelve_bytes, 96, 3>(95);
  expect_exchanged<forty_bytes, 64, 2>(64);
}

// How many rounds a warp's accesses of `size` bytes take beyond the minimum for their bytes: lanes
// are served in groups of 128 bytes, and in each round every bank delivers one word.
int conflicts(const std::vector<std::size_t>& places, int size) {
  const int lanes_at_once = size <= 4 ? 32 : 128 / size;
  int extra = 0;
  for (int first = 0; first < 32; first += lanes_at_once) {
    std::vector<std::set<std::size_t>> words_of_bank(32);
    for (int lane = first; lane < first + lanes_at_once; ++lane) {
      for (std::size_t word = places[lane] / 4; word * 4 < places[lane] + size; ++word) {
        words_of_bank[word % 32].insert(word);
      }
    }
    std::size_t most = 0;
    for (const auto& words : words_of_bank) most = std::max(most, words.size());
    extra += static_cast<int>(most) - 1;
  }
  return extra;
}

template <typename T, int count>
void expect_no_conflicts() {
  using layout = typename heddle::block::exchange_scratch<T, 64, count>::layout;
  constexpr int threads = 64;
  for (int first = 0; first < threads; first += 32) {
    for (int unit = 0; unit < layout::units; ++unit) {
      std::vector<std::size_t> places(32);
      for (int lane = 0; lane < 32; ++lane) {
        places[lane] = layout::of_owner(first + lane) + unit * layout::owner_unit;
      }
      EXPECT_EQ(conflicts(places, layout::owner_unit), 0) << __PRETTY_FUNCTION__ << ", blocked";
    }
    for (int i = 0; i < count; ++i) {
      std::vector<std::size_t> places(32);
      for (int lane = 0; lane < 32; ++lane) {
        places[lane] = layout::of_item(first + lane + i * threads);
      }
      EXPECT_EQ(conflicts(places, sizeof(T)), 0) << __PRETTY_FUNCTION__ << ", striped " << i;
    }
  }
}

TEST(block_exchange, has_no_bank_conflicts) {
  expect_no_conflicts<float, 1>();
  expect_no_conflicts<float, 2>();
  expect_no_conflicts<float, 3>();
  expect_no_conflicts<float, 4>();
  expect_no_conflicts<float, 6>();
  expect_no_conflicts<float, 8>();
  expect_no_conflicts<float, 12>();
  expect_no_conflicts<float, 16>();
  expect_no_conflicts<float, 24>();
  expect_no_conflicts<float, 64>();
  expect_no_conflicts<double, 3>();
  expect_no_conflicts<double, 4>();
  expect_no_conflicts<double, 8>();
  expect_no_conflicts<float4, 2>();
  expect_no_conflicts<float4, 3>();
}

}  // namespace
