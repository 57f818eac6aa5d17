// Several readers of parts get the whole cloud, and several writers of parts make one file.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <cloud/common_columns.hpp>
#include <cloud/part_write.hpp>
#include <cloud/write.hpp>
#include <files/output.hpp>

#include <cstdlib>
#include <random>

#include "six_points.hpp"
#include "support/seed.hpp"

namespace {
using namespace heddle::cloud;
namespace files = heddle::files;
using namespace heddle_test;

cloud read_part(const std::filesystem::path& path, std::size_t number, std::size_t of) {
  read_options options;
  options.part = {number, of};
  return read_cloud(path, options);
}

// Reads all parts, joins their columns by name, and compares with the whole cloud.
void expect_parts_make_the_whole(const std::filesystem::path& path, std::size_t of) {
  SCOPED_TRACE(path.filename().string() + " in " + std::to_string(of) + " parts");
  cloud whole = read_cloud(path), together;
  whole.make_exact();
  std::vector<cloud> parts;
  std::vector<std::vector<std::string>> names;
  for (std::size_t number = 0; number < of; ++number) {
    parts.push_back(read_part(path, number, of));
    names.push_back(names_of_columns(parts.back()));
  }
  for (cloud& part : parts) {
    keep_common_columns(part, names);
    part.make_exact();
    together.exact.insert(together.exact.end(), part.exact.begin(), part.exact.end());
    if (&part == &parts.front()) {
      together.columns = part.columns;
      continue;
    }
    ASSERT_EQ(part.columns.size(), together.columns.size());
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
      EXPECT_EQ(part.columns[i].name, together.columns[i].name);
      together.columns[i].values += part.columns[i].values;
    }
  }
  ASSERT_EQ(together.exact.size(), whole.exact.size());
  // Compares bits, because some values are NaN.
  EXPECT_EQ(std::memcmp(together.exact.data(), whole.exact.data(), 8 * whole.exact.size()), 0);
  ASSERT_EQ(together.columns.size(), whole.columns.size());
  for (std::size_t i = 0; i < whole.columns.size(); ++i)
    EXPECT_EQ(together.columns[i].values, whole.columns[i].values);
}

TEST(cloud_parts, add_up_to_the_whole_cloud) {
  for (const char* name :
       {"six_binary.pcd", "six_little.ply", "six_big.ply", "six.bin", "six_f4.npy", "six_f8.npy",
        "six_big.npy", "six_by_column.npy", "six_format_0.las", "six_format_3.las",
        "six_format_10.las", "six_comma.xyz", "six_semicolon.xyz", "six_tab.xyz", "six_blank.xyz",
        "six_named.csv"})
    for (const std::size_t of : {2, 3, 4, 7, 100})
      expect_parts_make_the_whole(folder_of_clouds / name, of);
}

TEST(cloud_parts, contain_every_line_of_a_text_once) {
  const auto seed = heddle_test::seed();
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 source(seed);
  const scratch_folder folder;
  for (int attempt = 0; attempt < 12; ++attempt) {
    std::string text = attempt % 2 == 0 ? "# made up\nx,y,z\n" : "";
    const int lines = static_cast<int>(source() % 12) + 1;
    std::vector<double> expected;
    for (int i = 0; i < lines; ++i) {
      const std::string sevens(source() % 9 + 1, '7');
      const auto height = source() % 100;
      expected.insert(expected.end(),
                      {static_cast<double>(i), std::stod(sevens), static_cast<double>(height)});
      text += std::to_string(i) + "," + sevens + "," + std::to_string(height) +
              (source() % 3 == 0 ? "\r\n" : "\n");
      if (source() % 4 == 0) text += source() % 2 == 0 ? "\n" : "# between\n";
    }
    if (source() % 2 == 0) text.pop_back();
    files::write(folder / "a.csv", text);
    cloud whole = read_cloud(folder / "a.csv");
    whole.make_exact();
    EXPECT_EQ(whole.exact, expected);
    for (std::size_t of = 2; of < text.size() + 3; of += source() % 5 + 1)
      expect_parts_make_the_whole(folder / "a.csv", of);
  }
}

std::string what_is_wrong(const std::filesystem::path& path, std::size_t number, std::size_t of) {
  try {
    static_cast<void>(read_part(path, number, of));
  } catch (const error& failure) {
    return failure.what();
  }
  return "";
}

TEST(cloud_parts, are_refused_for_formats_that_must_be_read_from_the_start) {
  for (const auto& [name, why] : {std::pair{"six_packed.pcd", "its points are packed"},
                                  {"six_ascii.pcd", "its points are text"},
                                  {"six_ascii.ply", "its points are text"},
                                  {"six_lists.ply", "its points have lists"}}) {
    const std::string sentence = what_is_wrong(folder_of_clouds / name, 1, 2);
    EXPECT_NE(sentence.find(why), sentence.npos) << sentence;
    EXPECT_NE(sentence.find("binary PCD"), sentence.npos) << sentence;
    EXPECT_EQ(what_is_wrong(folder_of_clouds / name, 0, 1), "");
  }
}

TEST(cloud_parts, report_what_is_wrong_with_a_file) {
  const scratch_folder folder;
  EXPECT_EQ(what_is_wrong(folder / "none.bin", 0, 2),
            (folder / "none.bin").string() + ": there is no such file");
  EXPECT_NE(what_is_wrong(folder.path(), 0, 2).find("it is no file"), std::string::npos);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(what_is_wrong(folder / "pipe", 0, 2).find("it is no file"), std::string::npos);
  files::write(folder / "empty.csv", "");
  EXPECT_NE(what_is_wrong(folder / "empty.csv", 1, 2).find("it is empty"), std::string::npos);
  // Only the reader whose part has the bad line reports it.
  files::write(folder / "a.csv", "1,2,3\n4,5,6\n1,2,3\n7,what,9\n");
  EXPECT_EQ(what_is_wrong(folder / "a.csv", 0, 2), "");
  EXPECT_EQ(what_is_wrong(folder / "a.csv", 1, 2),
            (folder / "a.csv").string() + ", byte 18: 'what' is no number");
}

TEST(cloud_parts, make_the_whole_file_when_concatenated) {
  const std::vector<std::int32_t> labels{0, -1, -1, 2147483647, 3, 0};
  for (const char* from : {"six_binary.pcd", "six_format_10.las", "six_named.csv"})
    for (const auto& [name, how] : {std::pair{"a.pcd", encoding::binary},
                                    {"a.pcd", encoding::ascii},
                                    {"a.ply", encoding::binary},
                                    {"a.ply", encoding::ascii},
                                    {"a.csv", encoding::binary},
                                    {"a.npy", encoding::binary}}) {
      const cloud whole = read_cloud(folder_of_clouds / from);
      for (const std::size_t of : {2, 3, 7}) {
        std::string together;
        std::size_t begin = 0;
        for (std::size_t number = 0; number < of; ++number) {
          cloud part = read_part(folder_of_clouds / from, number, of);
          if (!whole.exact.empty()) part.make_exact();
          const auto own = std::span(labels).subspan(begin, part.size());
          begin += part.size();
          together += bytes_of_part(name, part, own, how,
                                    {whole.size(), number == 0, !whole.exact.empty()});
        }
        EXPECT_TRUE(together == bytes_of_cloud(name, whole, labels, how))
            << from << " to " << name << " in " << of;
      }
    }
  EXPECT_THROW(
      static_cast<void>(bytes_of_part("a.pcd", {}, {}, encoding::packed, {6, true, false})), error);
}

TEST(cloud_parts, become_a_file_when_all_are_written) {
  const scratch_folder folder;
  const std::filesystem::path path = folder / "out.npy";
  files::write(path, "before");
  const std::string name = begin_parts(path);
  write_part(name, path, 5, "behind");
  EXPECT_EQ(whole_file(path), "before");
  write_part(name, path, 0, "first");
  finish_parts(name, path);
  EXPECT_EQ(whole_file(path), "firstbehind");
  drop_parts(begin_parts(path));
  EXPECT_EQ(whole_file(path), "firstbehind");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_THROW(static_cast<void>(begin_parts(folder / "none" / "out.npy")), files::write_error);
  EXPECT_THROW(static_cast<void>(begin_parts(folder.path())), files::write_error);
}

TEST(cloud_parts, are_written_to_a_device_when_all_are_complete) {
  const std::string name = begin_parts("/dev/null");
  write_part(name, "/dev/null", 0, "gone");
  finish_parts(name, "/dev/null");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_FALSE(std::filesystem::exists(name));
}

}  // namespace
