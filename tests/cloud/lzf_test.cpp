// LZF unpacks what it has packed, and refuses broken input.
#include <gtest/gtest.h>
#include <cloud/lzf.hpp>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

#include "../library/cluster/unpack.hpp"
#include "support/seed.hpp"

namespace {
using namespace heddle::cloud;

std::string unpacked(const std::string& packed, std::size_t size) {
  std::string text;
  return unpack_lzf(packed, size, text) ? text : "(broken)";
}

TEST(unpack_lzf, handles_runs_copies_long_copies_and_overlapping_copies) {
  using namespace std::string_literals;
  EXPECT_EQ(unpacked("\x02"s + "abc", 3), "abc");
  EXPECT_EQ(unpacked("\x02"s + "abc" + "\x20\x02"s, 6), "abcabc");  // length 1 + 2, back 2 + 1
  EXPECT_EQ(unpacked("\x00"s + "a" + "\xe0\x03\x00"s, 13),
            std::string(13, 'a'));  // 7 + 3 + 2, back 1
  std::string far(8192, 'x');
  far[0] = 'y';
  std::string packed;
  for (int i = 0; i < 256; ++i) packed += '\x1f' + far.substr(32 * i, 32);
  EXPECT_EQ(unpacked(packed + "\x3f\xff"s, 8195), far + "yxx");
}

TEST(unpack_lzf, refuses_broken_input) {
  using namespace std::string_literals;
  EXPECT_EQ(unpacked("\x02"s + "ab", 3), "(broken)");                 // a run that ends early
  EXPECT_EQ(unpacked("\x02"s + "abc", 2), "(broken)");                // more than the stated size
  EXPECT_EQ(unpacked("\x02"s + "abc", 4), "(broken)");                // less than the stated size
  EXPECT_EQ(unpacked("\x02"s + "abc" + "\x20\x03"s, 6), "(broken)");  // starts before the output
  EXPECT_EQ(unpacked("\x02"s + "abc" + "\x20"s, 6), "(broken)");      // a copy without its distance
  EXPECT_EQ(unpacked("\x02"s + "abc" + "\xe0\x01"s, 13), "(broken)");
  EXPECT_EQ(unpacked("\x02"s + "abc" + "\xe0\xff\x00"s, 20), "(broken)");
  EXPECT_EQ(unpacked("\x02"s + "abc", std::size_t{1} << 60),
            "(broken)");  // and allocates nothing
}

TEST(pack_lzf, round_trips_every_text) {
  const auto seed = heddle_test::seed();
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937_64 source(seed);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t size = source() % (round % 20 == 0 ? 30000 : 300);
    const auto letters = 1 + source() % (round % 3 == 0 ? 256 : 3);
    std::string text(size, '\0');
    for (char& letter : text) letter = static_cast<char>(source() % letters);
    const std::string packed = pack_lzf(text);
    EXPECT_LE(packed.size(), size + size / 32 + 1);
    ASSERT_EQ(unpacked(packed, size), text);
    ASSERT_EQ(heddle_test::unpack(packed, size), text) << "by an independent reader";
  }
}

TEST(pack_lzf, makes_repeated_text_small) {
  EXPECT_LT(pack_lzf(std::string(26400, 'a')).size(), 26400 / 80);
}

}  // namespace
