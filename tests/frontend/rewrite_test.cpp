// The rewriter returns for broken and unfinished sources.
#include <gtest/gtest.h>
#include <frontend/rewrite/rewrite.hpp>
#include <frontend/rewrite/token.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "support/seed.hpp"

namespace heddle::frontend {
namespace {

// A fixture with the markers that preprocessing puts in.
std::string marked(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  for (const std::string word : {"global", "shared", "device", "constant", "host"})
    for (std::size_t at = 0; (at = text.find("__" + word + "__", at)) != std::string::npos;)
      text.insert(at + 2, "heddle_"), at += word.size();
  return text;
}

TEST(rewrite, returns_for_sources_with_missing_doubled_and_cut_tokens) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  std::mt19937 random(seed);
  std::vector<std::string> sources;
  for (const auto& file : std::filesystem::directory_iterator(HEDDLE_TEST_FIXTURES))
    if (file.path().extension() == ".cu") sources.push_back(marked(file.path()));
  ASSERT_FALSE(sources.empty());
  SCOPED_TRACE(heddle_test::seed_text());
  int rewritten = 0;
  for (int round = 0; round < 3000; ++round) {
    const token_list whole(sources[random() % sources.size()]);
    const std::size_t count = whole.tokens.size();
    const std::size_t from = random() % count, to = std::min(count, from + 1 + random() % 200);
    std::string text;
    for (std::size_t i = from; i < to; ++i) {
      const unsigned what = random() % 40;
      if (what == 0) continue;
      if (what == 1) text.append(" ").append(whole.tokens[random() % count].text);
      text.append(whole.tokens[i].prefix.empty() ? "" : " ").append(whole.tokens[i].text);
    }
    if (random() % 3 == 0) text.resize(random() % (text.size() + 1));
    rewritten += rewrite(text).diagnostics.empty();
  }
  EXPECT_GT(rewritten, 0);
}

TEST(rewrite, keeps_an_empty_source_empty) {
  EXPECT_EQ(rewrite("").text, "");
  EXPECT_EQ(rewrite("\n# 1 \"a.cu\"\n").text, "\n# 1 \"a.cu\"\n");
}

}  // namespace
}  // namespace heddle::frontend
