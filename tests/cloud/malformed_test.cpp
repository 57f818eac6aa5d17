// What the readers say about malformed files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "six_points.hpp"
#include "support/seed.hpp"

namespace {
using namespace heddle::cloud;
using namespace heddle_test;

std::string sentence_about(const std::string& bytes, const std::string& name) {
  try {
    return "read " + std::to_string(read_cloud_from(bytes, name).size());
  } catch (const error& failure) {
    return failure.what();
  }
}

void expect_sentence(const std::string& bytes, const std::string& name,
                     const std::string& sentence) {
  const std::string said = sentence_about(bytes, name);
  EXPECT_EQ(said, name + sentence);
  EXPECT_EQ(said.find('\n'), said.npos);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::logic_error("there is no " + from);
  return text.replace(at, from.size(), to);
}

std::string file_of(const std::string& name) { return whole_file(folder_of_clouds / name); }

template <typename T>
std::string with_value(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

TEST(malformed_pcd_file, is_refused_with_a_sentence) {
  const std::string text = file_of("six_ascii.pcd"), binary = file_of("six_binary.pcd");
  const std::string packed = file_of("six_packed.pcd");
  const auto expect = [](const std::string& bytes, const std::string& sentence) {
    expect_sentence(bytes, "a.pcd", sentence);
  };
  expect("", ": it is empty");
  expect("# .PCD\nVERSION 0.7\n", ": its header has no line DATA");
  expect(replaced(text, "VIEWPOINT", "VIEWPOTN"), ", line 9: a PCD header has no line 'VIEWPOTN'");
  expect(replaced(text, "FIELDS x y z _ intensity\n", ""),
         ", line 10: the header has no line FIELDS");
  expect(replaced(text, "SIZE 4 4 4 1 2", "SIZE 4 4"),
         ", line 11: the header names 5 fields, but SIZE, TYPE or COUNT have another number");
  expect(replaced(text, "TYPE F F F U U", "TYPE F F Q U U"),
         ": the field z has TYPE Q and SIZE 4, which is no type of PCD");
  expect(replaced(text, "SIZE 4 4 4 1 2", "SIZE 4 3 4 1 2"),
         ": the field y has TYPE F and SIZE 3, which is no type of PCD");
  expect(replaced(text, "POINTS 6", "POINTS 7"),
         ", line 11: POINTS is 7, but WIDTH times HEIGHT is 6");
  expect(replaced(text, "POINTS 6", "POINTS six"), ", line 10: 'six' is no count");
  expect(replaced(text, "POINTS 6", "POINTS -6"), ", line 10: '-6' is no count");
  expect(replaced(text, "WIDTH 3", "WIDTH 18446744073709551615"),
         ", line 11: WIDTH 18446744073709551615 times HEIGHT 2 is too large");
  expect(replaced(text, "POINTS 6", "POINTS 99999999999999999999"),
         ", line 10: '99999999999999999999' is no count");
  expect(replaced(text, "DATA ascii", "DATA octal"),
         ": DATA is 'octal', not ascii, binary or binary_compressed");
  expect(replaced(text, "COUNT 1 1 1 4 1", "COUNT 1 1 1 4000000000 1"),
         ", line 11: COUNT 4000000000 for the field _ is more than the file has bytes");
  expect(replaced(text, "FIELDS x y z", "FIELDS x y w"), ": its points have no field z");
  expect(replaced(text, "COUNT 1 1 1 4 1", "COUNT 2 1 1 3 1"),
         ": the field x has 2 values for each point, not one");
  expect(replaced(text, "-2.25", "minus"), ", line 12: 'minus' is no value for the field y");
  expect(replaced(text, "0 0 0 0 10", "0 0 0 300 10"),
         ", line 13: '300' is no value for the field _");
  expect(replaced(text, "0 0 0 0 10", "0 0 0 0"), ", line 13: it has fewer than 8 values");
  expect(replaced(text, "0 0 0 0 10", "0 0 0 0 10 11"), ", line 13: it has more than 8 values");
  expect(text + "1 2 3 0 0 0 0 4\n", ", line 18: more than the 6 points that the header names");
  expect(text.substr(0, text.rfind("1.5")), ", line 16: the file ends after 5 of 6 points");
  std::string huge = replaced(text, "WIDTH 3", "WIDTH 3000000000");
  huge = replaced(huge, "POINTS 6", "POINTS 6000000000");
  expect(huge, ": it is too short for the 6000000000 points that its header names");
  expect(binary.substr(0, binary.size() - 1),
         ", byte 188: 6 points of 18 bytes should follow, but 107 bytes are left");
  huge = replaced(binary, "WIDTH 3", "WIDTH 9223372036854775807");
  huge = replaced(huge, "POINTS 6", "POINTS 18446744073709551614");
  expect(
      huge,
      ", byte 225: 18446744073709551614 points of 18 bytes should follow, but 108 bytes are left");
  const std::size_t body = packed.find("compressed\n") + 11;
  expect(packed.substr(0, body + 3),
         ", byte 199: the sizes of the packed points should have 8 bytes, but 3 are left");
  expect(packed.substr(0, packed.size() - 1),
         ", byte 207: the packed points should have " + std::to_string(packed.size() - body - 8) +
             " bytes, but " + std::to_string(packed.size() - body - 9) + " are left");
  expect(with_value(packed, body + 4, std::uint32_t{4000000000}),
         ", byte 203: the packed points have 4000000000 bytes, not those of 6 points with 18");
  expect(with_value(packed, body + 8, '\xff'), ", byte 207: the packed points are broken");
}

TEST(malformed_ply_file, is_refused_with_a_sentence) {
  const std::string text = file_of("six_ascii.ply"), binary = file_of("six_little.ply");
  const auto expect = [](const std::string& bytes, const std::string& sentence) {
    expect_sentence(bytes, "a.ply", sentence);
  };
  expect("plyx\n", ", line 1: a PLY file begins with 'ply'");
  expect("ply\nformat ascii 1.0\n", ": its header has no line end_header");
  expect("ply\nend_header\n", ", line 2: the header has no line format");
  expect(replaced(text, "format ascii", "format ebcdic"),
         ", line 2: there is no format 'ebcdic' of PLY");
  expect(replaced(text, "comment", "commend"), ", line 3: a PLY header has no line 'commend'");
  expect(replaced(text, "element vertex 6", "element vertex many"),
         ", line 6: 'many' is no count of elements");
  expect(replaced(text, "property float x", "property quad x"),
         ", line 7: there is no type 'quad' in PLY");
  expect(replaced(text, "property float x", "property float"), ", line 7: a property has no name");
  expect(replaced(text, "list uchar", "list float"),
         ", line 5: the length of a list is a whole number");
  expect("ply\nformat ascii 1.0\nproperty float x\n",
         ", line 3: a property stands before the first element");
  expect(replaced(text, "element vertex", "element vortex"), ": it has no element 'vertex'");
  expect(replaced(text, "property float x", "property float w"), ": its points have no field x");
  expect("ply\nformat ascii 1.0\nelement vertex 9\nend_header\n",
         ": its vertices have no properties");
  expect(replaced(text, "-2.25", "minus"), ", line 15: 'minus' is no value for the property y");
  expect(replaced(text, "2 -1", "99 -1"), ", line 15: '1.5' is no value for the property path");
  expect(replaced(text, "vertex 6", "vertex 60"),
         ", byte 258: the file is too short for 60 elements 'vertex'");
  expect(text.substr(0, text.rfind("\n1.5") + 1),
         ", line 19: the file ends before its last element");
  expect(replaced(binary, "vertex 6", "vertex 18446744073709551615"),
         ", byte 288: the file is too short for 18446744073709551615 elements 'vertex'");
  expect(binary.substr(0, 330), ", byte 269: the file is too short for 6 elements 'vertex'");
  const std::size_t body = binary.find("end_header\n") + 11;
  expect(with_value(binary, body, '\xff'),
         ", byte 261: 255 values of a list of 4 bytes should follow, but 105 bytes are left");
}

TEST(malformed_las_file, is_refused_with_a_sentence) {
  const std::string older = file_of("six_format_3.las"), newer = file_of("six_format_6.las");
  const auto expect = [](const std::string& bytes, const std::string& sentence) {
    expect_sentence(bytes, "a.las", sentence);
  };
  expect("LASX", ", byte 0: a LAS file begins with 'LASF'");
  expect(older.substr(0, 100), ", byte 104: a header of LAS should have 1 bytes, but 0 are left");
  expect(with_value(older, 24, '\x02'), ", byte 24: it is LAS 2.3; 1.0 to 1.4 can be read");
  expect(with_value(older, 104, '\x0b'), ", byte 104: there is no point format 11 in LAS");
  expect(with_value(older, 104, '\x83'),
         ", byte 104: its points are packed (LAZ); unpack it to LAS first");
  expect(with_value(older, 105, std::uint16_t{33}),
         ", byte 105: its points have 33 bytes, fewer than format 3 has");
  expect(with_value(older, 107, std::uint32_t{4000000000}),
         ", byte 400: 4000000000 points of 37 bytes should follow, but 222 bytes are left");
  expect(
      with_value(newer, 247, std::uint64_t{1} << 63),
      ", byte 400: 9223372036854775808 points of 30 bytes should follow, but 180 bytes are left");
  expect(with_value(older, 96, std::uint32_t{10}), ", byte 96: its points begin within the header");
  expect(with_value(older, 96, std::uint32_t{4000000000}),
         ", byte 4000000000: 6 points of 37 bytes should follow, but 0 bytes are left");
  expect(with_value(older, 131, std::numeric_limits<double>::quiet_NaN()),
         ", byte 131: its scales and offsets are no sound numbers");
}

TEST(malformed_npy_file, is_refused_with_a_sentence) {
  const std::string rows = file_of("six_f4.npy");
  const auto expect = [](const std::string& bytes, const std::string& sentence) {
    expect_sentence(bytes, "a.npy", sentence);
  };
  expect("\x93NUMPZ    ", ", byte 0: it does not begin as NPY does");
  expect(rows.substr(0, 9), ", byte 0: a header of NPY should have 10 bytes, but 9 are left");
  expect(with_value(rows, 6, '\x09'), ", byte 6: it is NPY 9; 1, 2 and 3 can be read");
  expect(with_value(rows, 8, std::uint16_t{60000}),
         ", byte 10: a header of NPY should have 60000 bytes, but 214 are left");
  expect(replaced(rows, "'<f4'", "'<c8'"),
         ": its numbers have the type '<c8'; float32 and float64 are read");
  expect(replaced(rows, "'<f4'", "[<f4]"),
         ": it is a structured array; an array with a row of numbers for each point is read");
  expect(replaced(rows, "'descr'", "'dexcr'"), ": its header has no 'descr'");
  expect(replaced(rows, "(6, 4)", "[6, 4]"), ": its header has no shape that can be read");
  expect(replaced(rows, "(6, 4)", "(24, )"),
         ": it is no array of rows with two or more numbers, one row for each point");
  expect(replaced(rows, "(6, 4)", "(7, 4)"),
         ", byte 128: 7 rows of 16 bytes should follow, but 96 bytes are left");
  expect(replaced(rows, "(6, 4), }           ", "(6, 4611686018427387904),"),
         ": its rows have 4611686018427387904 numbers, more than the file has bytes");
  expect_sentence("123456789", "a.bin",
                  ": its 9 bytes are no whole number of points, each x y z intensity in 16");
}

TEST(malformed_text_file, is_refused_with_a_sentence) {
  const auto expect = [](const std::string& bytes, const std::string& sentence) {
    expect_sentence(bytes, "a.csv", sentence);
  };
  expect("\n\n", ": there is no point in it");
  expect("x,y,z\n", ": there is no point in it");
  expect("hello world\n", ", line 1: 'hello' is no number, and the line does not name x, y and z");
  expect("1,2,3\n1,2,three\n", ", line 2: 'three' is no number");
  expect("1,2,3\n\n1,2\n", ", line 3: it has fewer than 3 values");
  expect("1 2 3\n1 2 3 4\n", ", line 2: it has more than 3 values");
  expect("1\n2\n", ", line 1: a line has two or three coordinates at least");
  expect("1,2,3\n1,\x01\x1b[31m,3\n", ", line 2: '??[31m' is no number");
  expect_sentence(std::string("\0\1\2\3", 4), "a.dat",
                  ": it is no cloud that can be read: PCD, PLY, LAS, NPY, KITTI .bin or text");
}

TEST(missing_file, is_refused_with_a_sentence) {
  const scratch_folder scratch;
  for (const auto& [path, sentence] : {std::pair{scratch / "none.pcd", ": there is no such file"},
                                       {scratch.path(), ": it is no file"}}) {
    try {
      static_cast<void>(read_cloud(path));
      ADD_FAILURE() << path << " was read";
    } catch (const error& failure) {
      EXPECT_EQ(failure.what(), path.string() + sentence);
    }
  }
}

// Wherever a file is cut off, the readers neither crash nor throw another exception.
TEST(damaged_file, can_end_at_any_byte) {
  for (const auto& entry : std::filesystem::directory_iterator(folder_of_clouds)) {
    const std::string bytes = whole_file(entry.path());
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(sentence_about(bytes.substr(0, size), entry.path().filename().string()).empty());
  }
}

TEST(damaged_file, can_have_any_bytes_changed) {
  const auto seed = heddle_test::seed();
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937_64 source(seed);
  for (const auto& entry : std::filesystem::directory_iterator(folder_of_clouds)) {
    const std::string whole = whole_file(entry.path());
    for (int round = 0; round < 300; ++round) {
      std::string bytes = whole;
      for (auto changes = 1 + source() % 4; changes > 0; --changes)
        bytes[source() % bytes.size()] = static_cast<char>(source());
      EXPECT_FALSE(sentence_about(bytes, entry.path().filename().string()).empty());
    }
  }
}

}  // namespace
