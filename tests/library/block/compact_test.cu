// block::rank_kept and compact against plain loops over the items of a block.
#include <heddle/block/compact.cuh>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;

// Keeps one of `one_of` items; 0 keeps none, 1 keeps all.
__host__ __device__ bool is_kept(std::uint64_t seed, int item, int one_of) {
  return one_of != 0 && sample<std::uint32_t>(seed, item) % one_of == 0;
}

template <int count>
struct ranks_of_rounds {
  int ranks[2][count];
  int totals[2];
};

// Two rounds of ranks on one scratch, without a barrier in between. Odd warps come late.
template <int count>
struct rank_twice {
  std::uint64_t seed;
  int one_of;
  __device__ ranks_of_rounds<count> operator()() const {
    __shared__ heddle::block::scratch<int> scratch;
    ranks_of_rounds<count> answer;
    for (int round = 0; round < 2; ++round) {
      bool keep[count];
      for (int i = 0; i < count; ++i) {
        keep[i] = is_kept(seed + round, heddle::thread_rank() * count + i, one_of);
      }
      if constexpr (count == 1) {
        const auto place = heddle::block::rank_kept(keep[0], scratch);
        answer.ranks[round][0] = place.rank;
        answer.totals[round] = place.total;
      } else {
        answer.totals[round] = heddle::block::rank_kept(keep, answer.ranks[round], scratch);
      }
      if (heddle::warp_rank() % 2 == 1) __nanosleep(1000);
    }
    return answer;
  }
};

template <int count>
void expect_ranks(dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  for (int one_of : {0, 1, 2, 7}) {
    SCOPED_TRACE("threads " + std::to_string(threads) + ", items " + std::to_string(count) +
                 ", one of " + std::to_string(one_of));
    const auto answers = answers_of(rank_twice<count>{seed(), one_of}, block);
    for (int round = 0; round < 2; ++round) {
      int kept = 0;
      for (int item = 0; item < threads * count; ++item) {
        ASSERT_EQ(answers[item / count].ranks[round][item % count], kept)
            << "item " << item << " of round " << round;
        kept += is_kept(seed() + round, item, one_of) ? 1 : 0;
      }
      for (int thread = 0; thread < threads; ++thread) {
        ASSERT_EQ(answers[thread].totals[round], kept) << "thread " << thread;
      }
    }
  }
}

TEST(block_rank_kept, serves_blocks_of_every_size) {
  HEDDLE_NAME_SEED();
  for (unsigned threads = 1; threads <= 1024; threads += threads % 32 == 1 ? 30 : 1) {
    expect_ranks<1>(threads);
  }
  for (unsigned threads : {1u, 31u, 32u, 33u, 97u, 512u, 1000u, 1023u, 1024u}) {
    expect_ranks<4>(threads);
  }
}

TEST(block_rank_kept, serves_blocks_of_two_and_three_dimensions) {
  HEDDLE_NAME_SEED();
  expect_ranks<1>(dim3(16, 16));
  expect_ranks<1>(dim3(7, 5, 3));
  expect_ranks<4>(dim3(1, 33, 2));
}

TEST(block_rank_kept, takes_up_to_63_items) {
  HEDDLE_NAME_SEED();
  expect_ranks<3>(100);
  expect_ranks<63>(1024);
}

// 20 bytes that contain their place.
struct record {
  int place;
  int rest[4];
  friend bool operator==(const record& a, const record& b) {
    return std::memcmp(&a, &b, sizeof(record)) == 0;
  }
};

struct place_is_kept {
  std::uint64_t seed;
  int one_of;
  __device__ bool operator()(const record& item) const { return is_kept(seed, item.place, one_of); }
};

template <int count>
struct compact_records {
  std::uint64_t seed;
  int one_of;
  record* output;
  __device__ int operator()() const {
    __shared__ heddle::block::scratch<int> scratch;
    record items[count];
    for (int i = 0; i < count; ++i) {
      const int place = heddle::thread_rank() * count + i;
      items[i] = {place, {place + 1, place + 2, place + 3, place + 4}};
    }
    if constexpr (count == 1) {
      return heddle::block::compact(items[0], is_kept(seed, items[0].place, one_of), output,
                                    scratch);
    } else {
      return heddle::block::compact(items, place_is_kept{seed, one_of}, output, scratch);
    }
  }
};

template <int count>
void expect_compacted(int threads, int one_of) {
  device_array<record> output(threads * count + 1);
  const auto untouched = output.values();
  const auto totals =
      answers_of(compact_records<count>{seed(), one_of, output.data()}, dim3(threads));
  std::vector<record> expected;
  for (int item = 0; item < threads * count; ++item) {
    if (is_kept(seed(), item, one_of)) {
      expected.push_back({item, {item + 1, item + 2, item + 3, item + 4}});
    }
  }
  EXPECT_EQ(totals, std::vector<int>(threads, static_cast<int>(expected.size())));
  expected.insert(expected.end(), untouched.begin() + expected.size(), untouched.end());
  EXPECT_TRUE(output.values() == expected) << threads << " threads, one of " << one_of;
}

TEST(block_compact, writes_kept_items_in_order_and_nothing_else) {
  HEDDLE_NAME_SEED();
  for (int threads : {1, 33, 256, 1000}) {
    for (int one_of : {0, 1, 3}) {
      expect_compacted<1>(threads, one_of);
      expect_compacted<5>(threads, one_of);
    }
  }
}

// Halves a list in shared memory repeatedly, as a filter would.
struct halve_repeatedly {
  __device__ int operator()() const {
    __shared__ heddle::block::scratch<int> scratch;
    __shared__ int list[200];
    int length = heddle::block_size();
    list[threadIdx.x] = threadIdx.x;
    __syncthreads();
    while (length > 1) {
      const int mine = static_cast<int>(threadIdx.x) < length ? list[threadIdx.x] : 0;
      const bool keep = static_cast<int>(threadIdx.x) < length && threadIdx.x % 2 == 1;
      length = heddle::block::compact(mine, keep, list, scratch);
      __syncthreads();
    }
    return list[0];
  }
};

TEST(block_compact, writes_to_shared_memory_repeatedly) {
  EXPECT_EQ(answers_of(halve_repeatedly{}, 200), std::vector<int>(200, 127));
}

}  // namespace
