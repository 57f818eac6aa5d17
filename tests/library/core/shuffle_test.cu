// Shuffles of every size against the rule for the source lane.
#include <heddle/core/shuffle.cuh>

#include <array>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;

// `size` bytes that encode their owner.
template <int size>
struct parcel {
  unsigned char bytes[size];
};

template <int size>
__host__ __device__ parcel<size> parcel_of(int lane) {
  parcel<size> mine;
  for (int i = 0; i < size; ++i) mine.bytes[i] = static_cast<unsigned char>(lane * 7 + i * 13 + 1);
  return mine;
}

// The lane that owns a parcel; -1: none.
template <int size>
__host__ __device__ int owner_of(const parcel<size>& given) {
  for (int lane = 0; lane < 32; ++lane) {
    bool is_his = true;
    for (int i = 0; i < size; ++i) {
      is_his = is_his && given.bytes[i] == static_cast<unsigned char>(lane * 7 + i * 13 + 1);
    }
    if (is_his) return lane;
  }
  return -1;
}

struct owners {
  int by_index, up, down, by_xor;
};

template <int size>
struct shuffle_parcels {
  int operand, width;
  __device__ owners operator()() const {
    const auto mine = parcel_of<size>(heddle::lane_id());
    return {owner_of(heddle::shuffle(heddle::all_lanes, mine, operand, width)),
            owner_of(heddle::shuffle_up(heddle::all_lanes, mine, operand, width)),
            owner_of(heddle::shuffle_down(heddle::all_lanes, mine, operand, width)),
            owner_of(heddle::shuffle_xor(heddle::all_lanes, mine, operand, width))};
  }
};

template <int size>
void expect_right_owners() {
  for (int width = 1; width <= 32; width *= 2) {
    for (int operand = 0; operand < width; ++operand) {
      const auto answers = answers_of(shuffle_parcels<size>{operand, width});
      for (int lane = 0; lane < 32; ++lane) {
        SCOPED_TRACE("lane " + std::to_string(lane) + ", width " + std::to_string(width) +
                     ", operand " + std::to_string(operand) + ", bytes " + std::to_string(size));
        const int first = lane / width * width;
        EXPECT_EQ(answers[lane].by_index, first + operand);
        EXPECT_EQ(answers[lane].up, lane - first >= operand ? lane - operand : lane);
        EXPECT_EQ(answers[lane].down, lane - first + operand < width ? lane + operand : lane);
        EXPECT_EQ(answers[lane].by_xor, lane ^ operand);
      }
    }
  }
}

TEST(shuffles, move_values_of_1_to_64_bytes_from_the_right_lane) {
  expect_right_owners<1>();
  expect_right_owners<2>();
  expect_right_owners<3>();
  expect_right_owners<4>();
  expect_right_owners<5>();
  expect_right_owners<8>();
  expect_right_owners<12>();
  expect_right_owners<31>();
  expect_right_owners<64>();
}

struct three_types {
  double number;
  short small;
  float* address;
};

struct shuffle_types {
  float* base;
  __device__ three_types operator()() const {
    const three_types mine{heddle::lane_id() + 0.25, static_cast<short>(-heddle::lane_id()),
                           base + heddle::lane_id()};
    return heddle::shuffle(heddle::all_lanes, mine, 31 - heddle::lane_id());
  }
};

TEST(shuffles, move_structs_with_pointers) {
  const device_array<float> memory(32);
  const auto answers = answers_of(shuffle_types{memory.data()});
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(answers[lane].number, 31 - lane + 0.25);
    EXPECT_EQ(answers[lane].small, lane - 31);
    EXPECT_EQ(answers[lane].address, memory.data() + 31 - lane);
  }
}

// Only odd lanes take part.
struct shuffle_among_odd {
  __device__ int operator()() const {
    if (heddle::lane_id() % 2 == 0) return -1;
    return heddle::shuffle_xor(0xaaaaaaaau, heddle::lane_id(), 2);
  }
};

TEST(shuffles, wait_for_members_only) {
  const auto answers = answers_of(shuffle_among_odd{});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(answers[lane], lane % 2 == 0 ? -1 : lane ^ 2);
}

// The owner of what each lane of a run gets from that many lanes below; -2 outside the run.
template <int size>
struct shuffle_in_run {
  int first, lanes, distance;
  __device__ int operator()() const {
    const int lane = heddle::lane_id();
    if (lane < first || lane >= first + lanes) return -2;
    const heddle::lane_mask members = (heddle::all_lanes >> (32 - lanes)) << first;
    const auto mine = parcel_of<size>(lane);
    return owner_of(heddle::shuffle_up_from(first, members, mine, distance));
  }
};

template <int size>
void expect_right_owners_in_runs() {
  for (int first = 0; first < 32; ++first) {
    for (int lanes = 1; lanes <= 32 - first; lanes += 5) {
      for (int distance = 0; distance < 32; distance += 3) {
        const auto answers = answers_of(shuffle_in_run<size>{first, lanes, distance});
        for (int lane = first; lane < first + lanes; ++lane) {
          const int expected = lane - distance >= first ? lane - distance : lane;
          ASSERT_EQ(answers[lane], expected)
              << "lane " << lane << " of " << lanes << " from " << first << ", distance "
              << distance << ", bytes " << size;
        }
      }
    }
  }
}

TEST(shuffle_up_from, stays_within_the_lanes_from_the_first_on) {
  expect_right_owners_in_runs<4>();
  expect_right_owners_in_runs<10>();
}

}  // namespace
