// Pages with placeholders.
#include <gtest/gtest.h>
#include <markup/filled.hpp>

namespace {
using heddle::markup::filled;

TEST(filled, replaces_every_placeholder_by_its_text) {
  EXPECT_EQ(filled("<h1>{{title}}</h1>{{text}} {{title}}", {{"title", "A & B"}, {"text", ""}}),
            "<h1>A & B</h1> A & B");
  EXPECT_EQ(filled("nothing to { fill }", {{"title", "x"}}), "nothing to { fill }");
  EXPECT_EQ(filled("", {}), "");
  EXPECT_EQ(filled("{{a}} and {{a", {{"a", "x"}}), "x and {{a");
}

TEST(filled, removes_a_placeholder_without_a_text) { EXPECT_EQ(filled("a{{b}}c", {}), "ac"); }

TEST(filled, leaves_what_a_text_contains_as_it_is) {
  EXPECT_EQ(filled("{{a}}{{b}}", {{"a", "{{b}} {{"}, {"b", "}} {{a}}"}}), "{{b}} {{}} {{a}}");
}

}  // namespace
