// Locks that guard plain counters.
#include <heddle/sync/spin_lock.cuh>
#include <heddle/sync/ticket_lock.cuh>

#include <algorithm>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::sync::locked;
using heddle::sync::scope;
using heddle::sync::spin_lock;
using heddle::sync::ticket_lock;

template <typename Lock>
struct guarded {
  Lock lock;
  unsigned counter;
  unsigned inside;  // how many threads hold the lock
  unsigned most_inside;
};

template <typename Lock>
__device__ void count_once(guarded<Lock>& all) {
  all.inside += 1;
  if (all.inside > all.most_inside) all.most_inside = all.inside;
  all.counter += 1;
  all.inside -= 1;
}

template <typename Lock>
__global__ void count_under_lock(guarded<Lock>* all, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) locked(all->lock, [&] { count_once(*all); });
}

// One lane of each warp at a time: plain lock() and unlock().
template <typename Lock>
__global__ void count_by_first_lanes(guarded<Lock>* all, unsigned rounds) {
  if (threadIdx.x % 32 != 0) return;
  for (unsigned i = 0; i < rounds; ++i) {
    all->lock.lock();
    count_once(*all);
    all->lock.unlock();
  }
}

template <typename Lock>
__global__ void count_in_shared_memory(unsigned* counts, unsigned rounds) {
  __shared__ guarded<Lock> all;
  if (threadIdx.x == 0) {
    all.lock.clear();
    all.counter = all.inside = all.most_inside = 0;
  }
  __syncthreads();
  for (unsigned i = 0; i < rounds; ++i) locked(all.lock, [&] { count_once(all); });
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = all.most_inside == 1 ? all.counter : 0;
}

template <typename Lock>
struct answers_of_lock {
  int takes_free, takes_taken, takes_taken_in_time, takes_given_back, takes_in_time;
  friend bool operator==(const answers_of_lock&, const answers_of_lock&) = default;
};

template <typename Lock>
__global__ void ask_lock(Lock* lock, answers_of_lock<Lock>* answers) {
  answers->takes_free = lock->try_lock();
  answers->takes_taken = lock->try_lock();
  answers->takes_taken_in_time = lock->try_lock_for(1000);
  lock->unlock();
  answers->takes_given_back = lock->try_lock();
  lock->unlock();
  answers->takes_in_time = lock->try_lock_for(1'000'000'000);
  lock->unlock();
  lock->lock();
  lock->unlock();
}

// The lock guards an array and its length.
__global__ void queue_up(ticket_lock<>* lock, unsigned* order, unsigned* place) {
  lock->lock();
  order[(*place)++] = blockIdx.x;
  lock->unlock();
}

template <typename Lock>
class sync_lock : public testing::Test {};
using locks = testing::Types<spin_lock<>, ticket_lock<>, spin_lock<scope::system>>;
TYPED_TEST_SUITE(sync_lock, locks);

template <typename Lock>
void expect_count(const device_array<guarded<Lock>>& memory, unsigned expected) {
  const guarded<Lock> end = memory.values().front();
  EXPECT_EQ(end.counter, expected);
  EXPECT_EQ(end.most_inside, 1u);
  EXPECT_EQ(end.inside, 0u);
}

TYPED_TEST(sync_lock, excludes_all_others_when_whole_warps_compete) {
  device_array<guarded<TypeParam>> memory(1);
  cudaMemset(memory.data(), 0, sizeof(guarded<TypeParam>));
  count_under_lock<<<3, 64>>>(memory.data(), 4);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  expect_count(memory, 3 * 64 * 4);
}

TYPED_TEST(sync_lock, excludes_all_others_when_one_lane_per_warp_competes) {
  device_array<guarded<TypeParam>> memory(1);
  cudaMemset(memory.data(), 0, sizeof(guarded<TypeParam>));
  count_by_first_lanes<<<4, 128>>>(memory.data(), 8);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  expect_count(memory, 4 * 4 * 8);
}

TYPED_TEST(sync_lock, guards_shared_memory) {
  device_array<unsigned> counts(2);
  count_in_shared_memory<TypeParam><<<2, 96>>>(counts.data(), 3);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(counts.values(), std::vector<unsigned>(2, 96 * 3));
}

TYPED_TEST(sync_lock, can_be_taken_once_and_again_after_unlock) {
  device_array<TypeParam> lock(1);
  cudaMemset(lock.data(), 0, sizeof(TypeParam));
  device_array<answers_of_lock<TypeParam>> answers(1);
  ask_lock<<<1, 1>>>(lock.data(), answers.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(answers.values().front(), (answers_of_lock<TypeParam>{1, 0, 0, 1, 1}));
}

TEST(sync_ticket_lock, lets_each_block_in_once) {
  device_array<ticket_lock<>> lock(1);
  cudaMemset(lock.data(), 0, sizeof(ticket_lock<>));
  constexpr unsigned blocks = 40;
  device_array<unsigned> order(blocks), place(std::vector<unsigned>{0});
  queue_up<<<blocks, 1>>>(lock.data(), order.data(), place.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<unsigned> seen = order.values(), expected(blocks);
  for (unsigned i = 0; i < blocks; ++i) expected[i] = i;
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, expected);
}

}  // namespace
