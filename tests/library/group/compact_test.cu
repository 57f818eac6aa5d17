// group::compact and rank_kept against plain loops over the members of a group.
#include <heddle/group/compact.cuh>

#include "support/sides.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace group = heddle::group;

__host__ __device__ bool keeps(std::uint64_t seed, int place, int round) {
  return sample_bits(seed + 1, static_cast<std::uint64_t>(place)) % 4 <
         static_cast<std::uint64_t>(round);
}

struct kept {
  std::uint64_t value[5];
  int total[5], counted[5], rank[5];
};

// No member, some members and all members keep their values.
struct compact_members {
  using answer = kept;
  std::uint64_t seed;
  template <typename Group>
  __device__ kept operator()(const Group& members) const {
    kept found{};
    for (int round = 0; round < 5; ++round) {
      const auto value = value_at<std::uint64_t>(seed, place_in_grid());
      const bool keep = keeps(seed, place_in_grid(), round);
      const auto compacted = group::compact(members, value, keep);
      const auto place = group::rank_kept(members, keep);
      found.value[round] = compacted.value;
      found.total[round] = compacted.total;
      found.counted[round] = place.total;
      found.rank[round] = place.rank;
    }
    return found;
  }
};

bool is_right_compaction(const kept& answer, int first, int place,
                         const std::vector<int>& members) {
  for (int round = 0; round < 5; ++round) {
    std::vector<std::uint64_t> values;
    int before = 0;
    for (int i = 0; i < static_cast<int>(members.size()); ++i) {
      if (!keeps(seed(), first + members[i], round)) continue;
      values.push_back(value_at<std::uint64_t>(seed(), first + members[i]));
      before += i < place ? 1 : 0;
    }
    const int total = static_cast<int>(values.size());
    const auto expected =
        place < total ? values[place] : value_at<std::uint64_t>(seed(), first + members[place]);
    if (answer.value[round] != expected || answer.total[round] != total ||
        answer.counted[round] != total || answer.rank[round] != before) {
      return false;
    }
  }
  return true;
}

TEST(group_compact, moves_kept_values_to_the_first_members_of_any_set_of_lanes) {
  HEDDLE_NAME_SEED();
  expect_on_both_sides(compact_members{seed()}, is_right_compaction);
  expect_in_tiles(compact_members{seed()}, is_right_compaction);
}

}  // namespace
