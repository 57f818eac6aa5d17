// The readers read files that other writers have written.
#include <gtest/gtest.h>

#include <cmath>

#include "six_points.hpp"

namespace {
using namespace heddle::cloud;
using namespace heddle_test;

const std::vector<double> tens{0, 10, 20, 30, 40, 50};

class file_of_six_points : public testing::TestWithParam<const char*> {};

TEST_P(file_of_six_points, gives_the_same_bits_and_intensities) {
  const auto cloud = read_cloud(folder_of_clouds / GetParam());
  EXPECT_EQ(bits_of(cloud.points), bits_of(six_points));
  EXPECT_TRUE(cloud.exact.empty());
  EXPECT_EQ(cloud.origin, (std::array<double, 3>{}));
  ASSERT_EQ(cloud.columns.size(), 1u);
  EXPECT_EQ(column_of(cloud, cloud.columns[0].name), tens);
}

INSTANTIATE_TEST_SUITE_P(all, file_of_six_points,
                         testing::Values("six_ascii.pcd", "six_ascii_crlf.pcd", "six_binary.pcd",
                                         "six_packed.pcd", "six_ascii.ply", "six_little.ply",
                                         "six_big.ply", "six_lists.ply", "six.bin", "six_f4.npy",
                                         "six_f8.npy", "six_big.npy", "six_by_column.npy"),
                         [](const auto& name) {
                           std::string word = name.param;
                           for (char& letter : word)
                             if (letter == '.') letter = '_';
                           return word;
                         });

class text_of_six_points : public testing::TestWithParam<const char*> {};

// Text has no type, so a third has the value of its digits and is not rounded to float.
TEST_P(text_of_six_points, has_the_values_of_its_digits) {
  const auto cloud = read_cloud(folder_of_clouds / GetParam());
  ASSERT_EQ(cloud.size(), 6u);
  const std::vector<float>& expected = six_points;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = cloud.exact.empty() ? cloud.points[i] : cloud.exact[i];
    EXPECT_EQ(static_cast<float>(value) == expected[i], expected[i] == expected[i]) << i;
    EXPECT_EQ(std::isnan(value), std::isnan(expected[i])) << i;
  }
  ASSERT_EQ(cloud.columns.size(), 1u);
  EXPECT_EQ(column_of(cloud, cloud.columns[0].name), tens);
}

INSTANTIATE_TEST_SUITE_P(all, text_of_six_points,
                         testing::Values("six_comma.xyz", "six_semicolon.xyz", "six_tab.xyz",
                                         "six_blank.xyz", "six_named.csv"),
                         [](const auto& name) {
                           const std::string word = name.param;
                           return word.substr(0, word.find('.'));
                         });

class las_of_six_points : public testing::TestWithParam<int> {};

TEST_P(las_of_six_points, is_scaled_and_moved_in_double) {
  const int format = GetParam();
  const auto cloud =
      read_cloud(folder_of_clouds / ("six_format_" + std::to_string(format) + ".las"));
  ASSERT_EQ(cloud.exact.size(), 18u);
  for (int i = 0; i < 6; ++i) {
    // X * scale + offset in IEEE doubles, through memory so that the compiler does not fuse it.
    const long x = 1 + 100L * i, y = 25 - 200L * i, z = 25050 + 25L * i;
    const volatile double east = static_cast<double>(x) * 0.01;
    const volatile double north = static_cast<double>(y) * 0.01;
    const volatile double height = static_cast<double>(z) * 0.01;
    EXPECT_EQ(cloud.exact[3 * i], east + 500000.0);
    EXPECT_EQ(cloud.exact[3 * i + 1], north + 5400000.0);
    EXPECT_EQ(cloud.exact[3 * i + 2], height + 0.0);
  }
  EXPECT_EQ(column_of(cloud, "intensity"), tens);
  const double first_class = format < 6 ? 2 : 60;
  const auto classes = column_of(cloud, "classification");
  const auto times = column_of(cloud, "gps_time");
  const auto green = column_of(cloud, "green"), blue = column_of(cloud, "blue");
  const bool has_time = format != 0 && format != 2;
  const bool has_colour =
      format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10;
  ASSERT_EQ(classes.size(), 6u);
  ASSERT_EQ(times.size(), has_time ? 6u : 0u);
  ASSERT_EQ(green.size(), has_colour ? 6u : 0u);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto step = static_cast<double>(i);
    EXPECT_EQ(classes[i], first_class + step);
    if (has_time) {
      EXPECT_EQ(times[i], 1e5 + step / 8);
    }
    if (has_colour) {
      EXPECT_EQ(green[i], 256 * step);
    }
    if (has_colour) {
      EXPECT_EQ(blue[i], 65535 - step);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(formats, las_of_six_points, testing::Range(0, 11));

// As other readers compute them: with one rounding, 22 * 0.001 + 0.1 is 0.12200000000000001.
TEST(las_coordinates, are_rounded_twice) {
  std::string bytes = whole_file(folder_of_clouds / "six_format_0.las");
  const std::int32_t number = 22;
  const double scale = 0.001, offset = 0.1;
  std::memcpy(bytes.data() + 400, &number, sizeof number);
  std::memcpy(bytes.data() + 131, &scale, sizeof scale);
  std::memcpy(bytes.data() + 155, &offset, sizeof offset);
  EXPECT_EQ(read_cloud_from(bytes, "a.las").exact[0], 0.122);
}

TEST(large_coordinates, keep_their_precision_less_an_origin) {
  const auto cloud = read_cloud(folder_of_clouds / "six_format_6.las");
  EXPECT_NEAR(cloud.origin[0], 500002.5, 1);
  EXPECT_NEAR(cloud.origin[1], 5399995.25, 1);
  for (std::size_t i = 0; i < 18; ++i) {
    // A float without an origin would be off by up to a quarter of a metre.
    EXPECT_NEAR(cloud.points[i] + cloud.origin[i % 3], cloud.exact[i], 1e-5) << i;
  }
}

TEST(large_coordinates, keep_their_precision_next_to_a_distant_point) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += std::to_string(500000 + i) + ".125 " + std::to_string(5400000 - i) + ".0625 0.1\n";
  const auto cloud = read_cloud_from(text + "1 2 1e9\nnan inf -inf\n", "far.xyz");
  ASSERT_EQ(cloud.size(), 102u);
  for (std::size_t i = 0; i < 300; ++i)
    EXPECT_NEAR(cloud.points[i] + cloud.origin[i % 3], cloud.exact[i], 1e-5) << i;
  EXPECT_EQ(cloud.exact[302], 1e9);
}

TEST(large_coordinates, have_no_origin_if_they_are_floats) {
  const float far[] = {500000.03f, 5400000.5f, 250.25f, 0, 500001.0f, 5400001.0f, 251.0f, 0};
  const auto cloud = read_cloud_from({reinterpret_cast<const char*>(far), sizeof far}, "far.bin");
  EXPECT_EQ(cloud.points, (std::vector<float>{far[0], far[1], far[2], far[4], far[5], far[6]}));
  EXPECT_TRUE(cloud.exact.empty());
  EXPECT_EQ(cloud.origin, (std::array<double, 3>{}));
}

TEST(large_coordinates, have_no_origin_if_they_are_doubles_around_zero) {
  const auto cloud = read_cloud_from("-100.1 -50.1 0.1\n90.1 60.1 2.1\n", "near.xyz");
  EXPECT_EQ(cloud.exact, (std::vector<double>{-100.1, -50.1, 0.1, 90.1, 60.1, 2.1}));
  EXPECT_EQ(cloud.origin, (std::array<double, 3>{}));
  EXPECT_EQ(cloud.points[0], -100.1f);
}

TEST(file_without_points, is_an_empty_cloud) {
  std::string las = whole_file(folder_of_clouds / "six_format_6.las");
  las[247] = 0;
  const std::string npy = "\x93NUMPY\x01" + std::string("\0\x3e\0", 3) +
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }  \n";
  const std::string header = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nPOINTS 0\nDATA ";
  for (const auto& [bytes, name] :
       {std::pair{las, "a.las"},
        {npy, "a.npy"},
        {header + "ascii\n", "a.pcd"},
        {header + "binary\n", "a.pcd"},
        {header + "binary_compressed\n" + std::string(8, '\0'), "a.pcd"},
        {"ply\nformat binary_big_endian 1.0\nelement vertex 0\nproperty float x\n"
         "property float y\nproperty float z\nend_header\n",
         "a.ply"}}) {
    const auto cloud = read_cloud_from(bytes, name);
    EXPECT_EQ(cloud.size(), 0u) << name;
    EXPECT_TRUE(cloud.exact.empty()) << name;
  }
}

TEST(text, lies_in_a_plane_if_it_has_two_columns) {
  const auto cloud = read_cloud_from("1 2\n3 4", "plane.txt");
  EXPECT_EQ(cloud.points, (std::vector<float>{1, 2, 0, 3, 4, 0}));
}

TEST(text, reads_empty_cells_as_nan_and_drops_words) {
  const auto cloud = read_cloud_from("x,y,z,i,kind\n1,2,3,,car\n4,5,6,7,pole\n", "cells.csv");
  ASSERT_EQ(cloud.columns.size(), 1u);
  const auto values = column_of(cloud, "i");
  ASSERT_EQ(values.size(), 2u);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], 7);
}

TEST(text, can_have_signs_exponents_and_numbers_out_of_range) {
  const auto cloud = read_cloud_from("+1 -2e0 .5\n1e999 -1e999 1e-999\n", "wild.xyz");
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(cloud.points, (std::vector<float>{1, -2, 0.5f, infinity, -infinity, 0}));
}

TEST(long_file, reports_progress) {
  const scratch_folder scratch;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "1 2 3\n";
  std::ofstream(scratch / "long.xyz") << text;
  std::vector<double> reading, parsing;
  read_options options;
  options.on_progress = [&](std::string_view what, double done) {
    (what == "reading" ? reading : parsing).push_back(done);
  };
  EXPECT_EQ(read_cloud(scratch / "long.xyz", options).size(), 100000u);
  ASSERT_FALSE(reading.empty());
  EXPECT_EQ(reading.back(), 1);
  ASSERT_GE(parsing.size(), 2u);
  EXPECT_GT(parsing.back(), parsing.front());
}

TEST(text, can_start_with_a_byte_order_mark) {
  const scratch_folder folder;
  for (const char* text : {"\xef\xbb\xbfx,y,z\n1,2,3\n4,5,6\n",
                           "\xef\xbb\xbf"
                           "1,2,3\n4,5,6\n"}) {
    std::ofstream(folder / "a.csv") << text;
    const auto points = read_cloud(folder / "a.csv");
    EXPECT_EQ(points.points, (std::vector<float>{1, 2, 3, 4, 5, 6})) << text;
    EXPECT_TRUE(points.columns.empty()) << text;
  }
}

}  // namespace
