// Several lanes of a warp read different bytes of one word, and the cell tells them apart.
#include "checker/race/byte_readers.hpp"

#include "scene.hpp"

namespace heddle_checker {
namespace {

class readers_of_bytes : public scene {
 protected:
  // An address in another line, none of whose bytes has a cell yet.
  static constexpr std::uintptr_t other_data = data + shadow::line_bytes;
};

TEST(byte_readers, say_which_lane_has_read_which_byte) {
  const byte_readers all =
      reads_bytes(31, mask_of_bytes(6, 2)) | reads_bytes(0, mask_of_bytes(8, 1));
  EXPECT_EQ(reader_of_byte(all, 0), 1u);
  EXPECT_EQ(reader_of_byte(all, 1), 0u);
  EXPECT_EQ(reader_of_byte(all, 2), 32u);
  EXPECT_EQ(reader_of_byte(all, 3), 32u);
  EXPECT_FALSE(are_readers_of_pairs(all));
  EXPECT_TRUE(are_readers_of_pairs(reads_bytes(31, mask_of_bytes(6, 2))));
}

TEST_F(readers_of_bytes, are_distinguished_when_a_byte_is_written) {
  for (unsigned i = 0; i < 64; ++i) read({0, i}, data + i, 1);
  for (unsigned i = 0; i < 64; ++i) write({0, i}, data + i, 1);
  expect_silence();
  for (unsigned i = 0; i < 64; ++i) read({0, i}, other_data + i, 1);
  write({1, 0}, other_data + 38, 1);
  expect_race({0, 38}, {1, 0});
}

TEST_F(readers_of_bytes, are_distinguished_when_halves_are_read) {
  for (unsigned i = 0; i < 32; ++i) read({0, i}, data + 2 * i, 2);
  write({0, 4}, data + 8, 2);
  expect_silence();
  write({1, 0}, data + 7, 1);
  expect_race({0, 3}, {1, 0});
}

TEST_F(readers_of_bytes, are_distinguished_from_readers_of_halves) {
  read({0, 1}, data, 2);
  read({0, 2}, data + 2, 1);
  read({0, 3}, data + 3, 1);
  write({0, 2}, data + 2, 1);
  write({0, 1}, data, 2);
  expect_silence();
  write({0, 2}, data + 3, 1);
  expect_race({0, 3}, {0, 2});
}

TEST_F(readers_of_bytes, are_all_compared_when_the_word_is_written) {
  read({0, 1}, data + 1, 1);
  write({0, 1}, data);
  expect_silence();
  read({0, 1}, other_data, 1);
  read({0, 2}, other_data + 1, 1);
  write({0, 1}, other_data);
  expect_race({0, 2}, {0, 1});
}

TEST_F(readers_of_bytes, are_compared_when_an_atomic_changes_the_word) {
  read({0, 1}, data + 1, 1);
  read({0, 2}, data + 2, 1);
  update({0, 1}, data);
  expect_race({0, 2}, {0, 1});
}

TEST_F(readers_of_bytes, can_share_one_byte) {
  for (const unsigned thread : {1u, 2u, 40u}) read({0, thread}, data + 1, 1);
  write({0, 1}, data + 2, 1);
  expect_silence();
  read({0, 2}, other_data, 1);
  read({0, 1}, other_data, 1);
  write({0, 2}, other_data, 1);
  expect_race({0, 1}, {0, 2});
}

TEST_F(readers_of_bytes, can_be_in_several_warps) {
  read({0, 31}, data, 1);
  read({0, 32}, data + 1, 1);
  write({0, 32}, data + 1, 1);
  expect_silence();
  write({0, 32}, data, 1);
  expect_race({0, 31}, {0, 32});
}

TEST_F(readers_of_bytes, are_kept_when_others_read_other_bytes_later) {
  read({0, 1}, data + 1, 1);
  barrier(0);
  read({0, 2}, data + 2, 1);
  write({1, 0}, data + 1, 1);
  expect_race({0, 1}, {1, 0});
}

TEST_F(readers_of_bytes, are_kept_when_the_word_was_read_before) {
  read({0, 1}, data);
  barrier(0);
  read({0, 2}, data + 2, 1);
  write({1, 0}, data + 1, 1);
  expect_race({0, 1}, {1, 0});
}

TEST_F(readers_of_bytes, are_not_readers_of_the_whole_word) {
  read({0, 1}, data + 1, 1);
  read({0, 1}, data);
  write({1, 0}, data + 2, 1);
  expect_race({0, 1}, {1, 0});
}

TEST_F(readers_of_bytes, come_before_writes_after_a_barrier) {
  for (unsigned i = 0; i < 32; ++i) read({0, i}, data + i, 1);
  barrier(0);
  write({0, 50}, data);
  write({0, 51}, data + 5, 1);
  write({0, 52}, data + 6, 2);
  expect_silence();
}

TEST_F(readers_of_bytes, must_come_after_the_newest_write) {
  write({0, 1}, data);
  read({0, 1}, data + 1, 1);
  expect_silence();
  read({0, 2}, data + 2, 1);
  expect_race({0, 1}, {0, 2});
}

TEST_F(readers_of_bytes, keep_their_code_addresses) {
  read({0, 1}, data, 1, 11);
  read({0, 2}, data + 1, 1, 12);
  write({1, 0}, data + 1, 1);
  expect_race({0, 2}, {1, 0});
  EXPECT_EQ(reported.at(0).first.code, line(12));
}

TEST_F(readers_of_bytes, are_forgotten_with_the_memory) {
  for (unsigned i = 0; i < 32; ++i) read({0, i}, data + i, 1);
  detector.forget(data, 32);
  write({1, 0}, data + 5, 1);
  write({1, 0}, data + 8);
  expect_silence();
}

}  // namespace
}  // namespace heddle_checker
