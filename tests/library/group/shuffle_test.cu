// group::shuffle and broadcast: every member reads from every other member.
#include <heddle/group/shuffle.cuh>

#include "support/sides.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace group = heddle::group;

// What each member gets from the ranks after its own, all around the group, and from the first and
// the last rank.
struct received {
  std::uint64_t ring[32];
  std::uint64_t first, last;
};

struct ask_around {
  using answer = received;
  std::uint64_t seed;
  template <typename Group>
  __device__ received operator()(const Group& members) const {
    const auto found = group::lanes_of(members);
    const int size = found.size();
    const auto value = value_at<std::uint64_t>(seed, place_in_grid());
    received answer{};
    for (int i = 0; i < size; ++i) {
      answer.ring[i] = group::shuffle(members, value, (found.rank() + i) % size);
    }
    answer.first = group::broadcast(members, value);
    answer.last = group::broadcast(members, value, size - 1);
    return answer;
  }
};

bool is_right_ring(const received& answer, int first, int place, const std::vector<int>& members) {
  const int size = static_cast<int>(members.size());
  const auto value_of = [&](int rank) {
    return value_at<std::uint64_t>(seed(), first + members[rank]);
  };
  for (int i = 0; i < size; ++i) {
    if (answer.ring[i] != value_of((place + i) % size)) return false;
  }
  return answer.first == value_of(0) && answer.last == value_of(size - 1);
}

TEST(group_shuffle, reads_every_members_value_by_rank) {
  HEDDLE_NAME_SEED();
  expect_on_both_sides(ask_around{seed()}, is_right_ring);
  expect_in_tiles(ask_around{seed()}, is_right_ring);
}

}  // namespace
