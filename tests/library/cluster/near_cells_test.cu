// The masks of near cells against the definition, for every place of a cell and every brick nearby.
#include <gtest/gtest.h>
#include <heddle/cluster/near_cells.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using namespace heddle::cluster::detail;

constexpr int places = 64;
template <int axes>
constexpr int shifts = axes == 3 ? 27 : 9;
enum mask_kind { within_one, within_two, later, beside, mask_kinds };

// The place of a cell in its brick, or the shift of a brick, from its number.
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
  std::uint64_t* const mine = masks + i * mask_kinds;
  mine[within_one] = near_cells(at, shift, 1);
  mine[within_two] = near_cells(at, shift, 2);
  mine[later] = later_cells(at, shift);
  mine[beside] = cells_beside(at, shift);
}

template <int axes>
std::uint64_t by_definition(const int (&at)[axes], const int (&shift)[axes], int kind) {
  std::uint64_t mask = 0;
  for (int in_brick = 0; in_brick < 64; ++in_brick) {
    int place[axes];
    split(in_brick, brick_shape<axes>::width, 0, place);
    int farthest = 0, sum = 0;
    int order = 0;  // on the last axis on which they differ
    for (int axis = 0; axis < axes; ++axis) {
      const int distance = place[axis] + brick_shape<axes>::width * shift[axis] - at[axis];
      farthest = std::max(farthest, std::abs(distance));
      sum += std::abs(distance);
      if (distance != 0) order = distance;
    }
    const bool is_in[] = {farthest == 1, farthest == 1 || farthest == 2, farthest <= 2 && order > 0,
                          sum == 1};
    if (is_in[kind]) mask |= std::uint64_t{1} << in_brick;
  }
  return mask;
}

template <int axes>
void expect_definition(int kind, int neighbours) {
  constexpr int cases = places * shifts<axes>;
  const device_array<std::uint64_t> masks(std::vector<std::uint64_t>(cases * mask_kinds, 0xdead));
  write_masks<axes><<<(cases + 127) / 128, 128>>>(masks.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<std::uint64_t> given = masks.values();
  for (int i = 0; i < places; ++i) {
    int at[axes], shift[axes], found = 0;
    split(i, brick_shape<axes>::width, 0, at);
    for (int j = 0; j < shifts<axes>; ++j) {
      split(j, 3, -1, shift);
      const int number = (i * shifts<axes> + j) * mask_kinds + kind;
      const std::uint64_t mask = given[static_cast<std::size_t>(number)];
      ASSERT_EQ(mask, by_definition(at, shift, kind)) << "place " << i << ", brick " << j;
      found += __builtin_popcountll(mask);
    }
    EXPECT_EQ(found, neighbours) << "place " << i;
  }
}

TEST(cluster_near_cells, within_one_holds_all_cells_that_touch) {
  expect_definition<2>(within_one, 8);
  expect_definition<3>(within_one, 26);
}

TEST(cluster_near_cells, within_two_holds_all_cells_with_possible_neighbours) {
  expect_definition<2>(within_two, 24);
  expect_definition<3>(within_two, 124);
}

TEST(cluster_near_cells, later_holds_half_of_those_within_two) {
  expect_definition<2>(later, 12);
  expect_definition<3>(later, 62);
}

TEST(cluster_near_cells, beside_holds_the_cells_that_share_a_side) {
  expect_definition<2>(beside, 4);
  expect_definition<3>(beside, 6);
}

}  // namespace
