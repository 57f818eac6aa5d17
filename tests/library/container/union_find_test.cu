// Union-find against a plain one on the host, for many random graphs at once.
#include <heddle/container/union_find.cuh>

#include <numeric>
#include <utility>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::container::union_find;
using heddle::container::union_find_view;
using element = union_find::element;

struct edge {
  element from, to;
};

__global__ void unite_edges(union_find_view sets, const edge* edges, int count, unsigned* unions) {
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += step) {
    if (sets.unite(edges[i].from, edges[i].to)) atomicAdd(unions, 1u);
  }
}

std::vector<element> smallest_of_each_set(std::size_t count, const std::vector<edge>& edges) {
  std::vector<element> parents(count);
  std::iota(parents.begin(), parents.end(), element{0});
  const auto find = [&](element one) {
    while (parents[one] != one) one = parents[one];
    return one;
  };
  for (const edge& one : edges) {
    const element a = find(one.from), b = find(one.to);
    parents[std::max(a, b)] = std::min(a, b);
  }
  std::vector<element> roots(count);
  for (element i = 0; i < count; ++i) roots[i] = find(i);
  return roots;
}

void expect_sets(std::size_t count, const std::vector<edge>& edges) {
  const union_find sets(count);
  device_array<edge> device_edges(edges);
  device_array<element> roots(count);
  device_array<unsigned> unions(std::vector<unsigned>{0});
  unite_edges<<<3, 96>>>(sets.view(), device_edges.data(), static_cast<int>(edges.size()),
                         unions.data());
  sets.roots(roots.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<element> expected = smallest_of_each_set(count, edges);
  EXPECT_EQ(roots.values(), expected);
  unsigned joined = 0;
  for (element i = 0; i < count; ++i) joined += expected[i] != i;
  EXPECT_EQ(unions.values().front(), joined);
}

TEST(container_union_find, gives_each_set_its_smallest_element) {
  HEDDLE_NAME_SEED();
  const std::uint64_t chosen = seed();
  for (unsigned round = 0; round < 12; ++round) {
    const std::size_t count = 1 + sample_bits(chosen, round) % 2000;
    const std::size_t degree = round % 4;
    std::vector<edge> edges(count * degree / 2 + 1);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const std::uint64_t random = sample_bits(chosen + round + 1, static_cast<unsigned>(i));
      edges[i] = {static_cast<element>(random % count),
                  static_cast<element>((random >> 32) % count)};
    }
    expect_sets(count, edges);
  }
}

TEST(container_union_find, joins_a_long_chain_in_any_order) {
  std::vector<edge> up, down, star;
  constexpr element count = 3000;
  for (element i = 0; i + 1 < count; ++i) {
    up.push_back({i, i + 1});
    down.push_back({count - 1 - i, count - 2 - i});
    star.push_back({count - 1, i});
  }
  expect_sets(count, up);
  expect_sets(count, down);
  expect_sets(count, star);
}

TEST(container_union_find, keeps_elements_apart_that_nobody_unites) {
  expect_sets(1, {{0, 0}});
  expect_sets(100, {{7, 7}});
}

__global__ void ask(union_find_view sets, int* answers) {
  answers[0] = sets.are_united(3, 5);
  answers[1] = sets.unite(3, 5);
  answers[2] = sets.are_united(5, 3);
  answers[3] = sets.unite(5, 3);
  answers[4] = static_cast<int>(sets.find(5));
}

TEST(container_union_find, knows_whether_elements_are_united) {
  union_find sets(6);
  union_find moved(std::move(sets));
  device_array<int> answers(5);
  for (int i = 0; i < 2; ++i) {
    ask<<<1, 1>>>(moved.view(), answers.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(answers.values(), (std::vector<int>{0, 1, 1, 0, 3}));
    moved.clear();
  }
}

TEST(container_union_find, refuses_more_elements_than_indices_can_count) {
  EXPECT_THROW(union_find(union_find::most_elements + 1), heddle::error);
  EXPECT_EQ(union_find(0).size(), 0u);
}

}  // namespace
