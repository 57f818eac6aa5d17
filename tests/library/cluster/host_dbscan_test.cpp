// host_dbscan against the definition of DBSCAN and against scikit-learn.
#include <gtest/gtest.h>
#include <heddle/cluster/host_dbscan.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>

#include "cluster/brute_force.hpp"
#include "cluster/random_clouds.hpp"
#include "cluster/reference_clouds.hpp"
#include "cluster/true_statistics.hpp"
#include "support/seed.hpp"

namespace {
using namespace heddle::cluster;
using namespace heddle_test;

template <typename T, int axes>
void compare_with_brute_force(int clouds, int most_points) {
  SCOPED_TRACE(seed_text());
  random_source source(seed() + axes * 100 + sizeof(T));
  std::vector<std::unique_ptr<host_dbscan<T, axes>>> teams;
  for (const int threads : {1, 2, 3, 5})
    teams.push_back(std::make_unique<host_dbscan<T, axes>>(dbscan_options{.threads = threads}));
  for (int number = 0; number < clouds; ++number) {
    const random_cloud<T> cloud = make_random_cloud<T, axes>(source, most_points);
    SCOPED_TRACE("cloud " + std::to_string(number) + ", eps " + std::to_string(cloud.eps) +
                 ", min_points " + std::to_string(cloud.min_points));
    const std::size_t count = cloud.values.size() / axes;
    const labelling expected = brute_force<T, axes>(cloud.values, cloud.eps, cloud.min_points);
    dbscan_result<T, axes> first, result;
    for (auto& clustering : teams) {
      const auto points = interleaved_points<axes>(cloud.values.data(), count);
      (*clustering)(points, cloud.eps, cloud.min_points, result);
      ASSERT_EQ(result.labels, expected.labels);
      ASSERT_EQ(result.is_core, expected.is_core);
      ASSERT_EQ(result.clusters, expected.clusters);
      if (clustering == teams.front()) {
        expect_true_statistics<T, axes>(cloud.values, result, 0);
        first = result;
      }
      for (std::size_t cluster = 0; cluster < result.statistics.size(); ++cluster)
        ASSERT_EQ(result.statistics[cluster].centroid, first.statistics[cluster].centroid);
    }
  }
}

template <typename Point>
class host_dbscan_of_points : public testing::Test {};
template <typename T, int dimensions>
struct point_type {
  using value = T;
  static constexpr int axes = dimensions;
};
using point_types = testing::Types<point_type<float, 2>, point_type<float, 3>,
                                   point_type<double, 2>, point_type<double, 3>>;
TYPED_TEST_SUITE(host_dbscan_of_points, point_types);

TYPED_TEST(host_dbscan_of_points, labels_small_clouds_as_defined) {
  compare_with_brute_force<typename TypeParam::value, TypeParam::axes>(1500, 50);
}

// Enough cells for several threads to share.
TYPED_TEST(host_dbscan_of_points, labels_larger_clouds_as_defined) {
  compare_with_brute_force<typename TypeParam::value, TypeParam::axes>(12, 1500);
}

TYPED_TEST(host_dbscan_of_points, puts_equal_points_into_one_cluster) {
  using T = typename TypeParam::value;
  const std::vector<T> values(static_cast<std::size_t>(1000 * TypeParam::axes), T(3.25));
  const auto points = interleaved_points<TypeParam::axes>(values.data(), 1000);
  for (const double eps : {1e-150, 1e-12, 1.0, 1e150}) {
    EXPECT_EQ(dbscan(points, eps, 1000).labels, std::vector<std::int32_t>(1000, 0));
    EXPECT_EQ(dbscan(points, eps, 1001).labels, std::vector<std::int32_t>(1000, noise));
  }
}

TYPED_TEST(host_dbscan_of_points, labels_extreme_coordinates_and_eps_as_defined) {
  using T = typename TypeParam::value;
  constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::denorm_min();
  std::vector<T> values;
  for (const T x :
       {most, -most, T(0), -T(0), least, 2 * least, std::numeric_limits<T>::min(), T(1)})
    for (const T y : {most, -most, least, T(-1)})
      for (int axis = 0; axis < TypeParam::axes; ++axis) values.push_back(axis == 0 ? x : y);
  const auto points =
      interleaved_points<TypeParam::axes>(values.data(), values.size() / TypeParam::axes);
  for (const double eps : {1e-150, 1e-45, 1e-38, 1e-20, 1e-15, 1.0, 1e15, 1e20, 3e38, 1e39, 1e150})
    for (const int min_points : {1, 2, 3, 7}) {
      const auto expected = brute_force<T, TypeParam::axes>(values, eps, min_points);
      EXPECT_EQ(dbscan(points, eps, min_points).labels, expected.labels)
          << eps << ' ' << min_points;
    }
}

// Products and sums that a compiler may round once or twice, with eps between the two results.
TYPED_TEST(host_dbscan_of_points, rounds_every_product) {
  using T = typename TypeParam::value;
  constexpr int axes = TypeParam::axes;
  random_source source(seed());
  int decided = 0;
  for (int attempt = 0; attempt < 20000 && decided < 200; ++attempt) {
    std::vector<T> values(2 * axes, T(0));
    double twice = 0, once = 0;
    for (int axis = 0; axis < axes; ++axis) {
      const T value = static_cast<T>(uniform(source, 0.1, 1));
      values[static_cast<std::size_t>(axes + axis)] = value;
      const volatile double square = static_cast<double>(value) * static_cast<double>(value);
      twice += square;
      once = std::fma(static_cast<double>(value), static_cast<double>(value), once);
    }
    double eps = std::sqrt(std::min(once, twice));
    for (int step = 0; step < 3 && eps * eps < std::min(once, twice); ++step)
      eps = std::nextafter(eps, 2);
    if (!(eps * eps >= std::min(once, twice) && eps * eps < std::max(once, twice))) continue;
    ++decided;
    const auto result = dbscan(interleaved_points<axes>(values.data(), 2), eps, 2, {.threads = 1});
    ASSERT_EQ(result.clusters, twice <= eps * eps ? 1 : 0);
  }
  // The squares of floats are exact in double, so only the sums are rounded.
  EXPECT_TRUE(decided == 200 || sizeof(T) == sizeof(float)) << decided;
}

TEST(host_dbscan, finds_nothing_without_points) {
  const auto result = dbscan(points_view<float, 3>(), 0.5, 10);
  EXPECT_TRUE(result.labels.empty());
  EXPECT_EQ(result.clusters, 0);
  EXPECT_TRUE(result.statistics.empty());
}

TEST(host_dbscan, labels_broken_points_as_noise) {
  const std::vector<double> values(30, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(dbscan(interleaved_points<3>(values.data(), 10), 1, 1).labels,
            std::vector<std::int32_t>(10, noise));
}

TEST(host_dbscan, takes_points_of_any_layout) {
  random_source source(seed());
  const random_cloud<float> cloud = make_random_cloud<float, 3>(source, 500);
  const std::size_t count = cloud.values.size() / 3;
  std::vector<float> x, y, z, with_intensity;
  for (std::size_t p = 0; p < count; ++p) {
    const float* at = &cloud.values[3 * p];
    x.push_back(at[0]);
    y.push_back(at[1]);
    z.push_back(at[2]);
    with_intensity.insert(with_intensity.end(), {at[0], at[1], at[2], 0.5f});
  }
  const auto run = [&](const points_view<float, 3>& points) {
    return dbscan(points, cloud.eps, cloud.min_points).labels;
  };
  const auto expected = brute_force<float, 3>(cloud.values, cloud.eps, cloud.min_points).labels;
  EXPECT_EQ(run(interleaved_points<3>(cloud.values.data(), count)), expected);
  EXPECT_EQ(run(interleaved_points<3>(with_intensity.data(), count, 4)), expected);
  EXPECT_EQ(run(separate_points(x.data(), y.data(), z.data(), count)), expected);
}

TEST(host_dbscan, refuses_invalid_arguments) {
  const points_view<float, 2> none;
  for (const double eps : {0.0, -1.0, 1e-200, 1e200, std::nan(""), HUGE_VAL})
    EXPECT_THROW((void)dbscan(none, eps, 1), std::invalid_argument) << eps;
  EXPECT_THROW((void)dbscan(none, 1, 0), std::invalid_argument);
  EXPECT_THROW((void)dbscan(none, 1, -5), std::invalid_argument);
}

TEST(host_dbscan, returns_no_statistics_unless_asked) {
  const std::vector<float> values(20, 1.0f);
  const auto result =
      dbscan(interleaved_points<2>(values.data(), 10), 1, 1, {.with_statistics = false});
  EXPECT_EQ(result.clusters, 1);
  EXPECT_TRUE(result.statistics.empty());
}

// Each point has a twin and is far from all other points, on all axes.
TEST(host_dbscan, keeps_twins_together_in_unbounded_clouds) {
  constexpr std::size_t twins = std::size_t{1} << 17;
  std::vector<double> values;
  values.reserve(twins * 4);
  for (std::size_t p = 0; p < twins; ++p) {
    const auto place = static_cast<double>(p % (twins / 2)) * 1e9;
    values.insert(values.end(), {place, -place});
  }
  const auto result = dbscan(interleaved_points<2>(values.data(), twins), 0.5, 2);
  ASSERT_EQ(result.clusters, static_cast<std::int32_t>(twins / 2));
  for (std::size_t p = 0; p < twins; ++p)
    ASSERT_EQ(result.labels[p], static_cast<std::int32_t>(p % (twins / 2)));
}

TEST(host_dbscan, matches_scikit_learn_on_real_clouds) {
  const char* folder = std::getenv("HEDDLE_CLOUDS");
  if (folder == nullptr)
    GTEST_SKIP() << "HEDDLE_CLOUDS names no folder with clouds and their labels";
  const auto references = find_references(folder);
  ASSERT_FALSE(references.empty()) << folder;
  for (const reference_labels& reference : references) {
    SCOPED_TRACE(reference.cloud.string() + ", eps " + std::to_string(reference.eps));
    const std::vector<float> values = read_cloud(reference.cloud);
    const std::vector<double> wide(values.begin(), values.end());
    ASSERT_EQ(values.size(), 3 * reference.labels.size());
    const std::size_t count = reference.labels.size();
    for (const int threads : {1, 2, 3}) {
      const dbscan_options options{.threads = threads};
      // Not EXPECT_EQ, which would print a hundred thousand labels.
      EXPECT_TRUE(dbscan(interleaved_points<3>(values.data(), count), reference.eps,
                         reference.min_points, options)
                      .labels == reference.labels);
      EXPECT_TRUE(dbscan(interleaved_points<3>(wide.data(), count), reference.eps,
                         reference.min_points, options)
                      .labels == reference.labels);
    }
  }
}

}  // namespace
