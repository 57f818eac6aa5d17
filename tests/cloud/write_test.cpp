// The writers: the readers get everything back, and other programs get the bytes they expect.
#include <gtest/gtest.h>
#include <cloud/write.hpp>

#include <cstring>

#include "../library/cluster/unpack.hpp"
#include "six_points.hpp"

namespace {
using namespace heddle::cloud;
using namespace heddle_test;

const std::vector<std::int32_t> labels{0, -1, -1, 2147483647, 3, 0};

std::vector<double> as_doubles(const std::vector<std::int32_t>& values) {
  return {values.begin(), values.end()};
}

struct way_to_write {
  const char* name;
  encoding how;
};
class written_cloud : public testing::TestWithParam<way_to_write> {
 protected:
  [[nodiscard]] static cloud read_back(const cloud& points) {
    const way_to_write way = GetParam();
    return read_cloud_from(bytes_of_cloud(way.name, points, labels, way.how), way.name);
  }
};

TEST_P(written_cloud, reads_floats_back_bit_for_bit) {
  for (const char* name : {"six_binary.pcd", "six_big.ply", "six.bin", "six_by_column.npy"}) {
    const auto points = read_cloud(folder_of_clouds / name);
    const auto back = read_back(points);
    EXPECT_EQ(bits_of(back.points), bits_of(six_points)) << name;
    // Text has no type: the digits of 0.1f are read as a double.
    EXPECT_EQ(back.exact.empty(), std::string(GetParam().name) != "a.csv");
    EXPECT_EQ(column_of(back, "label"), as_doubles(labels));
    ASSERT_EQ(back.columns.size(), 2u);
    EXPECT_EQ(column_of(back, points.columns[0].name), column_of(points, points.columns[0].name));
  }
}

TEST_P(written_cloud, reads_large_doubles_back_bit_for_bit) {
  const auto points = read_cloud(folder_of_clouds / "six_format_10.las");
  const auto back = read_back(points);
  EXPECT_EQ(back.exact, points.exact);
  EXPECT_EQ(back.origin, points.origin);
  EXPECT_EQ(back.points, points.points);
  for (const column& one : points.columns)
    EXPECT_EQ(column_of(back, one.name), column_of(points, one.name)) << one.name;
}

TEST_P(written_cloud, has_one_label_even_if_it_had_one_before) {
  auto points = read_cloud(folder_of_clouds / "six_binary.pcd");
  points.columns.push_back({"label", scalar::uint8, 1, "abcdef"});
  points.columns.push_back({"odd name, this", scalar::int64, 1, std::string(48, '\1')});
  const auto back = read_back(points);
  EXPECT_EQ(column_of(back, "label"), as_doubles(labels));
  EXPECT_EQ(column_of(back, "odd_name__this").size(), 6u);
}

INSTANTIATE_TEST_SUITE_P(all, written_cloud,
                         testing::Values(way_to_write{"a.pcd", encoding::binary},
                                         way_to_write{"a.pcd", encoding::packed},
                                         way_to_write{"a.pcd", encoding::ascii},
                                         way_to_write{"a.ply", encoding::binary},
                                         way_to_write{"a.ply", encoding::ascii},
                                         way_to_write{"a.csv", encoding::binary}));

TEST(cloud_writer, writes_columns_of_several_values) {
  auto points = read_cloud(folder_of_clouds / "six.bin");
  points.columns = {{"pair", scalar::int16, 2,
                     std::string("\0\0\1\0\2\0\3\0\4\0\5\0\6\0\7\0\10\0\11\0\12\0\13\0", 24)}};
  const auto pcd =
      read_cloud_from(bytes_of_cloud("a.pcd", points, labels, encoding::packed), "a.pcd");
  EXPECT_EQ(column_of(pcd, "pair"), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  for (const char* name : {"a.ply", "a.csv"}) {
    const auto other = read_cloud_from(bytes_of_cloud(name, points, labels), name);
    EXPECT_EQ(column_of(other, "pair_1"), (std::vector<double>{1, 3, 5, 7, 9, 11})) << name;
  }
}

TEST(cloud_writer, writes_a_cloud_without_points) {
  for (const char* name : {"a.pcd", "a.ply"}) {
    const auto back = read_cloud_from(bytes_of_cloud(name, {}, {}), name);
    EXPECT_EQ(back.size(), 0u);
  }
  EXPECT_EQ(bytes_of_cloud("a.csv", {}, {}), "x,y,z,label\n");
}

TEST(written_text, has_the_usual_format) {
  cloud points;
  points.points = {1, 2.5f, -3, 0.1f, 1e-9f, 1e9f};
  const std::vector<std::int32_t> two{7, -1};
  EXPECT_EQ(bytes_of_cloud("a.csv", points, two), "x,y,z,label\n1,2.5,-3,7\n0.1,1e-09,1e+09,-1\n");
  EXPECT_EQ(
      bytes_of_cloud("a.pcd", points, two, encoding::ascii),
      "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x y z label\nSIZE 4 4 4 4\n"
      "TYPE F F F I\nCOUNT 1 1 1 1\nWIDTH 2\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA "
      "ascii\n"
      "1 2.5 -3 7\n0.1 1e-09 1e+09 -1\n");
  EXPECT_EQ(
      bytes_of_cloud("a.ply", points, two, encoding::ascii),
      "ply\nformat ascii 1.0\ncomment clustered by heddle\nelement vertex 2\nproperty float x\n"
      "property float y\nproperty float z\nproperty int label\nend_header\n"
      "1 2.5 -3 7\n0.1 1e-09 1e+09 -1\n");
}

template <typename T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Two points with a column of two bytes and their labels, as the formats define them. (The machines
// on which this runs are little-endian, as these formats are.)
TEST(written_binary, has_the_bytes_of_its_format) {
  cloud points;
  points.points = {1, 2.5f, -3, 0.1f, 1e-9f, 1e9f};
  points.columns.push_back(
      {"i", scalar::uint16, 1, bytes_of<std::uint16_t>(300) + bytes_of<std::uint16_t>(7)});
  const std::vector<std::int32_t> two{7, -1};
  const std::string records = bytes_of(1.0f) + bytes_of(2.5f) + bytes_of(-3.0f) + "\x2c\x01" +
                              bytes_of(7) + bytes_of(0.1f) + bytes_of(1e-9f) + bytes_of(1e9f) +
                              std::string("\x07\x00", 2) + bytes_of(-1);
  const std::string pcd =
      "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x y z i label\n"
      "SIZE 4 4 4 2 4\nTYPE F F F U I\nCOUNT 1 1 1 1 1\nWIDTH 2\nHEIGHT 1\n"
      "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ";
  EXPECT_EQ(bytes_of_cloud("a.pcd", points, two, encoding::binary), pcd + "binary\n" + records);
  EXPECT_EQ(bytes_of_cloud("a.ply", points, two, encoding::binary),
            "ply\nformat binary_little_endian 1.0\ncomment clustered by heddle\nelement vertex 2\n"
            "property float x\nproperty float y\nproperty float z\nproperty ushort i\n"
            "property int label\nend_header\n" +
                records);
  // Packed: the packed and the full size, then all values of a field after those of the one before.
  const std::string planes = bytes_of(1.0f) + bytes_of(0.1f) + bytes_of(2.5f) + bytes_of(1e-9f) +
                             bytes_of(-3.0f) + bytes_of(1e9f) + "\x2c\x01" +
                             std::string("\x07\x00", 2) + bytes_of(7) + bytes_of(-1);
  const std::string packed = bytes_of_cloud("a.pcd", points, two, encoding::packed);
  const std::string header = pcd + "binary_compressed\n";
  ASSERT_EQ(packed.substr(0, header.size()), header);
  std::uint32_t sizes[2];
  std::memcpy(sizes, packed.data() + header.size(), sizeof sizes);
  EXPECT_EQ(sizes[0], packed.size() - header.size() - sizeof sizes);
  EXPECT_EQ(sizes[1], planes.size());
  EXPECT_EQ(unpack(packed.substr(header.size() + sizeof sizes), planes.size()), planes);
}

// The bytes that numpy.save writes for numpy.array([0, -1, -1, 2147483647, 3, 0], dtype="int32").
TEST(written_labels, have_the_bytes_that_numpy_writes) {
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (6,), }";
  header.resize(117, ' ');
  std::string expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n";
  expected.append(reinterpret_cast<const char*>(labels.data()), 24);
  const auto points = read_cloud(folder_of_clouds / "six.bin");
  EXPECT_EQ(bytes_of_cloud("a.npy", points, labels), expected);
}

TEST(output_format, refuses_an_unknown_extension) {
  EXPECT_THROW(expect_known_output("a.las"), error);
  EXPECT_THROW(expect_known_output("a"), error);
  EXPECT_NO_THROW(expect_known_output("a.ply"));
  EXPECT_THROW(static_cast<void>(bytes_of_cloud("a.ply", {}, {}, encoding::packed)), error);
  EXPECT_THROW(static_cast<void>(bytes_of_cloud("a.ply", {}, labels)), std::invalid_argument);
}

TEST(output_format, is_csv_for_devices_unless_the_name_says_otherwise) {
  EXPECT_NO_THROW(expect_known_output("-"));
  EXPECT_NO_THROW(expect_known_output("/dev/null"));
  cloud points;
  points.points = {1, 2, 3};
  const std::vector<std::int32_t> one{5};
  EXPECT_EQ(bytes_of_cloud("-", points, one), "x,y,z,label\n1,2,3,5\n");
}

}  // namespace
