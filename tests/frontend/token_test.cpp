// The lexer keeps every byte and tells literals, names and punctuation apart.
#include <frontend/rewrite/token.hpp>

#include <gtest/gtest.h>

#include <random>

#include "support/seed.hpp"

namespace heddle::frontend {
namespace {

std::vector<std::string> spellings(const std::string& text) {
  const token_list list(text);
  std::vector<std::string> all;
  for (const token& t : list.tokens) all.emplace_back(t.text);
  return all;
}

using words = std::vector<std::string>;

TEST(token, launch_brackets_are_read_as_a_shift_a_less_and_three_greater) {
  EXPECT_EQ(spellings("k<<<1>>>(x)"), (words{"k", "<<", "<", "1", ">", ">", ">", "(", "x", ")"}));
}

TEST(token, literals_hide_what_looks_like_code) {
  EXPECT_EQ(
      spellings(R"x(f("a<<<b>>>", '"', R"(k<<<1>>>" )", u8"\"", L'\'', 1'000'000u, .5e-3f))x"),
      (words{"f", "(", "\"a<<<b>>>\"", ",", "'\"'", ",", "R\"(k<<<1>>>\" )\"", ",", "u8\"\\\"\"",
             ",", "L'\\''", ",", "1'000'000u", ",", ".5e-3f", ")"}));
}

TEST(token, raw_strings_end_at_their_own_delimiter) {
  EXPECT_EQ(spellings("R\"x(a)\" \n )x\"_s;"), (words{"R\"x(a)\" \n )x\"_s", ";"}));
}

TEST(token, comments_and_pragmas_are_not_tokens) {
  EXPECT_EQ(spellings("a /* k<<< */ b // >>>\n#pragma omp parallel\nc"), (words{"a", "b", "c"}));
}

TEST(token, line_markers_give_the_place_of_a_token) {
  const token_list list("# 1 \"a.cu\"\nx\n# 40 \"b.h\" 1 3\n\n  y z\n# 2 \"a.cu\" 2\nw");
  ASSERT_EQ(list.tokens.size(), 4u);
  EXPECT_EQ(list.location(0), "a.cu:1");
  EXPECT_EQ(list.location(1), "b.h:41");
  EXPECT_EQ(list.tokens[1].column, 2u);
  EXPECT_TRUE(list.files[list.tokens[2].file].is_system);
  EXPECT_EQ(list.location(3), "a.cu:2");
  EXPECT_FALSE(list.files[list.tokens[3].file].is_system);
}

TEST(token, lines_inside_a_raw_string_are_counted) {
  const token_list list("# 5 \"a.cu\"\nR\"(\n\n)\" x");
  EXPECT_EQ(list.location(1), "a.cu:7");
}

TEST(token, unfinished_literals_end_with_the_text) {
  for (const char* text : {"\"abc", "'", "R\"x(abc", "R\"", "/* abc", "a \\"})
    EXPECT_NO_FATAL_FAILURE(spellings(text)) << text;
}

TEST(token, every_byte_of_random_text_is_kept) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  std::mt19937 random(seed);
  const words pieces{"<",        ">",           "<<<",
                     ">>>",      "\"s\"",       "'c'",
                     "R\"(r)\"", "name",        "0x1p-3",
                     "\n",       " ",           "/*c*/",
                     "//c\n",    "#pragma x\n", "# 7 \"f\" 2\n",
                     "::",       "->",          "...",
                     "\\",       "\xc3\xa4",    "{",
                     "}",        "@",           "`"};
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += pieces[random() % pieces.size()];
    const token_list list(text);
    std::string again;
    for (const token& t : list.tokens) again.append(t.prefix).append(t.text);
    again += list.tail;
    ASSERT_EQ(again, text) << heddle_test::seed_text();
  }
}

}  // namespace
}  // namespace heddle::frontend
