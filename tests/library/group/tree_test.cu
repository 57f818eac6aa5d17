// Scans and reductions over any set of lanes, each implementation on its own.
#include <heddle/group/tree.cuh>

#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle;
using namespace heddle_test;
namespace detail = heddle::group::detail;

// A lane's results for its side of a warp. Each lane contributes the interval of its rank, so a
// scan must give it the interval that begins with 0, and a wrong order shows.
struct lane_results {
  interval scanned, by_blocks, all, few_up_to_own, few;
  int before;
};

// In block i both sides of masks[i] work at the same time, in two branches.
struct ask_all_ways {
  const lane_mask* masks;
  __device__ lane_results ask(lane_mask members) const {
    const int own_rank = rank(members);
    const interval own = from_to(own_rank, own_rank);
    const group::lanes side(members);
    lane_results answer{};
    answer.scanned = detail::scan_lanes(side, own, join_unknown{});
    answer.all = detail::reduce_lanes(side, own, join_unknown{});
    answer.before = detail::shift_lanes(side, 10 * own_rank, -1);
    if (__popc(members) <= detail::most_folded_lanes) {
      answer.few_up_to_own = detail::fold_few<true>(members, own, join_unknown{});
      answer.few = detail::fold_few<false>(members, own, join_unknown{});
    }
    return answer;
  }
  __device__ lane_results operator()() const {
    const lane_mask mask = masks[blockIdx.x];
    const bool is_in = mask >> lane_id() & 1;
    // Both groups of a warp may also call together.
    const lane_mask members = is_in ? mask : ~mask;
    const int own_rank = rank(members);
    const interval by_blocks =
        detail::scan_blocks(members, all_lanes, from_to(own_rank, own_rank), join_unknown{});
    lane_results answer = is_in ? ask(mask) : ask(~mask);
    answer.by_blocks = by_blocks;
    return answer;
  }
};

// Every run of lanes, every comb, a few lanes anywhere, many lanes anywhere.
std::vector<lane_mask> masks_to_try() {
  std::vector<lane_mask> masks{0xaaaaaaaau, 0x80000001u, 0x80008001u, 0x90000009u, 0x0f0f0f0fu};
  for (int size = 1; size <= 32; ++size) {
    for (int first = 0; first + size <= 32; ++first) {
      masks.push_back((all_lanes >> (32 - size)) << first);
    }
  }
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto random = [&](std::uint64_t k) { return sample<lane_mask>(seed(), 10 * i + k); };
    masks.push_back(random(0));
    lane_mask few = 0;
    for (std::uint64_t lane = 0; lane < 1 + i % 4; ++lane)
      few |= lane_mask{1} << random(lane + 1) % 32;
    masks.push_back(few);
  }
  return masks;
}

TEST(group_tree, keeps_lane_order_in_every_implementation_for_any_lanes) {
  HEDDLE_NAME_SEED();
  const auto masks = masks_to_try();
  const device_array<lane_mask> on_device(masks);
  const auto answers =
      answers_of(ask_all_ways{on_device.data()}, 32, static_cast<unsigned>(masks.size()));
  for (std::size_t block = 0; block < masks.size(); ++block) {
    int ranks[2] = {0, 0}, sizes[2] = {0, 0};
    for (int lane = 0; lane < 32; ++lane) ++sizes[masks[block] >> lane & 1];
    for (int lane = 0; lane < 32; ++lane) {
      SCOPED_TRACE(testing::Message()
                   << "lane " << lane << " of mask " << std::hex << masks[block]);
      const std::size_t side = masks[block] >> lane & 1;
      const int rank = ranks[side]++;
      const lane_results& found = answers[32 * block + static_cast<std::size_t>(lane)];
      ASSERT_EQ(found.scanned, from_to(0, rank));
      ASSERT_EQ(found.by_blocks, from_to(0, rank));
      ASSERT_EQ(found.all, from_to(0, sizes[side] - 1));
      ASSERT_EQ(found.before, rank == 0 ? -1 : 10 * (rank - 1));
      if (sizes[side] <= detail::most_folded_lanes) {
        ASSERT_EQ(found.few_up_to_own, from_to(0, rank));
        ASSERT_EQ(found.few, from_to(0, sizes[side] - 1));
      }
    }
  }
}

}  // namespace
