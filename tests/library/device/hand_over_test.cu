// Blocks hand their results to one block: the last to arrive, or the one that reads the board.
#include <heddle/device/kernel/hand_over.cuh>

#include <cstdint>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::detail::board;
using heddle::device::detail::is_last_block;

__host__ __device__ std::uint64_t value_of_thread(std::uint64_t seed, unsigned block,
                                                  unsigned thread) {
  return sample_bits(seed, block * 1000ull + thread);
}

// Every thread writes a value; the block that finishes adds up all of them and reports that it did.
__global__ void hand_to_last(std::uint64_t seed, unsigned* counter, std::uint64_t* values,
                             std::uint64_t* sum, int* finished) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = value_of_thread(seed, blockIdx.x, threadIdx.x);
  if (!is_last_block(counter)) return;
  atomicAdd(finished, 1);
  std::uint64_t own = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) {
    own += values[block * blockDim.x + threadIdx.x];
  }
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(own));
}

TEST(device_hand_over, lets_one_block_finish_when_all_have_written) {
  HEDDLE_NAME_SEED();
  constexpr unsigned threads = 64;
  const device_array<unsigned> counter(std::vector<unsigned>{0});
  for (const unsigned blocks : {1u, 2u, 3u, 100u, 513u, 2u}) {
    SCOPED_TRACE(blocks);
    const device_array<std::uint64_t> values(std::size_t{1} * blocks * threads);
    const device_array<std::uint64_t> sum(std::vector<std::uint64_t>{0});
    const device_array<int> finished(std::vector<int>{0});
    std::uint64_t expected = 0;
    for (unsigned block = 0; block < blocks; ++block) {
      for (unsigned thread = 0; thread < threads; ++thread) {
        expected += value_of_thread(seed(), block, thread);
      }
    }
    hand_to_last<<<blocks, threads>>>(seed(), counter.data(), values.data(), sum.data(),
                                      finished.data());
    check(cudaDeviceSynchronize(), "the kernel");
    EXPECT_EQ(finished.values()[0], static_cast<int>(threads)) << "not one block";
    EXPECT_EQ(sum.values()[0], expected);
    EXPECT_EQ(counter.values()[0], 0u) << "the counter is not ready for the next call";
  }
}

// Values whose last word is partial, and the largest values.
struct odd_size {
  std::uint8_t bytes[11];
};
struct largest {
  std::uint32_t words[16];
};
template <typename T>
__host__ __device__ T posted_by(std::uint64_t seed, unsigned block) {
  T value;
  auto* const bytes = reinterpret_cast<unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    // Every other block posts only zeros, which must not look like an empty slot.
    bytes[i] = block % 2 == 0 ? 0 : sample<std::uint8_t>(seed, block * 64ull + i);
  }
  return value;
}

// All blocks post, one after another; the last one collects what each has posted.
template <typename T>
__global__ void post_and_take(std::uint64_t seed, std::byte* memory, T* taken) {
  board<T> slots(memory);
  if (threadIdx.x == 0) slots.post(static_cast<int>(blockIdx.x), posted_by<T>(seed, blockIdx.x));
  if (blockIdx.x + 1 < gridDim.x) return;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
    taken[block] = slots.take(static_cast<int>(block));
  }
}

template <typename T>
void expect_all_taken() {
  HEDDLE_NAME_SEED();
  for (const unsigned blocks : {1u, 2u, 33u, 200u}) {
    SCOPED_TRACE(blocks);
    const std::size_t bytes = board<T>::bytes_for(static_cast<int>(blocks));
    const device_array<std::byte> memory(std::vector<std::byte>(bytes, std::byte{0}));
    for (std::uint64_t call = 0; call < 3; ++call) {
      const device_array<T> taken(blocks);
      post_and_take<T><<<blocks, 64>>>(seed() + call, memory.data(), taken.data());
      check(cudaDeviceSynchronize(), "the kernel");
      const auto found = taken.values();
      for (unsigned block = 0; block < blocks; ++block) {
        const T expected = posted_by<T>(seed() + call, block);
        ASSERT_EQ(std::memcmp(&found[block], &expected, sizeof(T)), 0) << "block " << block;
      }
      for (const std::byte left : memory.values()) {
        ASSERT_EQ(left, std::byte{0}) << "a slot is not ready for the next call";
      }
    }
  }
}

TEST(device_hand_over, brings_every_posted_value_once_and_leaves_the_board_empty) {
  expect_all_taken<std::uint32_t>();
  expect_all_taken<odd_size>();
  expect_all_taken<largest>();
}

}  // namespace
