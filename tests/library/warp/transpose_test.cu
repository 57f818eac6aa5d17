// warp::transpose for every size and element size, and both ways between blocked and striped items.
#include <heddle/warp/transpose.cuh>

#include <cstring>
#include <utility>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;
using heddle::lane_mask;

template <typename T, int size>
struct row_of {
  T values[size];
};

template <int size>
struct bytes_of {
  unsigned char bytes[size];
};

// The element of `lane` in `column`: distinct bytes everywhere.
template <typename T>
__host__ __device__ T element(int lane, int column) {
  unsigned char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[i] = static_cast<unsigned char>((lane * 32 + column) * (i % 2 == 0 ? 1 : 3) >> i % 3);
  }
  T value;
  memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T, int size>
struct transpose_elements {
  __device__ row_of<T, size> operator()() const {
    row_of<T, size> row;
    for (int i = 0; i < size; ++i) row.values[i] = element<T>(lane_id(), i);
    heddle::warp::transpose(row.values);
    return row;
  }
};

template <typename T, int size>
void expect_transposed() {
  const auto answers = answers_of(transpose_elements<T, size>{}, 64);
  for (int thread = 0; thread < 64; ++thread) {
    const int lane = thread % 32;
    for (int i = 0; i < size; ++i) {
      const T expected = element<T>(lane / size * size + i, lane % size);
      EXPECT_EQ(std::memcmp(&answers[thread].values[i], &expected, sizeof(T)), 0)
          << "lane " << lane << ", column " << i << " of " << size;
    }
  }
}

TEST(warp_transpose, transposes_matrices_of_every_size) {
  expect_transposed<int, 1>();
  expect_transposed<int, 2>();
  expect_transposed<int, 4>();
  expect_transposed<int, 8>();
  expect_transposed<int, 16>();
  expect_transposed<int, 32>();
}

TEST(warp_transpose, transposes_elements_of_one_and_two_bytes) {
  expect_transposed<std::uint8_t, 2>();
  expect_transposed<std::uint8_t, 4>();
  expect_transposed<std::uint8_t, 16>();
  expect_transposed<std::uint16_t, 2>();
  expect_transposed<std::uint16_t, 8>();
}

TEST(warp_transpose, transposes_elements_of_three_eight_and_64_bytes) {
  expect_transposed<bytes_of<3>, 4>();
  expect_transposed<double, 8>();
  expect_transposed<bytes_of<64>, 2>();
}

// The lower half of the warp transposes 8 × 8, the upper half 4 × 4.
struct transpose_in_branches {
  __device__ row_of<int, 8> operator()() const {
    row_of<int, 8> row;
    for (int i = 0; i < 8; ++i) row.values[i] = lane_id() * 32 + i;
    if (lane_id() < 16) {
      heddle::warp::transpose(row.values, 0x0000ffffu);
    } else {
      int upper[4] = {row.values[0], row.values[1], row.values[2], row.values[3]};
      heddle::warp::transpose(upper, 0xffff0000u);
      for (int i = 0; i < 4; ++i) row.values[i] = upper[i];
    }
    return row;
  }
};

TEST(warp_transpose, serves_callers_in_different_branches) {
  const auto answers = answers_of(transpose_in_branches{});
  for (int lane = 0; lane < 32; ++lane) {
    const int size = lane < 16 ? 8 : 4;
    for (int i = 0; i < size; ++i) {
      EXPECT_EQ(answers[lane].values[i], (lane / size * size + i) * 32 + lane % size) << lane;
    }
  }
}

using all_counts =
    std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                          20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32>;
using some_counts = std::integer_sequence<int, 1, 3, 4, 6, 10, 16, 20>;

// Item numbers in tiles of `width` lanes, for each count of items. Register i of `lane` goes to
// [(count - 1) * 32 + i] * 32 + lane.
template <int width, typename Counts>
struct exchange_items {
  int* striped;
  int* blocked;

  template <int count>
  __device__ void exchange() const {
    const int lane = lane_id() % width;
    const int first_item = lane_id() / width * 10000;
    int* const striped_row = striped + (count - 1) * 1024 + lane_id();
    int* const blocked_row = blocked + (count - 1) * 1024 + lane_id();
    int items[count];
    for (int i = 0; i < count; ++i) items[i] = first_item + lane * count + i;
    heddle::warp::blocked_to_striped<width>(items);
    for (int i = 0; i < count; ++i) striped_row[i * 32] = items[i];
    for (int i = 0; i < count; ++i) items[i] = first_item + i * width + lane;
    heddle::warp::striped_to_blocked<width>(items);
    for (int i = 0; i < count; ++i) blocked_row[i * 32] = items[i];
  }
  template <int... counts>
  __device__ void exchange_all(std::integer_sequence<int, counts...>) const {
    (exchange<counts>(), ...);
  }
  __device__ int operator()() const {
    exchange_all(Counts{});
    return 0;
  }
};

template <int width, int... counts>
void expect_exchanged_items(std::integer_sequence<int, counts...> all) {
  const device_array<int> striped(32 * 1024), blocked(32 * 1024);
  answers_of(exchange_items<width, decltype(all)>{striped.data(), blocked.data()});
  const auto striped_items = striped.values();
  const auto blocked_items = blocked.values();
  for (const int count : {counts...}) {
    for (int i = 0; i < count; ++i) {
      for (int lane = 0; lane < 32; ++lane) {
        const int first_item = lane / width * 10000;
        const int place = (count - 1) * 1024 + i * 32 + lane;
        ASSERT_EQ(striped_items[place], first_item + i * width + lane % width)
            << "lane " << lane << ", " << i << " of " << count << ", tiles of " << width;
        ASSERT_EQ(blocked_items[place], first_item + lane % width * count + i)
            << "lane " << lane << ", " << i << " of " << count << ", tiles of " << width;
      }
    }
  }
}

TEST(warp_blocked_to_striped, moves_every_item_and_back_in_whole_warps) {
  expect_exchanged_items<32>(all_counts{});
}

TEST(warp_blocked_to_striped, moves_every_item_and_back_in_tiles) {
  expect_exchanged_items<1>(some_counts{});
  expect_exchanged_items<2>(some_counts{});
  expect_exchanged_items<4>(some_counts{});
  expect_exchanged_items<8>(some_counts{});
  expect_exchanged_items<16>(some_counts{});
}

// Structs, and half of a warp that works alone.
struct exchange_structs {
  __device__ row_of<bytes_of<9>, 6> operator()() const {
    row_of<bytes_of<9>, 6> row;
    for (int i = 0; i < 6; ++i) row.values[i] = element<bytes_of<9>>(lane_id() % 16, i);
    if (lane_id() >= 16) heddle::warp::blocked_to_striped<16>(row.values, 0xffff0000u);
    return row;
  }
};

TEST(warp_blocked_to_striped, moves_structs_in_half_a_warp) {
  const auto answers = answers_of(exchange_structs{});
  for (int lane = 16; lane < 32; ++lane) {
    for (int i = 0; i < 6; ++i) {
      const int item = i * 16 + lane - 16;
      const auto expected = element<bytes_of<9>>(item / 6, item % 6);
      EXPECT_EQ(std::memcmp(&answers[lane].values[i], &expected, 9), 0) << lane << ", " << i;
    }
  }
}

}  // namespace
