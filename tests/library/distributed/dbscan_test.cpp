// distributed::dbscan against the definition of DBSCAN, scikit-learn and its own cost model.
#include <heddle/distributed/dbscan.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "cluster/brute_force.hpp"
#include "cluster/random_clouds.hpp"
#include "cluster/reference_clouds.hpp"
#include "distributed/shared_parts.hpp"

namespace {
using namespace heddle::distributed;
using namespace heddle_test;
using heddle::cluster::interleaved_points;
using heddle::cluster::noise;

// Clusters this rank's part of a cloud that every rank has in full.
template <int axes, typename T>
dbscan_part cluster_part(const std::vector<T>& values, part_range part, double eps, int min_points,
                         const dbscan_options& options = {}) {
  const auto points =
      interleaved_points<axes>(values.data() + axes * part.begin, part.end - part.begin);
  return dbscan(ranks(), points, eps, min_points, options);
}

// The parts of all ranks as one labelling.
labelling whole_labelling(const dbscan_part& part) {
  return {whole_of(part.labels), whole_of(part.is_core), part.clusters};
}

bool are_equal(const labelling& a, const labelling& b) {
  return a.labels == b.labels && a.is_core == b.is_core && a.clusters == b.clusters;
}

// One rank runs the brute force and tells the others the result.
template <typename T, int axes>
bool is_as_defined(const std::vector<T>& values, double eps, int min_points,
                   const labelling& found) {
  return all_say(ranks().rank() != 0 ||
                 are_equal(found, brute_force<T, axes>(values, eps, min_points)));
}

template <typename Point>
class distributed_dbscan_of_points : public testing::Test {};
template <typename T, int dimensions>
struct point_type {
  using value = T;
  static constexpr int axes = dimensions;
};
using point_types = testing::Types<point_type<float, 2>, point_type<float, 3>,
                                   point_type<double, 2>, point_type<double, 3>>;
TYPED_TEST_SUITE(distributed_dbscan_of_points, point_types);

template <typename T, int axes>
void compare_with_brute_force(int clouds, int most_points) {
  SCOPED_TRACE("replay with HEDDLE_SEED=" + std::to_string(rank_seed()));
  random_source source(rank_seed() + axes * 100 + sizeof(T));
  for (int number = 0; number < clouds; ++number) {
    const random_cloud<T> cloud = make_random_cloud<T, axes>(source, most_points);
    SCOPED_TRACE("cloud " + std::to_string(number) + ", eps " + std::to_string(cloud.eps) +
                 ", min_points " + std::to_string(cloud.min_points));
    const part_range part = random_part(source, cloud.values.size() / axes);
    const dbscan_options options{.threads = 1 + number % 2, .on_phase = {}};
    const labelling found = whole_labelling(
        cluster_part<axes>(cloud.values, part, cloud.eps, cloud.min_points, options));
    ASSERT_TRUE((is_as_defined<T, axes>(cloud.values, cloud.eps, cloud.min_points, found)));
  }
}

TYPED_TEST(distributed_dbscan_of_points, labels_small_clouds_as_defined) {
  compare_with_brute_force<typename TypeParam::value, TypeParam::axes>(600 / (1 + ranks().size()),
                                                                       60);
}

TYPED_TEST(distributed_dbscan_of_points, labels_larger_clouds_as_defined) {
  compare_with_brute_force<typename TypeParam::value, TypeParam::axes>(5, 1200);
}

TYPED_TEST(distributed_dbscan_of_points, puts_equal_points_into_one_cluster) {
  using T = typename TypeParam::value;
  constexpr std::size_t count = 300;
  const std::vector<T> values(count * TypeParam::axes, T(3.25));
  random_source source(rank_seed());
  const part_range part = random_part(source, count);
  for (const double eps : {1e-150, 1.0, 1e150}) {
    const auto all = cluster_part<TypeParam::axes>(values, part, eps, count);
    EXPECT_EQ(all.labels, std::vector<std::int32_t>(part.end - part.begin, 0));
    const auto none = cluster_part<TypeParam::axes>(values, part, eps, count + 1);
    EXPECT_EQ(none.labels, std::vector<std::int32_t>(part.end - part.begin, noise));
  }
}

TYPED_TEST(distributed_dbscan_of_points, labels_extreme_coordinates_and_eps_as_defined) {
  using T = typename TypeParam::value;
  constexpr int axes = TypeParam::axes;
  constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::denorm_min();
  std::vector<T> values;
  for (const T x : {most, -most, T(0), -T(0), least, std::numeric_limits<T>::min(), T(1)})
    for (const T y : {most, -most, least, T(-1)})
      for (int axis = 0; axis < axes; ++axis) values.push_back(axis == 0 ? x : y);
  random_source source(rank_seed());
  for (const double eps : {1e-150, 1e-45, 1e-20, 1.0, 1e20, 3e38, 1e39, 1e150})
    for (const int min_points : {1, 2, 7}) {
      const part_range part = random_part(source, values.size() / axes);
      const labelling found = whole_labelling(cluster_part<axes>(values, part, eps, min_points));
      EXPECT_TRUE((is_as_defined<T, axes>(values, eps, min_points, found))) << eps;
    }
}

// Each point is just within eps of the next, along a line that winds through all of space. The
// points are stored in random order, so every rank has many pieces of one cluster.
TEST(distributed_dbscan, of_a_winding_line_makes_one_cluster_of_all_ranks) {
  std::vector<std::array<float, 2>> line;
  constexpr int length = 60;
  for (int row = 0; row < length; row += 2)
    for (int step = 0; step < length; ++step) {
      const int x = row % 4 == 0 ? step : length - 1 - step;
      line.push_back({static_cast<float>(x), static_cast<float>(row)});
      if (step == length - 1) line.push_back({static_cast<float>(x), static_cast<float>(row + 1)});
    }
  random_source source(rank_seed());
  std::shuffle(line.begin(), line.end(), source);
  std::vector<float> values;
  for (const auto& [x, y] : line) values.insert(values.end(), {x, y});
  const part_range part = random_part(source, line.size());
  const auto found = cluster_part<2>(values, part, 1, 2);
  EXPECT_EQ(found.clusters, 1);
  EXPECT_EQ(found.labels, std::vector<std::int32_t>(part.end - part.begin, 0));
}

TEST(distributed_dbscan, finds_nothing_without_points) {
  const auto found = dbscan(ranks(), heddle::cluster::points_view<float, 3>(), 0.5, 10);
  EXPECT_TRUE(found.labels.empty());
  EXPECT_EQ(found.clusters, 0);
}

TEST(distributed_dbscan, labels_broken_points_as_noise) {
  const std::vector<double> values(30, std::numeric_limits<double>::quiet_NaN());
  const auto found = dbscan(ranks(), interleaved_points<3>(values.data(), 10), 1, 1);
  EXPECT_EQ(found.labels, std::vector<std::int32_t>(10, noise));
  EXPECT_EQ(found.clusters, 0);
}

TEST(distributed_dbscan, labels_fewer_points_than_ranks) {
  const std::array<float, 2> place{1, 1};
  const std::size_t count = ranks().rank() + 1 == ranks().size() ? 1 : 0;
  const auto found = dbscan(ranks(), interleaved_points<2>(place.data(), count), 1, 1);
  EXPECT_EQ(found.labels, std::vector<std::int32_t>(count, 0));
  EXPECT_EQ(found.clusters, 1);
}

TEST(distributed_dbscan, refuses_invalid_arguments) {
  const heddle::cluster::points_view<float, 2> none;
  for (const double eps : {0.0, -1.0, 1e-200, std::nan(""), HUGE_VAL})
    EXPECT_THROW((void)dbscan(ranks(), none, eps, 1), std::invalid_argument) << eps;
  EXPECT_THROW((void)dbscan(ranks(), none, 1, 0), std::invalid_argument);
}

// Points in a cube, the same number on each rank.
std::vector<float> cube(std::size_t count, double edge) {
  random_source source(rank_seed() + static_cast<std::uint64_t>(ranks().rank()));
  std::vector<float> values;
  for (std::size_t i = 0; i < 3 * count; ++i)
    values.push_back(static_cast<float>(uniform(source, 0, edge)));
  return values;
}

TEST(distributed_dbscan, gives_every_rank_its_share_of_space) {
  constexpr std::size_t each = 20000;
  const std::vector<float> values = cube(each, 100);
  const auto found = dbscan(ranks(), interleaved_points<3>(values.data(), each), 0.5, 3);
  EXPECT_LT(static_cast<double>(found.owned), 1.25 * each);
  EXPECT_GT(static_cast<double>(found.owned), 0.75 * each);
}

// Each phase sends what docs/scale-dbscan.md says: exact bytes if the numbers of points and copies
// are known, otherwise at most a bound.
TEST(distributed_dbscan, sends_what_the_model_says) {
  constexpr std::size_t each = 20000;
  const std::vector<float> values = cube(each, 100);
  std::map<std::string, traffic> sent;
  std::string phase = "before";
  const auto close_phase = [&](std::string_view next) {
    sent[phase] = ranks().sent();
    ranks().forget_sent();
    phase = next;
  };
  const dbscan_options options{.threads = 1, .on_phase = close_phase};
  const auto found = dbscan(ranks(), interleaved_points<3>(values.data(), each), 1.0, 3, options);
  close_phase("after");
  const auto others = static_cast<std::int64_t>(ranks().size()) - 1;
  EXPECT_EQ(sent["count"].bytes, 8 * others);
  // The sample: each rank sends its share of it to all others.
  const auto sample = static_cast<double>(detail::spread_points<float, 3>::sample_of_rank *
                                          sizeof(float) * 3 * static_cast<unsigned>(others));
  EXPECT_LE(static_cast<double>(sent["cut"].bytes + sent["cut"].bytes_of_collectives),
            1.2 * sample + 8.0 * static_cast<double>(others));
  // Coordinates and a number for each point that moves; its label comes back.
  const auto moved = sent["spread"].bytes / 16;
  EXPECT_EQ(sent["spread"].bytes % 16, 0);
  EXPECT_LE(moved, static_cast<std::int64_t>(each));
  EXPECT_LE(sent["spread"].messages, 2 * others);
  const auto total_back = ranks().all_reduce(sent["return"].bytes, std::plus<>{});
  const auto total_moved = ranks().all_reduce(moved, std::plus<>{});
  EXPECT_EQ(total_back, 4 * total_moved);
  // Copies: coordinates, one byte, and a name if they are core points.
  const auto box = 24 * others;
  const auto copies = (sent["halo"].bytes - box) / 12;
  EXPECT_EQ(sent["core"].bytes, copies);
  EXPECT_LE(sent["join"].bytes, 8 * copies);
  const auto all_copies = ranks().all_reduce(copies, std::plus<>{});
  EXPECT_EQ(all_copies, ranks().all_reduce(static_cast<std::int64_t>(found.copies), std::plus<>{}));
  // Boxes in a cube have at most six sides; the layers of width eps around them hold the copies.
  const double edge_of_box = 100 / std::cbrt(others + 1);
  const double layer = 6 * edge_of_box * edge_of_box + 12 * 3.2 * edge_of_box + 8 * 4.2;
  const double density = static_cast<double>(each) * static_cast<double>(others + 1) / 1e6;
  EXPECT_LE(static_cast<double>(found.copies), 1.5 * layer * density);
}

TEST(distributed_dbscan, matches_scikit_learn_on_real_clouds) {
  const char* folder = std::getenv("HEDDLE_CLOUDS");
  if (folder == nullptr)
    GTEST_SKIP() << "HEDDLE_CLOUDS names no folder with clouds and their labels";
  const auto references = find_references(folder);
  ASSERT_FALSE(references.empty()) << folder;
  random_source source(rank_seed());
  for (const reference_labels& reference : references) {
    SCOPED_TRACE(reference.cloud.string() + ", eps " + std::to_string(reference.eps));
    const std::vector<float> values = read_cloud(reference.cloud);
    const part_range part = random_part(source, reference.labels.size());
    const auto found = cluster_part<3>(values, part, reference.eps, reference.min_points);
    // Not EXPECT_EQ, which would print a hundred thousand labels.
    EXPECT_TRUE(std::equal(found.labels.begin(), found.labels.end(),
                           reference.labels.begin() + static_cast<std::ptrdiff_t>(part.begin)));
  }
}

}  // namespace

int main(int argc, char** argv) { return heddle_test::run_tests_on_ranks(argc, argv); }
