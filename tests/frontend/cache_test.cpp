// The cache: digests identify builds, finished files appear atomically, nothing else is left.
#include <frontend/driver/cache.hpp>
#include <frontend/driver/digest.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <random>
#include <set>
#include <vector>

#include "support/seed.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

class cache_test : public testing::Test {
 protected:
  scratch_folder place_{fs::temp_directory_path(), "heddle-cache-test"};
  cache cache_{place_.path() / "cache"};

  fs::path file(const fs::path& folder, const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
};

TEST_F(cache_test, returns_what_was_stored) {
  ASSERT_TRUE(cache_.is_usable());
  EXPECT_FALSE(cache_.find_object("1"));
  const scratch_folder work(cache_.root(), "building");
  cache_.store_object("1", file(work.path(), "x.o", "object"));
  ASSERT_TRUE(cache_.find_object("1"));
  std::ifstream stored(*cache_.find_object("1"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stored), {}), "object");
  EXPECT_FALSE(cache_.find_object("2"));
}

TEST_F(cache_test, keeps_the_first_of_two_equal_programs) {
  ASSERT_TRUE(cache_.is_usable());
  for (const char* text : {"first", "second"}) {
    const scratch_folder work(cache_.root(), "building");
    fs::create_directory(work.path() / "program");
    const fs::path stored = cache_.store_program("7", file(work.path() / "program", "a", text));
    std::ifstream program(stored);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(program), {}), "first");
  }
  EXPECT_TRUE(cache_.find_program("7", "a"));
  EXPECT_FALSE(cache_.find_program("7", "b"));
}

TEST_F(cache_test, scratch_folders_vanish_unless_kept) {
  fs::path gone, kept;
  {
    scratch_folder first(place_.path(), "a"), second(place_.path(), "b");
    gone = first.path();
    kept = second.path();
    file(first.path(), "x", "x");
    second.keep();
  }
  EXPECT_FALSE(fs::exists(gone));
  EXPECT_TRUE(fs::exists(kept));
}

TEST_F(cache_test, is_unusable_in_a_read_only_folder) {
  EXPECT_FALSE(cache("").is_usable());
  EXPECT_FALSE(cache("/proc/heddle").is_usable());
}

TEST_F(cache_test, removes_the_least_recently_used_files) {
  ASSERT_TRUE(cache_.is_usable());
  const scratch_folder work(cache_.root(), "building");
  const auto hours_ago = [](int hours) {
    return fs::file_time_type::clock::now() - std::chrono::hours(hours);
  };
  for (int i = 0; i < 6; ++i) {
    const std::string name = std::to_string(i);
    fs::last_write_time(cache_.store_object(name, file(work.path(), "x.o", std::string(100, 'x'))),
                        hours_ago(10 * i));
  }
  EXPECT_TRUE(cache_.find_object("4"));  // a use counts as new
  cache_.trim(350);
  EXPECT_TRUE(cache_.find_object("0"));
  EXPECT_TRUE(cache_.find_object("1"));
  EXPECT_FALSE(cache_.find_object("2"));
  EXPECT_FALSE(cache_.find_object("3"));
  EXPECT_TRUE(cache_.find_object("4"));
  EXPECT_FALSE(cache_.find_object("5"));
  cache_.trim(0);
  EXPECT_TRUE(cache_.find_object("1"));  // used within the hour
}

TEST_F(cache_test, removes_leftovers_of_killed_builds) {
  ASSERT_TRUE(cache_.is_usable());
  for (const char* name : {"building-old", "building-new"})
    fs::create_directory(cache_.root() / name);
  fs::last_write_time(cache_.root() / "building-old",
                      fs::file_time_type::clock::now() - std::chrono::hours(48));
  cache_.trim(1000);
  EXPECT_FALSE(fs::exists(cache_.root() / "building-old"));
  EXPECT_TRUE(fs::exists(cache_.root() / "building-new"));
}

TEST_F(cache_test, can_be_trimmed_by_several_builds_at_once) {
  ASSERT_TRUE(cache_.is_usable());
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 100; ++i) {
      const fs::path folder = cache_.root() / "programs" / std::to_string(i);
      fs::create_directory(folder);
      for (const fs::path& old :
           {file(folder, "program", "x"), file(cache_.root() / "objects", std::to_string(i), "x")})
        fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
    }
    std::vector<std::future<void>> builds;
    for (int i = 0; i < 4; ++i)
      builds.push_back(std::async(std::launch::async, [&] { cache_.trim(0); }));
    for (auto& one : builds) EXPECT_NO_THROW(one.get());
    EXPECT_TRUE(fs::is_empty(cache_.root() / "objects"));
    EXPECT_TRUE(fs::is_empty(cache_.root() / "programs"));
  }
}

TEST_F(cache_test, uses_the_folder_from_the_environment) {
  const auto set = [](const char* name, const char* value) {
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  };
  set("HEDDLE_CACHE", nullptr);
  set("XDG_CACHE_HOME", nullptr);
  set("HOME", "/home/somebody");
  EXPECT_EQ(default_cache_folder(), "/home/somebody/.cache/heddle");
  set("XDG_CACHE_HOME", "/xdg");
  EXPECT_EQ(default_cache_folder(), "/xdg/heddle");
  set("HEDDLE_CACHE", "/own");
  EXPECT_EQ(default_cache_folder(), "/own");
}

TEST(digest, depends_on_every_bit_and_every_boundary) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  std::mt19937 random(seed);
  std::set<std::string> seen;
  std::string text(64, 'x');
  for (char& c : text) c = static_cast<char>(random());
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string part = text.substr(0, length);
    EXPECT_TRUE(seen.insert(digest().add(part).hexadecimal()).second) << heddle_test::seed_text();
    EXPECT_TRUE(seen.insert(digest().add(part).add(text.substr(length)).hexadecimal()).second)
        << heddle_test::seed_text();
  }
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(seen.insert(digest().add(changed).hexadecimal()).second)
        << heddle_test::seed_text();
  }
  EXPECT_EQ(digest().add(text).hexadecimal(), digest().add(text).hexadecimal());
  EXPECT_EQ(digest().hexadecimal().size(), 32u);
}

TEST(digest, is_xxh3_of_each_text_after_its_length) {
  // printf '\3\0\0\0\0\0\0\0abc\0\0\0\0\0\0\0\0' | xxh128sum
  EXPECT_EQ(digest().add("abc").add("").hexadecimal(), "76b17ea997ef87c81ad90b1402c4b3d4");
}

}  // namespace
}  // namespace heddle::frontend
