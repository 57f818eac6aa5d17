// Splits of groups: which lanes end up together, also after a second split, and that parts work.
#include <heddle/group/reduce.cuh>
#include <heddle/group/scan.cuh>
#include <heddle/group/split.cuh>

#include <map>

#include "support/sides.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace group = heddle::group;

enum class split_by { label, wide_label, size, heads };

__host__ __device__ int label_at(std::uint64_t seed, int place, int labels) {
  return static_cast<int>(sample_bits(seed, static_cast<std::uint64_t>(place)) % labels) - 1;
}

struct part_found {
  heddle::lane_mask mask, callers;
  affine sum, before;
};

// Splits a group into `count` parts, or into parts of `count`, or at about every count-th member.
struct split_members {
  using answer = part_found;
  std::uint64_t seed;
  split_by way;
  int count;
  template <typename Group>
  __device__ part_found operator()(const Group& members) const {
    const int label = label_at(seed, place_in_grid(), count);
    group::part mine{};
    switch (way) {
      case split_by::label:
        mine = group::split_by_label(members, label);
        break;
      case split_by::wide_label:
        mine = group::split_by_label(members, std::int64_t{label} << 32);
        break;
      case split_by::size:
        mine = group::split_by_size(members, count);
        break;
      case split_by::heads:
        mine = group::split_at(members, label == 0);
        break;
    }
    const auto value = value_at<affine>(seed, place_in_grid());
    return {mine.mask, mine.callers(), group::reduce(mine, value, then{}),
            group::exclusive_scan(mine, value, then{})};
  }
};

// The ranks of the members in the same part as rank `place`.
std::vector<int> part_with(split_by way, int count, int first, int place,
                           const std::vector<int>& members) {
  std::vector<int> number(members.size());
  for (int i = 0, segment = 0; i < static_cast<int>(members.size()); ++i) {
    const int label = label_at(seed(), first + members[i], count);
    segment += label == 0 ? 1 : 0;
    number[i] = way == split_by::size ? i / count : way == split_by::heads ? segment : label;
  }
  std::vector<int> part;
  for (int i = 0; i < static_cast<int>(members.size()); ++i) {
    if (number[i] == number[place]) part.push_back(i);
  }
  return part;
}

void expect_split(split_by way, int count) {
  HEDDLE_NAME_SEED();
  const auto is_right = [&](const part_found& answer, int first, int place,
                            const std::vector<int>& members) {
    heddle::lane_mask mask = 0;
    affine sum, before;
    for (const int rank : part_with(way, count, first, place, members)) {
      mask |= heddle::lane_mask{1} << members[rank] % 32;
      if (rank == place) before = sum;
      sum = then{}(sum, value_at<affine>(seed(), first + members[rank]));
    }
    return answer.mask == mask && (answer.callers & mask) == mask && answer.sum == sum &&
           answer.before == before;
  };
  expect_on_both_sides(split_members{seed(), way, count}, is_right);
  expect_in_tiles(split_members{seed(), way, count}, is_right);
}

TEST(group_split, by_label_keeps_equal_labels_together) {
  for (const int labels : {1, 2, 3, 8, 1000}) expect_split(split_by::label, labels);
  expect_split(split_by::wide_label, 4);
}

TEST(group_split, by_size_makes_runs_of_members) {
  for (const int size : {1, 2, 3, 13, 32}) expect_split(split_by::size, size);
}

TEST(group_split, at_heads_makes_segments) {
  for (const int distance : {1, 2, 4, 16}) expect_split(split_by::heads, distance);
}

}  // namespace
