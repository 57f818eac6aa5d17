// Vector accesses to ranges that start and end anywhere, against one element at a time.
#include <heddle/core/vector_access.cuh>

#include <cstring>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;

constexpr std::int64_t counts[] = {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 64, 100, 1000};
constexpr std::int64_t most = 1000;
constexpr int starts = 17;  // elements before the range

template <int size>
struct bytes_of {
  unsigned char bytes[size];
};

template <typename T>
T nth_value(std::uint64_t seed, std::int64_t i) {
  T value{};
  for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
    const auto random = static_cast<unsigned char>(sample_bits(seed, i * 16 + byte));
    std::memcpy(reinterpret_cast<unsigned char*>(&value) + byte, &random, 1);
  }
  return value;
}

TEST(core_split_vectors, covers_every_range_with_aligned_whole_vectors) {
  alignas(16) static float memory[1200];
  for (int start = 0; start < 9; ++start) {
    for (const std::int64_t count : counts) {
      const auto split = heddle::split_vectors(memory + start, count);
      ASSERT_TRUE(0 <= split.begin && split.begin <= split.end && split.end <= count);
      EXPECT_EQ((split.end - split.begin) % 4, 0);
      if (split.begin < split.end) {
        EXPECT_EQ((start + split.begin) % 4, 0) << start << ", " << count;
        EXPECT_LT(split.begin, 4);
        EXPECT_LT(count - split.end, 4);
      } else {
        EXPECT_LT(count, 4 + (4 - start % 4) % 4) << "a vector was missed at " << start;
      }
    }
  }
}

TEST(core_split_vectors, counts_in_64_bits) {
  const auto* const memory = reinterpret_cast<const std::uint8_t*>(std::uintptr_t{0x10007});
  const std::int64_t count = (std::int64_t{1} << 33) + 5;
  const auto split = heddle::split_vectors(memory, count);
  EXPECT_EQ(split.begin, 9);
  EXPECT_EQ(split.end, 9 + (count - 9) / 16 * 16);
}

struct two_floats {
  float x, y;
};

TEST(core_split_vectors, leaves_structs_across_boundaries_to_single_accesses) {
  const auto* const memory = reinterpret_cast<const two_floats*>(std::uintptr_t{0x10004});
  const auto split = heddle::split_vectors(memory, 100);
  EXPECT_EQ(split.begin, 100);
  EXPECT_EQ(split.end, 100);
}

// Copies a range with load_each and store_each, which use vectors.
template <typename T>
struct visit_into {
  T* target;
  __device__ void operator()(const T& value, std::int64_t index) const { target[index] = value; }
};
template <typename T>
struct take_from {
  const T* source;
  __device__ T operator()(std::int64_t index) const { return source[index]; }
};
template <typename T>
struct copy_range {
  const T* source;
  T* loaded;
  T* stored;
  std::int64_t count;
  __device__ int operator()() const {
    const std::int64_t stride = std::int64_t{blockDim.x} * gridDim.x;
    const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    heddle::load_each(source, count, first, stride, visit_into<T>{loaded});
    heddle::store_each<heddle::caching::once>(stored, count, first, stride, take_from<T>{source});
    return 0;
  }
};

template <typename T>
void expect_copies(unsigned threads, unsigned blocks) {
  HEDDLE_NAME_SEED();
  std::vector<T> values(most + starts);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = nth_value<T>(seed(), static_cast<std::int64_t>(i));
  }
  const device_array<T> source(values);
  const T untouched = device_array<T>(1).values()[0];
  for (const std::int64_t count : counts) {
    for (int start = 0; start<starts; start += count> 40 ? 5 : 1) {
      const device_array<T> loaded(most + starts), stored(most + starts);
      answers_of(
          copy_range<T>{source.data() + start, loaded.data() + start, stored.data() + start, count},
          threads, blocks);
      const auto from_loads = loaded.values();
      const auto from_stores = stored.values();
      for (std::int64_t i = 0; i < most + starts; ++i) {
        const T& expected = start <= i && i < start + count ? values[i] : untouched;
        ASSERT_EQ(std::memcmp(&from_loads[i], &expected, sizeof(T)), 0)
            << i << " of " << count << " from " << start;
        ASSERT_EQ(std::memcmp(&from_stores[i], &expected, sizeof(T)), 0)
            << i << " of " << count << " from " << start;
      }
    }
  }
}

TEST(core_vector_access, copies_bytes_from_any_start) { expect_copies<std::uint8_t>(32, 1); }
TEST(core_vector_access, copies_floats_with_several_blocks) { expect_copies<float>(32, 3); }
TEST(core_vector_access, copies_doubles_with_one_thread) { expect_copies<double>(1, 1); }
TEST(core_vector_access, copies_structs_of_16_bytes) { expect_copies<bytes_of<16>>(32, 1); }

TEST(core_vector_access, copies_structs_that_lie_across_boundaries) {
  std::vector<float> values(101);
  for (int i = 0; i < 101; ++i) values[i] = static_cast<float>(i);
  const device_array<float> source(values), loaded(101), stored(101);
  answers_of(copy_range<two_floats>{reinterpret_cast<const two_floats*>(source.data() + 1),
                                    reinterpret_cast<two_floats*>(loaded.data() + 1),
                                    reinterpret_cast<two_floats*>(stored.data() + 1), 50});
  for (int i = 1; i < 101; ++i) {
    EXPECT_EQ(loaded.values()[i], values[i]) << i;
    EXPECT_EQ(stored.values()[i], values[i]) << i;
  }
}

// Runs over a range of 2^33 bytes that does not exist, and notes the caller's first and last index.
struct note_index {
  std::int64_t* least;
  std::int64_t* greatest;
  int* calls;
  __device__ void operator()(std::int64_t index) const {
    *least = index < *least ? index : *least;
    *greatest = index > *greatest ? index : *greatest;
    ++*calls;
  }
};
struct notes {
  std::int64_t least_vector, greatest_vector, least_element, greatest_element;
  int vectors, elements;
};
struct walk_far {
  std::int64_t count, first, stride;
  __device__ notes operator()() const {
    notes seen{count, -1, count, -1, 0, 0};
    heddle::for_each_vector(
        reinterpret_cast<const std::uint8_t*>(std::uintptr_t{0x10007}), count, first, stride,
        note_index{&seen.least_vector, &seen.greatest_vector, &seen.vectors},
        note_index{&seen.least_element, &seen.greatest_element, &seen.elements});
    return seen;
  }
};

TEST(core_vector_access, walks_ranges_above_2_to_the_31) {
  const std::int64_t count = (std::int64_t{1} << 33) + 5;
  const std::int64_t stride = std::int64_t{1} << 27;  // four vectors per thread
  const auto first = answers_of(walk_far{count, 0, stride}, 1)[0];
  EXPECT_EQ(first.vectors, 4);
  EXPECT_EQ(first.least_vector, 9);
  EXPECT_EQ(first.greatest_vector, 9 + 3 * stride * 16);
  EXPECT_EQ(first.elements, 2);
  EXPECT_EQ(first.least_element, 0);
  EXPECT_EQ(first.greatest_element, 9 + (count - 9) / 16 * 16);
  const auto last = answers_of(walk_far{count, stride - 2, stride}, 1)[0];
  EXPECT_EQ(last.vectors, 4);
  EXPECT_EQ(last.elements, 0);
  EXPECT_EQ(last.greatest_vector, 9 + (4 * stride - 2) * 16);
}

}  // namespace
