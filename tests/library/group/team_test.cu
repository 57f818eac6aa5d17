// The position of a thread among the warps of its block.
#include <heddle/group/team.cuh>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
namespace detail = heddle::group::detail;

struct standing {
  int rank, warps, warp, lane, lanes;
  int whole, first, alone;
};
__device__ standing standing_of(const detail::place& here) {
  return {here.rank,  here.warps, here.warp,       here.lane,
          here.lanes, here.whole, here.is_first(), here.is_alone()};
}

// For thread `rank` of `size`, counted from lane 0.
void expect_standing(const standing& found, int rank, int size) {
  ASSERT_EQ(found.rank, rank);
  ASSERT_EQ(found.warps, (size + 31) / 32);
  ASSERT_EQ(found.warp, rank / 32);
  ASSERT_EQ(found.lane, rank % 32);
  const int before = rank / 32 * 32;
  ASSERT_EQ(found.lanes, size - before < 32 ? size - before : 32) << "thread " << rank;
  ASSERT_EQ(found.whole, size % 32 == 0 ? 1 : 0);
  ASSERT_EQ(found.first, rank == 0 ? 1 : 0) << "thread " << rank;
  ASSERT_EQ(found.alone, size <= 32 ? 1 : 0);
}

struct stand_in_block {
  __device__ standing operator()() const {
    return standing_of(detail::block_team<heddle::group::any_size>());
  }
};

TEST(group_team, handles_partial_warps) {
  for (const int threads : {1, 31, 32, 33, 63, 64, 65, 100, 512, 1000, 1023, 1024}) {
    SCOPED_TRACE(threads);
    const auto answers = answers_of(stand_in_block{}, static_cast<unsigned>(threads));
    for (int i = 0; i < threads; ++i) {
      expect_standing(answers[static_cast<std::size_t>(i)], i, threads);
    }
  }
  const auto answers = answers_of(stand_in_block{}, dim3(5, 3, 7));
  for (int i = 0; i < 105; ++i) expect_standing(answers[static_cast<std::size_t>(i)], i, 105);
}

struct stand_in_known_block {
  __device__ standing operator()() const {
    __shared__ heddle::group::scratch<float, 96> shared;
    return standing_of(detail::block_of(shared));
  }
};

TEST(group_team, takes_the_size_of_a_block_from_its_scratch) {
  const auto answers = answers_of(stand_in_known_block{}, dim3(16, 6));
  for (int i = 0; i < 96; ++i) expect_standing(answers[static_cast<std::size_t>(i)], i, 96);
}

}  // namespace
