// The page that shows a cloud is self-contained, escapes text, and has the right numbers.
#include <gtest/gtest.h>
#include <cloud/view.hpp>

#include <cstring>
#include <limits>
#include <string_view>

namespace {
using namespace heddle::cloud;

// The text of the element with this id.
std::string text_of(const std::string& page, const std::string& name) {
  const std::size_t begin = page.find("id=\"" + name + "\">");
  if (begin == page.npos) return "(not there)";
  const std::size_t from = begin + name.size() + 6;
  return page.substr(from, page.find("</script>", from) - from);
}

// Decodes base64, six bits at a time.
template <typename T>
std::vector<T> decoded(const std::string& text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(letter));
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> (held -= 8));
  }
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

TEST(view_page, contains_the_points_labels_and_boxes) {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> points{1, 2, 3, none, 5, 6, 7, 8, 9};
  const std::vector<std::int32_t> labels{0, -1, -1};
  view shown{"scan", "eps 1", points, labels, {{1, {1, 2, 3}, {4, 5, 6}}}};
  shown.origin = {500000.25, 0, 1};
  const std::string page = view_page(shown);
  EXPECT_EQ(decoded<float>(text_of(page, "positions")), (std::vector<float>{1, 2, 3, 7, 8, 9}));
  EXPECT_EQ(decoded<std::int32_t>(text_of(page, "labels")), (std::vector<std::int32_t>{0, -1}));
  EXPECT_EQ(decoded<std::uint32_t>(text_of(page, "sizes")), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(decoded<float>(text_of(page, "box_corners")), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(text_of(page, "origin"), "[500000.25, 0, 1]");
  EXPECT_NE(page.find("3 points, 1 cluster, 2 noise"), page.npos);
  EXPECT_EQ(page.find("{{"), page.npos);
}

TEST(view_page, is_self_contained) {
  const std::string page = view_page({});
  for (const char* word : {"http:", "https:", "src=", "href=", "@import", "url("})
    EXPECT_EQ(page.find(word), page.npos) << word;
}

TEST(view_page, escapes_the_file_name) {
  view shown;
  shown.title = "</title><script>alert(\"1\") & more</script>{{script}}";
  const std::string page = view_page(shown);
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_NE(page.find("<h1>&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;) &amp; more"),
            page.npos);
}

TEST(view_page, shows_a_sample_of_a_large_cloud) {
  std::vector<float> points;
  for (int i = 0; i < 100; ++i) points.insert(points.end(), {static_cast<float>(i), 0, 0});
  const std::vector<std::int32_t> labels(100, -1);
  for (const std::size_t most : {1, 7, 33, 99, 100, 1000}) {
    view shown{"scan", "", points, labels, {}};
    shown.most_points = most;
    const std::string page = view_page(shown);
    const std::size_t drawn = decoded<std::int32_t>(text_of(page, "labels")).size();
    EXPECT_LE(drawn, most);
    EXPECT_GE(2 * drawn, std::min<std::size_t>(most, 100));
    EXPECT_EQ(page.find("is shown") != page.npos, most < 100);
    EXPECT_NE(page.find("100 points, 0 clusters, 100 noise"), page.npos);
  }
}

}  // namespace
