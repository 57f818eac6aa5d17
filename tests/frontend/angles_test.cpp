// Whether a `<` opens a template bracket or compares, decided by names and by the text around it.
#include <frontend/rewrite/structure.hpp>

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

// The text between the first `<` after `@` and its `>`; "compares" if the `<` is a comparison.
std::string between(std::string text) {
  text.replace(text.find('@'), 1, " heddle_here ");
  const token_list list(text);
  const structure shape(list);
  std::size_t open = 0;
  while (!shape.is(open, "heddle_here")) ++open;
  while (!shape.is(open, "<")) ++open;
  if (!shape.opens_angles(open)) return "compares";
  std::string inside;
  for (std::size_t i = open + 1; i + 1 < shape.after_angles(open); ++i) inside += shape.at(i).text;
  return inside;
}

TEST(angles, brackets_nest_and_hold_other_brackets) {
  EXPECT_EQ(between("@ a<b<c>, d(1 > 2), {3}> x;"), "b<c>,d(1>2),{3}");
  EXPECT_EQ(between("@ a<b<c<d>>> x;"), "b<c<d>>");
  EXPECT_EQ(between("@ template <template <class> class c, class t = a<b>> void f();"),
            "template<class>classc,classt=a<b>");
}

TEST(angles, a_bare_comparison_is_not_a_bracket) {
  EXPECT_EQ(between("@ a < b;"), "compares");
  EXPECT_EQ(between("f(@ a < b);"), "compares");
  EXPECT_EQ(between("f(@ a < b && c > 3);"), "compares");
  EXPECT_EQ(between("void f(@ bool b = x < y, bool c = z > y);"), "compares");
  EXPECT_EQ(between("int n = 3; @ n < 4 > x;"), "compares");
}

TEST(angles, comparisons_between_brackets_are_skipped) {
  EXPECT_EQ(between("@ a<n < 4, float> x;"), "n<4,float");
  EXPECT_EQ(between("@ template <int n, bool s = n < 4> void k(int*) { }"), "intn,bools=n<4");
  EXPECT_EQ(between("@ template <int n, bool s = n < 4> __heddle_global__ void k(a<b> x);"),
            "intn,bools=n<4");
  EXPECT_EQ(between("@ a<n < m, k < l> x;"), "n<m,k<l");
}

// Without a declaration of `n`, `n<4>` would be the likelier reading.
TEST(angles, declared_variables_compare) {
  EXPECT_EQ(between("@ a<n < 4> > x;"), "n<4>");
  EXPECT_EQ(between("constexpr int n = 3; @ a<n < 4> > x;"), "n<4");
  EXPECT_EQ(between("template <int n> struct b; int n = 3; @ a<n < 4> > x;"), "n<4");
}

TEST(angles, a_name_that_is_also_a_template_can_be_either) {
  const std::string both = "template <class t> int size(t); void f(int size);";
  EXPECT_EQ(between(both + "@ a<size<int>> x;"), "size<int>");
  EXPECT_EQ(between(both + "@ a<size < 4> x;"), "size<4");
}

}  // namespace
}  // namespace heddle::frontend
