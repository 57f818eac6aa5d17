// Finds the prelude in text as g++ preprocesses it.
#include <frontend/driver/prelude.hpp>

#include <gtest/gtest.h>

#include <string>

namespace heddle::frontend {
namespace {

const std::string head =
    "# 0 \"a.cu\"\n# 1 \"/home/me//\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n";
const std::string implicit =
    "# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n"
    "# 1 \"cuda_runtime.h\" 1\nint cudaFree(void*);\n# 0 \"<command-line>\" 2\n";
const std::string file = "# 1 \"a.cu\"\nint main() {}\n";

TEST(prelude, lies_between_the_head_and_the_file) {
  const std::string text = head + implicit + file;
  const auto parts = split_at_prelude(text);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->head, head);
  EXPECT_EQ(parts->prelude, implicit);
  EXPECT_EQ(parts->rest, file);
}

TEST(prelude, does_not_depend_on_the_file) {
  std::string other_head = head, other_file = file;
  for (std::string* text : {&other_head, &other_file}) text->replace(text->find("a.cu"), 1, "b");
  const std::string one = head + implicit + file, other = other_head + implicit + other_file;
  EXPECT_EQ(split_at_prelude(one)->prelude, split_at_prelude(other)->prelude);
  EXPECT_NE(split_at_prelude(one)->head, split_at_prelude(other)->head);
}

TEST(prelude, is_not_found_in_other_text) {
  for (const std::string& text :
       {std::string(), std::string("int main() {}\n"), head, head + implicit, implicit + file,
        std::string("# 0 \"a.cu\""), std::string("# 0 \"<command-line>\"")})
    EXPECT_FALSE(split_at_prelude(text)) << text;
}

TEST(prelude, is_replaced_by_a_pragma_after_the_head) {
  const std::string text = head + implicit + file;
  EXPECT_EQ(with_precompiled(*split_at_prelude(text), "/cache/1.gch"),
            head + "#pragma GCC pch_preprocess \"/cache/1.gch\"\n" + file);
}

}  // namespace
}  // namespace heddle::frontend
