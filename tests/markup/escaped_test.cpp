// Escapes text for HTML and XML.
#include <gtest/gtest.h>
#include <markup/escaped.hpp>

namespace {
using heddle::markup::escaped;

TEST(escaped, leaves_no_tag_no_reference_and_no_end_of_an_attribute) {
  EXPECT_EQ(escaped("a<b> && \"c\""), "a&lt;b&gt; &amp;&amp; &quot;c&quot;");
  EXPECT_EQ(escaped("</script>"), "&lt;/script&gt;");
  EXPECT_EQ(escaped("&lt;"), "&amp;lt;");
}

TEST(escaped, drops_characters_that_xml_does_not_allow) {
  EXPECT_EQ(escaped(std::string_view("a\0b\x1b[1m\r\n\tc", 11)), "ab[1m\n\tc");
}

TEST(escaped, keeps_letters_of_all_scripts) {
  EXPECT_EQ(escaped("Straße 街 x"), "Straße 街 x");
  EXPECT_EQ(escaped(""), "");
}

}  // namespace
