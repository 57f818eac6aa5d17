// group's votes against plain loops over the members of a group.
#include <heddle/group/vote.cuh>

#include "support/sides.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace cg = cooperative_groups;
namespace group = heddle::group;

// How the places of a grid vote: rarely, half of the time, almost always, never, always.
__host__ __device__ bool vote_at(std::uint64_t seed, int question, int place) {
  const std::uint64_t chance = sample_bits(seed + question, static_cast<std::uint64_t>(place)) % 32;
  const std::uint64_t limits[] = {2, 16, 30, 0, 32};
  return chance < limits[question];
}

struct opinion {
  heddle::lane_mask who;
  int count, count_before;
  bool some, every;
};
struct opinions {
  opinion about[5];
};

struct ask_members {
  using answer = opinions;
  std::uint64_t seed;
  template <typename Group>
  __device__ opinions operator()(const Group& members) const {
    opinions found{};
    for (int question = 0; question < 5; ++question) {
      const bool vote = vote_at(seed, question, place_in_grid());
      found.about[question] = {group::ballot(members, vote), group::count_true(members, vote),
                               group::rank_among_true(members, vote), group::any(members, vote),
                               group::all(members, vote)};
    }
    return found;
  }
};

bool is_right_opinion(const opinions& answer, int first, int place,
                      const std::vector<int>& members) {
  for (int question = 0; question < 5; ++question) {
    opinion expected{};
    for (int i = 0; i < static_cast<int>(members.size()); ++i) {
      if (!vote_at(seed(), question, first + members[i])) continue;
      expected.who |= heddle::lane_mask{1} << members[i] % 32;
      expected.count += 1;
      expected.count_before += i < place ? 1 : 0;
    }
    const opinion& found = answer.about[question];
    if (found.who != expected.who || found.count != expected.count ||
        found.count_before != expected.count_before || found.some != (expected.count > 0) ||
        found.every != (expected.count == static_cast<int>(members.size()))) {
      return false;
    }
  }
  return true;
}

TEST(group_vote, counts_the_votes_of_any_set_of_lanes) {
  HEDDLE_NAME_SEED();
  expect_on_both_sides(ask_members{seed()}, is_right_opinion);
  expect_in_tiles(ask_members{seed()}, is_right_opinion);
}

struct block_opinion {
  bool some[5], every[5], some_of_tile[5], every_of_tile[5];
  int count[5];
};

struct ask_block {
  std::uint64_t seed;
  __device__ block_opinion operator()() const {
    const auto block = cg::this_thread_block();
    block_opinion found{};
    for (int question = 0; question < 5; ++question) {
      const bool vote = vote_at(seed, question, heddle::thread_rank());
      found.some[question] = group::any(block, vote);
      found.every[question] = group::all(block, vote);
      found.count[question] = group::count_true(block, vote);
      if (heddle::block_size() % 64 != 0) continue;
      const auto tile = cg::tiled_partition<64>(block);
      found.some_of_tile[question] = group::any(tile, vote);
      found.every_of_tile[question] = group::all(tile, vote);
    }
    return found;
  }
};

int count_votes(int question, int first, int end) {
  int count = 0;
  for (int i = first; i < end; ++i) count += vote_at(seed(), question, i) ? 1 : 0;
  return count;
}

TEST(group_vote, votes_in_blocks_and_tiles_of_several_warps) {
  HEDDLE_NAME_SEED();
  for (const int size : {1, 50, 64, 128, 320}) {
    const auto answers = answers_of(ask_block{seed()}, size);
    for (int thread = 0; thread < size; ++thread) {
      for (int question = 0; question < 5; ++question) {
        const block_opinion& answer = answers[thread];
        const int of_block = count_votes(question, 0, size);
        ASSERT_EQ(answer.some[question], of_block > 0);
        ASSERT_EQ(answer.every[question], of_block == size);
        ASSERT_EQ(answer.count[question], of_block);
        if (size % 64 != 0) continue;
        const int first = thread / 64 * 64, of_tile = count_votes(question, first, first + 64);
        ASSERT_EQ(answer.some_of_tile[question], of_tile > 0);
        ASSERT_EQ(answer.every_of_tile[question], of_tile == 64);
      }
    }
  }
}

}  // namespace
