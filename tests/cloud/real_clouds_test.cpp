// Real clouds, read by the readers and by a few independent lines of code.
#include <gtest/gtest.h>
#include <cloud/write.hpp>

#include <cstdlib>

#include "../library/cluster/reference_clouds.hpp"
#include "cloud/read.hpp"

namespace {
using namespace heddle::cloud;

TEST(real_cloud, is_read_exactly_and_written_back) {
  const char* folder = std::getenv("HEDDLE_CLOUDS");
  if (folder == nullptr) GTEST_SKIP() << "HEDDLE_CLOUDS names no folder with real clouds";
  int clouds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".pcd") continue;
    SCOPED_TRACE(entry.path());
    ++clouds;
    const auto cloud = read_cloud(entry.path());
    const auto expected = heddle_test::read_cloud(entry.path());
    ASSERT_EQ(cloud.points.size(), expected.size());
    EXPECT_EQ(std::memcmp(cloud.points.data(), expected.data(), expected.size() * sizeof(float)),
              0);
    EXPECT_TRUE(cloud.exact.empty());
    const std::vector<std::int32_t> labels(cloud.size(), 1);
    const auto back =
        read_cloud_from(bytes_of_cloud("a.pcd", cloud, labels, encoding::packed), "a.pcd");
    EXPECT_EQ(std::memcmp(back.points.data(), expected.data(), expected.size() * sizeof(float)), 0);
  }
  EXPECT_GT(clouds, 0) << "there is no .pcd in " << folder;
}

}  // namespace
