// The statistics of parts of a row and how they merge, against sums in double.
#include <heddle/norm/statistics.cuh>

#include <cmath>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace detail = heddle::norm::detail;
using detail::layer_statistics;
using detail::rms_statistics;
using soft = detail::softmax_statistics<float, false>;
using soft_logarithm = detail::softmax_statistics<float, true>;

constexpr int lanes = 32, most_of_lane = 7;

// How many values a lane has: the first lane of each tile some, others perhaps none.
__host__ __device__ int count_of(std::uint64_t seed, int lane) {
  return lane % 4 == 0 ? most_of_lane
                       : static_cast<int>(sample_bits(seed, 900 + lane) % (most_of_lane + 1));
}
// Values far from zero with small distances between them, each rounded once.
__host__ __device__ float value_at(std::uint64_t seed, int lane, int i, float centre) {
  return centre + 4 * sample<float>(seed, static_cast<std::uint64_t>(lane * 10 + i));
}

// The values of lanes first … last - 1.
std::vector<double> values_of(int first, int last, float centre) {
  std::vector<double> values;
  for (int lane = first; lane < last; ++lane) {
    for (int i = 0; i < count_of(seed(), lane); ++i)
      values.push_back(value_at(seed(), lane, i, centre));
  }
  return values;
}
double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}
double squares_of(const std::vector<double>& values, double about) {
  double sum = 0;
  for (const double value : values) sum += (value - about) * (value - about);
  return sum;
}

__device__ layer_statistics::partial layer_part_of(std::uint64_t seed, int lane, float centre) {
  layer_statistics::partial all = layer_statistics::nothing();
  for (int i = 0; i < count_of(seed, lane); ++i) {
    all = layer_statistics::merge{}(all, {1, 0, value_at(seed, lane, i, centre), 0});
  }
  return all;
}

// Merges the parts of `width` lanes one by one, and in two halves.
template <typename Statistics, typename PartOf>
__device__ void merge_lanes(int width, const PartOf& part_of,
                            typename Statistics::partial& one_by_one,
                            typename Statistics::partial& in_halves) {
  const typename Statistics::merge merge;
  const int first = heddle::lane_id() & -width;
  typename Statistics::partial halves[2] = {Statistics::nothing(), Statistics::nothing()};
  one_by_one = Statistics::nothing();
  for (int lane = first; lane < first + width; ++lane) {
    one_by_one = merge(one_by_one, part_of(lane));
    typename Statistics::partial& half = halves[lane < first + width / 2 ? 0 : 1];
    half = merge(half, part_of(lane));
  }
  in_halves = merge(halves[0], halves[1]);
}

struct put_layer_parts_together {
  std::uint64_t seed;
  float centre;
  int width;
  struct answer {
    layer_statistics::partial one_by_one, in_halves;
  };
  __device__ answer operator()() const {
    answer found;
    merge_lanes<layer_statistics>(
        width, [&](int lane) { return layer_part_of(seed, lane, centre); }, found.one_by_one,
        found.in_halves);
    return found;
  }
};

TEST(norm_statistics, of_layers_keep_their_digits_far_from_zero) {
  HEDDLE_NAME_SEED();
  for (const float centre : {0.0f, -4096.0f, 100'000.0f}) {
    for (const int width : {4, 8, 16, 32}) {
      const auto answers = answers_of(put_layer_parts_together{seed(), centre, width});
      for (int lane = 0; lane < lanes; ++lane) {
        SCOPED_TRACE(testing::Message()
                     << "lane " << lane << ", width " << width << ", centre " << centre);
        const auto values = values_of(lane & -width, (lane & -width) + width, centre);
        const double mean = mean_of(values), squares = squares_of(values, mean);
        const auto& found = answers[static_cast<std::size_t>(lane)];
        for (const auto& part : {found.one_by_one, found.in_halves}) {
          ASSERT_EQ(part.count, static_cast<float>(values.size()));
          // Digits of the distances, which are at most 8, and not of the mean.
          ASSERT_NEAR(double{part.mean} + double{part.mean_rest}, mean, 8 * 1e-6);
          ASSERT_NEAR(part.squares, squares, 1e-5 * squares);
        }
      }
    }
  }
}

struct merge_layers_with_nothing {
  __device__ float4 operator()() const {
    const layer_statistics::partial some{4, 5, 3e38f, 0}, nothing = layer_statistics::nothing();
    const auto left = layer_statistics::merge{}(nothing, some),
               right = layer_statistics::merge{}(some, nothing);
    const auto neither = layer_statistics::merge{}(nothing, nothing);
    return make_float4(left.squares, right.squares, right.mean,
                       neither.count + neither.mean + neither.squares);
  }
};

TEST(norm_statistics, of_layers_ignore_empty_parts) {
  const float4 found = answers_of(merge_layers_with_nothing{}, 1)[0];
  EXPECT_EQ(found.x, 5) << "the distance from nothing counts";
  EXPECT_EQ(found.y, 5) << "the distance of nothing counts";
  EXPECT_EQ(found.z, 3e38f);
  EXPECT_EQ(found.w, 0);
}

// Lanes whose index is a multiple of 5 have only -inf, or no values at all.
__host__ __device__ bool is_void(int lane) { return lane % 5 == 0; }

struct put_powers_together {
  std::uint64_t seed;
  float centre;
  int width;
  struct answer {
    soft::partial one_by_one, in_halves;
  };
  __device__ soft::partial part_of(int lane) const {
    return is_void(lane) ? soft::nothing()
                         : soft::partial{value_at(seed, lane, 0, centre * (lane % 3)), 1.0f + lane};
  }
  __device__ answer operator()() const {
    answer found;
    merge_lanes<soft>(
        width, [&](int lane) { return part_of(lane); }, found.one_by_one, found.in_halves);
    return found;
  }
};

TEST(norm_statistics, of_powers_are_relative_to_the_greatest_value) {
  HEDDLE_NAME_SEED();
  for (const float centre : {0.0f, 30.0f, 50'000.0f}) {
    for (const int width : {1, 2, 8, 32}) {
      const auto answers = answers_of(put_powers_together{seed(), centre, width});
      for (int lane = 0; lane < lanes; ++lane) {
        SCOPED_TRACE(testing::Message()
                     << "lane " << lane << ", width " << width << ", centre " << centre);
        double greatest = -HUGE_VAL, sum = 0;
        const auto value = [&](int of) {
          return double{value_at(seed(), of, 0, centre * static_cast<float>(of % 3))};
        };
        const int first = lane & -width;
        for (int of = first; of < first + width; ++of) {
          if (!is_void(of)) greatest = std::max(greatest, value(of));
        }
        for (int of = first; of < first + width; ++of) {
          if (!is_void(of)) sum += (1.0 + of) * std::exp(value(of) - greatest);
        }
        const auto& found = answers[static_cast<std::size_t>(lane)];
        for (const auto& part : {found.one_by_one, found.in_halves}) {
          ASSERT_EQ(part.greatest, greatest);
          ASSERT_NEAR(part.sum, sum, 1e-5 * sum);
        }
      }
    }
  }
}

struct use_statistics {
  __device__ float4 operator()() const {
    const rms_statistics root(50.0f, 8, 0.25f);                      // a mean square of 6.25
    const layer_statistics layer({8, 31.5f, 3, 0.25f}, 8, 0.0625f);  // a variance of 3.9375
    const soft powers({2, 4}, 8, 0);
    const soft_logarithm logarithms({2, 4}, 8, 0);
    return make_float4(root(5), layer(7), powers(1), logarithms(1));
  }
};

TEST(norm_statistics, make_the_results_of_values) {
  const float4 found = answers_of(use_statistics{}, 1)[0];
  EXPECT_NEAR(found.x, 5 / std::sqrt(6.5), 1e-6);
  EXPECT_NEAR(found.y, (7 - 3.25) / std::sqrt(4.0), 1e-6);
  EXPECT_NEAR(found.z, std::exp(-1.0) / 4, 1e-7);
  EXPECT_NEAR(found.w, -1 - std::log(4.0), 1e-6);
}

}  // namespace
