// device_dbscan against the definition of DBSCAN, the CPU's implementation and scikit-learn.
#include <gtest/gtest.h>
#include <heddle/cluster/dbscan.cuh>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "cluster/brute_force.hpp"
#include "cluster/random_clouds.hpp"
#include "cluster/reference_clouds.hpp"
#include "cluster/true_statistics.hpp"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle::cluster;
using namespace heddle_test;

template <typename T, int axes>
void compare_with_brute_force(int clouds, int most_points) {
  HEDDLE_NAME_SEED();
  random_source source(seed() + axes * 100 + sizeof(T));
  device_dbscan<T, axes> clustering;  // one for all, to reveal state left over from earlier calls
  for (int number = 0; number < clouds; ++number) {
    const random_cloud<T> cloud = make_random_cloud<T, axes>(source, most_points);
    SCOPED_TRACE("cloud " + std::to_string(number) + ", eps " + std::to_string(cloud.eps) +
                 ", min_points " + std::to_string(cloud.min_points));
    const labelling expected = brute_force<T, axes>(cloud.values, cloud.eps, cloud.min_points);
    const auto result = clustering.of_host_points(
        interleaved_points<axes>(cloud.values.data(), cloud.values.size() / axes), cloud.eps,
        cloud.min_points);
    ASSERT_EQ(result.labels, expected.labels);
    ASSERT_EQ(result.is_core, expected.is_core);
    ASSERT_EQ(result.clusters, expected.clusters);
    expect_true_statistics<T, axes>(cloud.values, result, 0x1p-32);
  }
}

template <typename Point>
class device_dbscan_of_points : public testing::Test {};
template <typename T, int dimensions>
struct point_type {
  using value = T;
  static constexpr int axes = dimensions;
};
using point_types = testing::Types<point_type<float, 2>, point_type<float, 3>,
                                   point_type<double, 2>, point_type<double, 3>>;
TYPED_TEST_SUITE(device_dbscan_of_points, point_types);

// A GPU handles a hundred times as many in the same time; HEDDLE_CLOUD_COUNT sets the number.
int cloud_count() {
  const char* const given = std::getenv("HEDDLE_CLOUD_COUNT");
  return given ? std::atoi(given) : 150;
}

TYPED_TEST(device_dbscan_of_points, labels_small_clouds_as_defined) {
  compare_with_brute_force<typename TypeParam::value, TypeParam::axes>(cloud_count(), 50);
}

TYPED_TEST(device_dbscan_of_points, labels_larger_clouds_as_defined) {
  compare_with_brute_force<typename TypeParam::value, TypeParam::axes>(
      std::max(1, cloud_count() / 60), 1000);
}

TYPED_TEST(device_dbscan_of_points, puts_equal_points_into_one_cluster) {
  using T = typename TypeParam::value;
  const std::vector<T> values(static_cast<std::size_t>(300 * TypeParam::axes), T(3.25));
  const auto points = interleaved_points<TypeParam::axes>(values.data(), 300);
  device_dbscan<T, TypeParam::axes> clustering;
  for (const double eps : {1e-150, 1.0, 1e150}) {
    EXPECT_EQ(clustering.of_host_points(points, eps, 300).labels,
              std::vector<std::int32_t>(300, 0));
    EXPECT_EQ(clustering.of_host_points(points, eps, 301).labels,
              std::vector<std::int32_t>(300, noise));
  }
}

TYPED_TEST(device_dbscan_of_points, labels_extreme_coordinates_and_eps_as_defined) {
  using T = typename TypeParam::value;
  constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::denorm_min();
  std::vector<T> values;
  for (const T x :
       {most, -most, T(0), -T(0), least, 2 * least, std::numeric_limits<T>::min(), T(1)})
    for (const T y : {most, -most, least, T(-1)})
      for (int axis = 0; axis < TypeParam::axes; ++axis) values.push_back(axis == 0 ? x : y);
  const auto points =
      interleaved_points<TypeParam::axes>(values.data(), values.size() / TypeParam::axes);
  device_dbscan<T, TypeParam::axes> clustering;
  for (const double eps : {1e-150, 1e-45, 1e-38, 1e-20, 1e-15, 1.0, 1e15, 1e20, 3e38, 1e39, 1e150})
    for (const int min_points : {1, 2, 7}) {
      const auto expected = brute_force<T, TypeParam::axes>(values, eps, min_points);
      EXPECT_EQ(clustering.of_host_points(points, eps, min_points).labels, expected.labels)
          << eps << ' ' << min_points;
    }
}

// Two cells with so many points that they are compared in parts. One pair of points decides: their
// boxes say nothing, and the pair may be in any part.
TEST(device_dbscan, finds_the_only_touching_pair_of_two_dense_cells) {
  HEDDLE_NAME_SEED();
  random_source source(seed());
  device_dbscan<float, 3> clustering;
  constexpr std::size_t in_cell = 700;
  for (int round = 0; round < 12; ++round) {
    std::vector<float> values;
    for (std::size_t p = 0; p < 2 * in_cell; ++p) {
      values.push_back(p < in_cell ? 0.01f : 1.5f);
      values.push_back(static_cast<float>(uniform(source, 0.0, 0.55)));
      values.push_back(static_cast<float>(uniform(source, 0.0, 0.02)));
    }
    const auto put = [&](std::size_t point, float x, float y) {
      values[3 * point] = x;
      values[3 * point + 1] = y;
    };
    const bool is_touching = round % 3 != 0;
    const auto one = static_cast<std::size_t>(uniform(source, 0.0, 0.999) * in_cell);
    const auto other = in_cell + static_cast<std::size_t>(uniform(source, 0.0, 0.999) * in_cell);
    put(one, 0.4f, is_touching ? 0.3f : 0.02f);
    put(other, 1.35f, is_touching ? 0.3f : 0.53f);
    const auto expected = brute_force<float, 3>(values, 1.0, 10);
    ASSERT_EQ(expected.clusters, is_touching ? 1 : 2);
    const auto points = interleaved_points<3>(values.data(), 2 * in_cell);
    ASSERT_EQ(clustering.of_host_points(points, 1.0, 10).labels, expected.labels)
        << "points " << one << " and " << other;
  }
}

TEST(device_dbscan, finds_nothing_without_points) {
  const auto result = device_dbscan<float, 3>().of_host_points({}, 0.5, 10);
  EXPECT_TRUE(result.labels.empty());
  EXPECT_EQ(result.clusters, 0);
}

TEST(device_dbscan, labels_broken_points_as_noise) {
  const std::vector<double> values(30, std::numeric_limits<double>::quiet_NaN());
  const auto points = interleaved_points<3>(values.data(), 10);
  EXPECT_EQ((device_dbscan<double, 3>().of_host_points(points, 1, 1).labels),
            std::vector<std::int32_t>(10, noise));
}

TEST(device_dbscan, refuses_what_host_dbscan_refuses) {
  const std::vector<float> values(6);
  const auto points = interleaved_points<3>(values.data(), 2);
  device_dbscan<float, 3> clustering;
  for (const double eps : {0.0, -1.0, 1e-151, 1e151, std::nan("")})
    EXPECT_THROW(static_cast<void>(clustering.of_host_points(points, eps, 1)),
                 std::invalid_argument);
  EXPECT_THROW(static_cast<void>(clustering.of_host_points(points, 1, 0)), std::invalid_argument);
}

TEST(device_dbscan, takes_device_points_of_any_layout) {
  HEDDLE_NAME_SEED();
  random_source source(seed());
  const int count = 200;
  std::vector<float> x(count), y(count), z(count), rows(4 * count);
  std::vector<float> values;
  for (int p = 0; p < count; ++p) {
    for (auto* axis : {&x, &y, &z})
      (*axis)[static_cast<std::size_t>(p)] = static_cast<float>(uniform(source, 0, 4));
    const auto at = static_cast<std::size_t>(p);
    const float row[] = {x[at], y[at], z[at], 1e9f};
    std::copy(row, row + 4, rows.begin() + 4 * p);
    values.insert(values.end(), row, row + 3);
  }
  const auto expected = brute_force<float, 3>(values, 0.4, 3).labels;
  const device_array<float> dx(x), dy(y), dz(z), drows(rows);
  device_dbscan<float, 3> clustering;
  const points_view<float, 3> views[] = {
      separate_points<float>(dx.data(), dy.data(), dz.data(), count),
      interleaved_points<3>(static_cast<const float*>(drows.data()), count, 4)};
  for (const auto& view : views) {
    const device_array<std::int32_t> labels(count);
    const device_array<std::uint32_t> clusters(1);
    clustering(view, 0.4, 3, labels.data());
    check(cudaDeviceSynchronize(), "the clustering");
    EXPECT_EQ(labels.values(), expected);
  }
}

// Every replay of a graph clusters the current contents of memory.
TEST(device_dbscan, can_be_captured_and_replayed) {
  HEDDLE_NAME_SEED();
  random_source source(seed());
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "a stream");
  {
    const int count = 150;
    const device_array<float> points(3 * count);
    const device_array<std::int32_t> labels(count);
    device_dbscan<float, 3> clustering(stream);
    const auto view = interleaved_points<3>(static_cast<const float*>(points.data()), count);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    clustering(view, 0.4, 3, labels.data());
    check(cudaStreamEndCapture(stream, &graph), "capture");
    check(cudaGraphInstantiate(&ready, graph, 0), "the graph");
    for (int round = 0; round < 3; ++round) {
      std::vector<float> values(3 * count);
      for (float& value : values) value = static_cast<float>(uniform(source, 0, 3));
      check(cudaMemcpy(points.data(), values.data(), values.size() * sizeof(float),
                       cudaMemcpyHostToDevice),
            "copy");
      check(cudaMemset(labels.data(), 0xa5, count * sizeof(std::int32_t)), "poison");
      check(cudaDeviceSynchronize(), "poison");
      check(cudaGraphLaunch(ready, stream), "the graph");
      check(cudaStreamSynchronize(stream), "the graph");
      EXPECT_EQ(labels.values(), (brute_force<float, 3>(values, 0.4, 3).labels));
    }
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
}

TEST(device_dbscan, matches_scikit_learn_on_real_clouds) {
  const char* const folder = std::getenv("HEDDLE_CLOUDS");
  if (folder == nullptr) GTEST_SKIP() << "HEDDLE_CLOUDS names no folder with real clouds";
  device_dbscan<float, 3> clustering;
  for (const auto& one : find_references(folder)) {
    SCOPED_TRACE(one.cloud.string() + ", eps " + std::to_string(one.eps));
    const std::vector<float> values = read_cloud(one.cloud);
    const auto points = interleaved_points<3>(values.data(), values.size() / 3);
    EXPECT_EQ(clustering.of_host_points(points, one.eps, one.min_points).labels, one.labels);
  }
}

}  // namespace
