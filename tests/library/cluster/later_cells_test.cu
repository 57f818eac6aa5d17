// The masks of later cells against the definition, for every place of a cell and every brick
// around.
#include <gtest/gtest.h>
#include <heddle/cluster/later_cells.cuh>

#include <cstdint>
#include <vector>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::cluster::detail::brick_shape;
using heddle::cluster::detail::later_cells;

constexpr int places = 64;
template <int axes>
constexpr int shifts = axes == 3 ? 27 : 9;

// A place of a cell in its brick, or a shift of a brick, by its number.
template <int axes>
__host__ __device__ void split(int number, int base, int first, int (&digits)[axes]) {
  for (int axis = 0; axis < axes; ++axis, number /= base) digits[axis] = first + number % base;
}

template <int axes>
__global__ void write_masks(std::uint64_t* masks) {
  const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= places * shifts<axes>) return;
  int at[axes], shift[axes];
  split(i / shifts<axes>, brick_shape<axes>::width, 0, at);
  split(i % shifts<axes>, 3, -1, shift);
  masks[i] = later_cells(at, shift);
}

template <int axes>
std::uint64_t by_definition(const int (&at)[axes], const int (&shift)[axes]) {
  std::uint64_t mask = 0;
  for (int in_brick = 0; in_brick < 64; ++in_brick) {
    int place[axes];
    split(in_brick, brick_shape<axes>::width, 0, place);
    bool is_near = true;
    int order = 0;  // of the last axis on which they differ
    for (int axis = 0; axis < axes; ++axis) {
      const int distance = place[axis] + brick_shape<axes>::width * shift[axis] - at[axis];
      is_near = is_near && distance >= -2 && distance <= 2;
      if (distance != 0) order = distance;
    }
    if (is_near && order > 0) mask |= std::uint64_t{1} << in_brick;
  }
  return mask;
}

template <int axes>
void expect_definition(int neighbours) {
  constexpr int cases = places * shifts<axes>;
  const device_array<std::uint64_t> masks(std::vector<std::uint64_t>(cases, 0xdead));
  write_masks<axes><<<(cases + 127) / 128, 128>>>(masks.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<std::uint64_t> given = masks.values();
  for (int i = 0; i < places; ++i) {
    int at[axes], shift[axes], found = 0;
    split(i, brick_shape<axes>::width, 0, at);
    for (int j = 0; j < shifts<axes>; ++j) {
      split(j, 3, -1, shift);
      const std::uint64_t mask = given[static_cast<std::size_t>(i * shifts<axes> + j)];
      ASSERT_EQ(mask, by_definition(at, shift)) << "place " << i << ", brick " << j;
      found += __builtin_popcountll(mask);
    }
    EXPECT_EQ(found, neighbours) << "place " << i;
  }
}

TEST(LaterCellsTest, AreHalfOfThoseWithinTwo) {
  expect_definition<2>(12);
  expect_definition<3>(62);
}

}  // namespace
