// Combining a lane's value with another lane's: in lane order, for values of every size.
#include <heddle/warp/combine.cuh>

#include "support/on_device.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle;
using namespace heddle_test;
namespace detail = heddle::warp::detail;

// An affine map padded to 24 bytes: too large to be combined in both orders.
struct large_affine {
  affine map;
  std::uint64_t ballast[2];
};
struct large_then {
  __host__ __device__ large_affine operator()(const large_affine& a, const large_affine& b) const {
    return {then{}(a.map, b.map), {a.ballast[0] + b.ballast[0], a.ballast[1] ^ b.ballast[1]}};
  }
};
static_assert(detail::is_combined_both_ways<affine> &&
              !detail::is_combined_both_ways<large_affine>);

__host__ __device__ affine map_of(std::uint64_t seed, int lane) {
  return value_of<affine>(seed, lane);
}

// Each lane combines its value with that of lane ^ distance, for small and for large values.
struct combine_across_lanes {
  std::uint64_t seed;
  int distance;
  struct answer {
    affine small, large;
    std::uint64_t ballast;
    int sum;
  };
  __device__ answer operator()() const {
    const int lane = lane_id();
    const affine own = map_of(seed, lane);
    const auto ballast = static_cast<std::uint64_t>(lane) << 40;
    const large_affine large = detail::combine_across(
        all_lanes, large_affine{own, {ballast, ballast}}, distance, large_then{});
    return {detail::combine_across(all_lanes, own, distance, then{}), large.map, large.ballast[0],
            detail::combine_across(all_lanes, 3 * lane, distance, plus{})};
  }
};

TEST(warp_combine, takes_the_value_of_the_lower_lane_first) {
  HEDDLE_NAME_SEED();
  for (int distance = 1; distance < 32; distance *= 2) {
    const auto answers = answers_of(combine_across_lanes{seed(), distance});
    for (int lane = 0; lane < 32; ++lane) {
      const int lower = lane & ~distance, upper = lane | distance;
      const affine expected = then{}(map_of(seed(), lower), map_of(seed(), upper));
      const auto& found = answers[static_cast<std::size_t>(lane)];
      ASSERT_EQ(found.small, expected) << "lane " << lane << ", distance " << distance;
      ASSERT_EQ(found.large, expected) << "lane " << lane << ", distance " << distance;
      ASSERT_EQ(found.ballast, static_cast<std::uint64_t>(lower + upper) << 40);
      ASSERT_EQ(found.sum, 3 * (lower + upper));
    }
  }
}

// Two branches at once, one for each half of the warp.
struct combine_in_branches {
  std::uint64_t seed;
  __device__ affine operator()() const {
    const affine own = map_of(seed, lane_id());
    if (lane_id() < 16) return detail::combine_across(lane_mask{0xffff}, own, 4, then{});
    return detail::combine_across(~lane_mask{0xffff}, own, 8, then{});
  }
};

TEST(warp_combine, serves_members_in_a_branch) {
  HEDDLE_NAME_SEED();
  const auto answers = answers_of(combine_in_branches{seed()});
  for (int lane = 0; lane < 32; ++lane) {
    const int distance = lane < 16 ? 4 : 8;
    ASSERT_EQ(answers[static_cast<std::size_t>(lane)],
              then{}(map_of(seed(), lane & ~distance), map_of(seed(), lane | distance)))
        << "lane " << lane;
  }
}

// Unselected lanes keep the given value, and op is not called for them.
struct divide {
  __device__ int operator()(int a, int b) const { return a / b; }
};
struct combine_in_some {
  __device__ float2 operator()() const {
    const bool is_meant = lane_id() % 3 == 0;
    const int integer = detail::combine_where(is_meant, 700, is_meant ? 7 : 0, -5, divide{});
    const float number = detail::combine_where(is_meant, 1.5f, 2.0f, -5.0f, plus{});
    return make_float2(static_cast<float>(integer), number);
  }
};

TEST(warp_combine, leaves_unselected_lanes_unchanged) {
  const auto answers = answers_of(combine_in_some{});
  for (std::size_t lane = 0; lane < 32; ++lane) {
    ASSERT_EQ(answers[lane].x, lane % 3 == 0 ? 100.0f : -5.0f) << "lane " << lane;
    ASSERT_EQ(answers[lane].y, lane % 3 == 0 ? 3.5f : -5.0f) << "lane " << lane;
  }
}

}  // namespace
