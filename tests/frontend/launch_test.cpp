// Launches are found and rewritten anywhere, and nothing else is taken for a launch.
#include <gtest/gtest.h>

#include <random>

#include "rewriting.hpp"
#include "support/seed.hpp"

namespace heddle::frontend {
namespace {

std::string launched(const std::string& callee, const std::string& shape,
                     const std::string& arguments) {
  return tokens_of("(::heddle_host::push_configuration(" + shape + ") ? (void)0 : " + callee + "(" +
                   arguments + "))");
}

std::string in_main(const std::string& statement) { return "int main() { " + statement + " }"; }

void expect_launch(const std::string& before, const std::string& callee, const std::string& shape,
                   const std::string& arguments, const std::string& note = "") {
  const std::string source = before + callee + "<<<" + shape + ">>>(" + arguments + ");";
  EXPECT_EQ(rewritten(in_main(source)),
            tokens_of(in_main(before + launched(callee, shape, arguments) + ";")))
      << source << note;
}

TEST(launch, the_callee_can_be_any_expression_that_names_a_kernel) {
  for (const char* callee : {"k",
                             "ns::k",
                             "::k",
                             "::ns::k",
                             "k<int>",
                             "k<int, 3>",
                             "ns::k<a<b>>",
                             "ns::a<b>::k<c>",
                             "k<(3 > 2)>",
                             "this->k",
                             "object.member.k",
                             "pointer->template k<int>",
                             "a::template k<b>",
                             "table[i]",
                             "table[i][j]",
                             "object.table[f(i)]",
                             "(*pointer)",
                             "(k)",
                             "choose(1)(2)",
                             "static_cast<void (*)(int)>(k)",
                             "k<a<b<c>>>",
                             "decltype(x)::k",
                             "k<&object::member>"})
    expect_launch("", callee, "1, 2", "x");
}

TEST(launch, text_before_the_callee_stays_outside) {
  for (const char* before :
       {"return ", "else ", "if (x) ", "while (f(x)) ", "for (;;) ",
        "case 1: ", "label: ", "x = 1, ", "{ ", "} ", "; ", "(void)0; ", "do ", "check(f(x)), "})
    for (const char* callee : {"k", "::k", "k<int>", "(k)"}) {
      if (std::string(before) == "check(f(x)), " && callee[0] == '(') continue;
      expect_launch(before, callee, "1, 2", "");
    }
}

TEST(launch, the_configuration_can_contain_shifts_comparisons_and_templates) {
  for (const char* shape : {"1, 2", "n >> 1, 2", "(n >> 1) > 2 ? 3 : 4, 5", "dim3(1, 2), dim3{3}",
                            "1, 2, sizeof(a<b<int>>)", "f<a<int>>(3), 4", "1, v<a<int>>",
                            "{1, 2}, {3}", "1, 2, 0, stream", "[] { return 1 > 0; }(), 2",
                            "1, table[a > b]", "v<a<b<int>>>::value, 1", "1 << 3, 2"})
    expect_launch("", "k", shape, "x, y");
}

TEST(launch, comparisons_and_template_arguments_are_told_apart) {
  for (const char* callee : {"k<n < 4>", "k<n < 4, (3 > 2)>", "k<a<b>, n < 4>", "k<v<int> < 4>"})
    expect_launch("", callee, "1, 2", "x");
  for (const char* shape : {"1, f<a<b<int>>>(4)", "n < 4 ? 1 : 2, 3", "1, n < f<a<int>>(2) ? 1 : 2",
                            "f<a<b<int>>>(4), n > 3 ? 1 : 2", "m < n, n > m"})
    expect_launch("", "k", shape, "x, y");
  expect_launch("bool b = m < n; ", "k<int>", "1, 2", "x");
}

TEST(launch, blanks_comments_and_line_breaks_inside_change_nothing) {
  EXPECT_EQ(rewritten("int main() { k <<< 1 ,\n /* two */ 2 >>>\n ( x ) ; }"),
            tokens_of(in_main(launched("k", "1, /* two */ 2", "x") + ";")));
  // A preprocessor may put blanks between the brackets.
  EXPECT_EQ(rewritten("int main() { k<< <1, 2>> >(x); }"),
            tokens_of(in_main(launched("k", "1, 2", "x") + ";")));
}

TEST(launch, launches_can_contain_launches) {
  EXPECT_EQ(
      rewritten("void f() { k<<<1, 2>>>([] { inner<<<3, 4>>>(y); }); }"),
      tokens_of("void f() { " +
                launched("k", "1, 2", "[] { " + launched("inner", "3, 4", "y") + "; }") + "; }"));
}

TEST(launch, operators_templates_and_shifts_are_left_alone) {
  for (const char* text :
       {"int x = operator<< <int>(a, b);", "std::ostream& operator<<<int>(std::ostream&, int);",
        "auto y = a<b<c<int>>>(x);", "friend s& operator<< <>(s&, const t<a>&);",
        "int z = 1 << 2 << 3 >> 1;", "const char* text = \"k<<<1, 2>>>(x)\";",
        "auto w = x.operator<<<3>(y);", "bool b = a < b && c >> d > (e);"})
    EXPECT_EQ(rewritten(text), tokens_of(text));
}

TEST(launch, an_unclosed_bracket_is_reported_at_its_line) {
  EXPECT_EQ(rewritten("void f() {\n\n  k<<<1, 2>>;\n}"),
            "user.cu:3: this `<<<` has no matching `>>>(…)`\n");
}

TEST(launch, a_launch_from_device_code_is_rewritten_like_one_from_host_code) {
  EXPECT_EQ(rewritten("__heddle_device__ void p() { if (x) { k<<<1, 2>>>(); } }"),
            tokens_of("void p() { if (x) { " + launched("k", "1, 2", "") + "; } }"));
  EXPECT_EQ(rewritten("__heddle_host__ __heddle_device__ void p() { k<<<1, 2>>>(); }"),
            tokens_of("void p() { " + launched("k", "1, 2", "") + "; }"));
  const std::string kernel = rewritten("__heddle_global__ void p() { k<int><<<1, 2, 3, s>>>(4); }");
  EXPECT_NE(kernel.find(tokens_of(launched("k<int>", "1, 2, 3, s", "4"))), std::string::npos)
      << kernel;
}

TEST(launch, random_launches_are_rewritten_from_their_parts) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  std::mt19937 random(seed);
  const auto pick = [&](const std::vector<std::string>& all) { return all[random() % all.size()]; };
  const std::vector<std::string> names{"k", "ns::k", "a::b::c", "::k"};
  const std::vector<std::string> types{"", "<int>", "<a<b>>", "<a<b<c>>, 3>", "<(x > y), f(1)>"};
  const std::vector<std::string> values{
      "1",          "n",       "(n + 31) / 32", "n >> 5",    "f(g(1), 2)",
      "dim3{1, 2}", "v<a<b>>", "t[i]",          "x ? y : z", "sizeof(a<b<c>>)"};
  for (int round = 0; round < 2000; ++round) {
    std::string shape = pick(values), arguments;
    for (unsigned i = random() % 3; i-- > 0;) shape += ", " + pick(values);
    for (unsigned i = random() % 4; i-- > 0;)
      arguments += (arguments.empty() ? "" : ", ") + pick(values);
    expect_launch(pick({"", "return ", "if (a > b) ", "else "}), pick(names) + pick(types), shape,
                  arguments, "\n" + heddle_test::seed_text());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace heddle::frontend
