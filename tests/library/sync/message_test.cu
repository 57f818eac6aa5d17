// Words, flags, channels and barriers: what one thread sends reaches the other, together with
// everything it wrote before.
#include <heddle/sync/block_barrier.cuh>
#include <heddle/sync/channel.cuh>
#include <heddle/sync/flag.cuh>

#include <algorithm>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
namespace sync = heddle::sync;
using sync::scope;

template <typename T>
class zeroed_array : public device_array<T> {
 public:
  explicit zeroed_array(std::size_t count = 1) : device_array<T>(count) {
    check(cudaMemset(this->data(), 0, count * sizeof(T)), "cudaMemset");
  }
};

// ---- single words

template <typename T>
struct changes {
  T stored, released, added, exchanged, kept, swapped, not_swapped, smaller, larger, cleared, set;
  friend bool operator==(const changes&, const changes&) = default;
};

template <scope reach, typename T>
__global__ void change_word(T* word, changes<T>* seen) {
  sync::store<reach>(word, T(3));
  seen->stored = sync::load<reach>(word);
  sync::store_release<reach>(word, T(5));
  seen->released = sync::load_acquire<reach>(word);
  seen->added = sync::add<reach>(word, T(6));                           // 5 -> 11
  seen->exchanged = sync::exchange<reach>(word, T(40));                 // 11 -> 40
  seen->not_swapped = sync::compare_exchange<reach>(word, T(7), T(8));  // stays 40
  seen->swapped = sync::compare_exchange<reach>(word, T(40), T(12));    // 40 -> 12
  seen->larger = sync::maximum<reach>(word, T(20));                     // 12 -> 20
  seen->smaller = sync::minimum<reach>(word, T(14));                    // 20 -> 14
  seen->cleared = sync::bit_and<reach>(word, T(6));                     // 14 -> 6
  seen->set = sync::bit_or<reach>(word, T(9));                          // 6 -> 15
  sync::fence<reach>();
  sync::total_fence<reach>();
  seen->kept = sync::load<reach>(word);
}

template <scope reach, typename T>
void expect_changes() {
  device_array<T> word(1);
  device_array<changes<T>> seen(1);
  change_word<reach><<<1, 1>>>(word.data(), seen.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen.values().front(), (changes<T>{3, 5, 5, 11, 15, 40, 40, 20, 12, 14, 6}));
}

TEST(sync_access, reads_and_changes_words_of_four_and_eight_bytes_in_every_scope) {
  expect_changes<scope::block, unsigned>();
  expect_changes<scope::device, unsigned>();
  expect_changes<scope::system, unsigned>();
  expect_changes<scope::block, unsigned long long>();
  expect_changes<scope::device, unsigned long long>();
  expect_changes<scope::system, unsigned long long>();
}

struct pair_of_words {
  float first;
  int second;
};

__global__ void store_pair(pair_of_words* to, pair_of_words* copy) {
  sync::store_release(to, {1.5f, -7});
  *copy = sync::load_acquire(to);
}

TEST(sync_access, moves_structs_of_eight_bytes_whole) {
  device_array<pair_of_words> there(1), copy(1);
  store_pair<<<1, 1>>>(there.data(), copy.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(copy.values().front().first, 1.5f);
  EXPECT_EQ(copy.values().front().second, -7);
}

// ---- flags: block 0 writes, the others wait and read

template <scope reach>
__global__ void pass_on(int* data, sync::flag<reach>* ready, int* sums, int count, int rounds) {
  if (blockIdx.x == 0) {
    for (int round = 1; round <= rounds; ++round) {
      if (threadIdx.x == 0) {
        for (int i = 0; i < count; ++i) data[(round - 1) * count + i] = round + i;
        ready->raise_to(static_cast<unsigned>(round));
      }
    }
    return;
  }
  int sum = 0;
  for (int round = 1; round <= rounds; ++round) {
    ready->wait_for(static_cast<unsigned>(round));
    for (int i = 0; i < count; ++i) sum += data[(round - 1) * count + i];
  }
  sums[(blockIdx.x - 1) * blockDim.x + threadIdx.x] = sum;
}

template <scope reach>
void expect_passed_on() {
  constexpr int count = 5, rounds = 6, readers = 3, threads = 32;
  device_array<int> data(count * rounds), sums(readers * threads);
  zeroed_array<sync::flag<reach>> ready;
  pass_on<<<1 + readers, threads>>>(data.data(), ready.data(), sums.data(), count, rounds);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  int expected = 0;
  for (int round = 1; round <= rounds; ++round) {
    for (int i = 0; i < count; ++i) expected += round + i;
  }
  EXPECT_EQ(sums.values(), std::vector<int>(readers * threads, expected));
}

TEST(sync_flag, publishes_earlier_writes_to_other_blocks) {
  expect_passed_on<scope::device>();
  expect_passed_on<scope::system>();
}

// ---- channels: two lanes of one warp, both ways

struct parcel {
  int number;
  double weight;
  char name[3];
};

template <scope reach>
__global__ void play(sync::channel<parcel, reach>* there, sync::channel<int, reach>* back,
                     int rounds, int* wrong) {
  if (threadIdx.x == 3) {
    for (int i = 0; i < rounds; ++i) {
      there->send({i, i * 0.5, {'a', 'b', static_cast<char>('c' + i % 20)}});
      if (back->receive() != i + 1) atomicAdd(wrong, 1);
    }
  } else if (threadIdx.x == 17 + 32 * (blockDim.x / 64)) {
    for (int i = 0; i < rounds; ++i) {
      const parcel got = there->receive();
      if (got.number != i || got.weight != i * 0.5 || got.name[2] != 'c' + i % 20) {
        atomicAdd(wrong, 1);
      }
      back->send(got.number + 1);
    }
  }
}

TEST(sync_channel, carries_values_both_ways_within_a_warp_and_between_warps) {
  for (const unsigned threads : {32u, 64u}) {
    zeroed_array<sync::channel<parcel>> there;
    zeroed_array<sync::channel<int>> back;
    zeroed_array<int> wrong;
    play<<<1, threads>>>(there.data(), back.data(), 50, wrong.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(wrong.values().front(), 0) << threads << " threads";
  }
}

__global__ void fill_and_ask(sync::channel<int>* through, int* answers) {
  int value = -1;
  answers[0] = through->try_receive(value);
  answers[1] = value;
  answers[2] = through->try_send(7);
  answers[3] = through->try_send(8);
  answers[4] = through->try_receive(value);
  answers[5] = value;
  answers[6] = through->try_receive(value);
}

TEST(sync_channel, reports_whether_it_is_empty_or_full) {
  zeroed_array<sync::channel<int>> through;
  device_array<int> answers(7);
  fill_and_ask<<<1, 1>>>(through.data(), answers.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(answers.values(), (std::vector<int>{0, -1, 1, 0, 1, 7, 0}));
}

// ---- barriers of blocks: even and odd blocks use separate barriers

__global__ void add_up_in_phases(sync::block_barrier* barriers, int* parts, int* sums, int phases) {
  const unsigned set = blockIdx.x % 2;
  const unsigned blocks = (gridDim.x + 1 - set) / 2;
  for (int phase = 0; phase < phases; ++phase) {
    if (threadIdx.x + 1 == blockDim.x) parts[blockIdx.x] = phase + static_cast<int>(blockIdx.x);
    barriers[set].wait(blocks);
    int sum = 0;
    for (unsigned block = set; block < gridDim.x; block += 2) sum += parts[block];
    if (threadIdx.x == 0)
      sums[phase * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x)] = sum;
    barriers[set].wait(blocks);
  }
}

TEST(sync_block_barrier, synchronises_each_set_of_blocks) {
  constexpr int threads = 64;
  int phases = 4, per_multiprocessor = 0, multiprocessors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, add_up_in_phases, threads, 0);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const int blocks = std::min(7, per_multiprocessor * multiprocessors);  // all run at once
  ASSERT_GE(blocks, 2);
  zeroed_array<sync::block_barrier> barriers(2);
  device_array<int> parts(blocks), sums(blocks * phases);
  sync::block_barrier* all = barriers.data();
  int* part = parts.data();
  int* sum = sums.data();
  void* words[] = {&all, &part, &sum, &phases};
  ASSERT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(add_up_in_phases),
                                        dim3(blocks), dim3(threads), words, 0, nullptr),
            cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<int> seen = sums.values();
  for (int phase = 0; phase < phases; ++phase) {
    for (int block = 0; block < blocks; ++block) {
      int expected = 0;
      for (int other = block % 2; other < blocks; other += 2) expected += phase + other;
      EXPECT_EQ(seen[phase * blocks + block], expected) << "phase " << phase << ", block " << block;
    }
  }
}

}  // namespace
