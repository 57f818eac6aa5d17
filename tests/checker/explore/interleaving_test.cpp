// Interleavings written as text and read back.
#include "checker/explore/interleaving.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle_checker {
namespace {

TEST(interleaving_text, reads_back_what_it_wrote) {
  const std::string text = "0.0-7.32-12.0";
  const interleaving read = read_interleaving(text);
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[1].step, 7u);
  EXPECT_EQ(read[1].lane, 32u);
  EXPECT_EQ(text_of(read), text);
}

TEST(interleaving_text, writes_an_empty_interleaving) {
  EXPECT_EQ(text_of({}), "0.0");
  EXPECT_EQ(read_interleaving("0.0").size(), 1u);
}

TEST(interleaving_text, refuses_malformed_text) {
  for (const char* text :
       {"", "7", "7.", "7.1-", "-7.1", "7.1.2", "7.x", "7-1", "3.0-3.1", "4.0-3.1"}) {
    EXPECT_THROW(static_cast<void>(read_interleaving(text)), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace heddle_checker
