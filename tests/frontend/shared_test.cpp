// Shared variables: in functions, at namespace scope, sized by the launch, seen from lambdas.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::string in_function(const std::string& text) {
  return rewritten("__heddle_device__ void f() { " + text + " }");
}
std::string expected(const std::string& text) { return tokens_of("void f() { " + text + " }"); }
std::string slot(const std::string& reference, const std::string& name, const std::string& type) {
  return "[[maybe_unused]] " + reference + " = ::heddle_host::shared_slot<" + type + ">()." + name +
         ";";
}
std::string slot(const std::string& reference, const std::string& name) {
  return slot(reference, name, "heddle_shared_0_" + name);
}

TEST(shared, a_declaration_in_a_function_becomes_a_struct_and_references) {
  EXPECT_EQ(in_function("__heddle_shared__ float a[4], b;"),
            expected("struct heddle_shared_0_a_b { float a[4], b; };" +
                     slot("float (&a)[4]", "a", "heddle_shared_0_a_b") +
                     slot("float& b", "b", "heddle_shared_0_a_b")));
  EXPECT_EQ(in_function("static __heddle_shared__ volatile unsigned long long (*p)[3];"),
            expected("struct heddle_shared_0_p { volatile unsigned long long (*p)[3]; };" +
                     slot("volatile unsigned long long (*&p)[3]", "p")));
  EXPECT_EQ(in_function("__heddle_shared__ typename t<u>::template v<3>::w x;"),
            expected("struct heddle_shared_0_x { typename t<u>::template v<3>::w x; };" +
                     slot("typename t<u>::template v<3>::w& x", "x")));
  EXPECT_EQ(in_function("const __heddle_shared__ ::a::b<(1 > 0)> x;"),
            expected("struct heddle_shared_0_x { const ::a::b<(1 > 0)> x; };" +
                     slot("const ::a::b<(1 > 0)>& x", "x")));
}

TEST(shared, every_declarator_keeps_its_own_shape) {
  EXPECT_EQ(
      in_function("__heddle_shared__ int *a, b[2][n], (*c)(float), *volatile d;"),
      expected("struct heddle_shared_0_a_b_c_d { int *a, b[2][n], (*c)(float), *volatile d; };" +
               slot("int *&a", "a", "heddle_shared_0_a_b_c_d") +
               slot("int (&b)[2][n]", "b", "heddle_shared_0_a_b_c_d") +
               slot("int (*&c)(float)", "c", "heddle_shared_0_a_b_c_d") +
               slot("int *volatile &d", "d", "heddle_shared_0_a_b_c_d")));
}

TEST(shared, attributes_stay_with_the_variable) {
  EXPECT_EQ(in_function("__heddle_shared__ alignas(16) float a[4];"),
            expected("struct heddle_shared_0_a { alignas(16) float a[4]; };" +
                     slot("float (&a)[4]", "a")));
  EXPECT_EQ(in_function("__heddle_shared__ float a[4] __attribute__((aligned(16)));"),
            expected("struct heddle_shared_0_a { float a[4] __attribute__((aligned(16))); };" +
                     slot("float (&a)[4]", "a")));
}

TEST(shared, types_can_be_defined_in_the_declaration) {
  EXPECT_EQ(in_function("__heddle_shared__ union { int i; float f; } u;"),
            expected("struct heddle_shared_0_u { union { int i; float f; } u; };" +
                     slot("auto& u", "u")));
  EXPECT_EQ(
      in_function("__heddle_shared__ struct node { int i; } n, *m[2];"),
      expected("struct node { int i; }; struct heddle_shared_0_n_m { struct node n, *m[2]; };" +
               slot("struct node &n", "n", "heddle_shared_0_n_m") +
               slot("struct node *(&m)[2]", "m", "heddle_shared_0_n_m")));
}

TEST(shared, declarations_are_numbered_within_each_function) {
  EXPECT_EQ(
      rewritten("void f() { __heddle_shared__ int a; { __heddle_shared__ int b; } } "
                "void g() { __heddle_shared__ int c; }"),
      tokens_of("void f() { struct heddle_shared_0_a { int a; };" + slot("int& a", "a") +
                "{ struct heddle_shared_1_b { int b; };" +
                slot("int& b", "b", "heddle_shared_1_b") +
                "} } void g() { struct heddle_shared_0_c { int c; };" + slot("int& c", "c") + "}"));
}

TEST(shared, memory_sized_by_the_launch_becomes_the_declared_array) {
  EXPECT_EQ(in_function("extern __heddle_shared__ float s[];"),
            expected("typedef float heddle_shared_0[]; [[maybe_unused]] heddle_shared_0& s = "
                     "::heddle_host::dynamic_shared<heddle_shared_0>();"));
  for (const char* alignment : {"alignas(16)", "__attribute__((aligned(16)))"})
    EXPECT_EQ(in_function("extern __heddle_shared__ " + std::string(alignment) + " T s[][4];"),
              expected("typedef T heddle_shared_0[][4]; [[maybe_unused]] heddle_shared_0& s = "
                       "::heddle_host::dynamic_shared<heddle_shared_0>();"));
}

TEST(shared, at_namespace_scope_variables_are_thread_local_and_registered) {
  const auto registered = [](const std::string& name, const std::string& number) {
    return "static const ::heddle_host::block_variable heddle_shared_" + number +
           "(+[]() -> void* { return const_cast<void*>(static_cast<const volatile void*>(&" + name +
           ")); }, sizeof(" + name + "));";
  };
  EXPECT_EQ(rewritten("namespace n { __heddle_shared__ float a[4], b; }"),
            tokens_of("namespace n { static thread_local float a[4], b;" + registered("a", "0") +
                      registered("b", "1") + "}"));
  EXPECT_EQ(
      rewritten("alignas(8) static __heddle_shared__ struct { int x; } v;"),
      tokens_of("alignas(8) static thread_local struct { int x; } v;" + registered("v", "0")));
}

TEST(shared, at_namespace_scope_launch_sized_memory_becomes_one_pointer) {
  const std::string once =
      "static thread_local float (*s)[4]; static const ::heddle_host::dynamic_shared_pointer "
      "heddle_shared_0(+[](void* base) { s = static_cast<decltype(s)>(base); });";
  EXPECT_EQ(rewritten("extern __heddle_shared__ float s[][4];"), tokens_of(once));
  EXPECT_EQ(rewritten("extern __heddle_shared__ float s[][4]; int x; "
                      "extern __heddle_shared__ float s[][4];"),
            tokens_of(once + " int x;"));
}

TEST(shared, lambdas_that_do_not_capture_by_reference_get_the_reference) {
  const std::string declared = "__heddle_shared__ int a, b;";
  const std::string replaced = "struct heddle_shared_0_a_b { int a, b; };" +
                               slot("int& a", "a", "heddle_shared_0_a_b") +
                               slot("int& b", "b", "heddle_shared_0_a_b");
  const auto check = [&](const std::string& lambda, const std::string& captured) {
    EXPECT_EQ(in_function(declared + lambda), expected(replaced + captured)) << lambda;
  };
  check("auto l = [=] { return a + b; };", "auto l = [=, &a, &b] { return a + b; };");
  check("auto l = [] { return a; };", "auto l = [&a] { return a; };");
  check("auto l = [x] { return x.a + b; };", "auto l = [x, &b] { return x.a + b; };");
  check("auto l = [&] { return a; };", "auto l = [&] { return a; };");
  check("auto l = [&, x] { return a; };", "auto l = [&, x] { return a; };");
  check("auto l = [a] { return a; };", "auto l = [a] { return a; };");
  check("auto l = [=] { return [=] { return a; }; };",
        "auto l = [=, &a] { return [=, &a] { return a; }; };");
}

TEST(shared, captures_follow_the_variable_and_not_its_name) {
  const std::string declared = "__heddle_shared__ int n;";
  const std::string replaced = "struct heddle_shared_0_n { int n; };" + slot("int& n", "n");
  const auto check = [&](const std::string& text, const std::string& captured) {
    EXPECT_EQ(in_function(declared + text), expected(replaced + captured)) << text;
  };
  for (const char* other :
       {"auto l = [](int n) { return n; };", "auto l = [](const a<b>& n) { return n; };",
        "auto l = [] { int n = 1; return n; };", "auto l = [] { a<b> n; return n; };",
        "auto l = [](auto x) { for (auto& n : x) f(n); };", "auto l = [n = 1] { return n; };",
        "auto l = [] { struct s { int n; int f() { return n; } }; };",
        "auto l = [] { auto [m, n] = f(); return n; };"})
    check(other, other);
  check("auto l = [] { { int n = 1; } return n; };", "auto l = [&n] { { int n = 1; } return n; };");
  check("auto l = [] { return [](int n) { return n; }(n); };",
        "auto l = [&n] { return [](int n) { return n; }(n); };");
  check("auto l = [](int i) -> std::pair<int, int> { return {n, i}; };",
        "auto l = [&n](int i) -> std::pair<int, int> { return {n, i}; };");
}

TEST(shared, its_type_is_the_declared_one) {
  EXPECT_EQ(in_function("__heddle_shared__ int t; decltype(t) m = t; decltype((t)) r = t;"),
            expected("struct heddle_shared_0_t { int t; };" + slot("int& t", "t") +
                     "decltype(heddle_shared_0_t::t) m = t; decltype((t)) r = t;"));
  EXPECT_EQ(in_function("extern __heddle_shared__ float s[]; f<decltype(s)>();"),
            expected("typedef float heddle_shared_0[]; [[maybe_unused]] heddle_shared_0& s = "
                     "::heddle_host::dynamic_shared<heddle_shared_0>(); f< heddle_shared_0>();"));
}

TEST(shared, constant_expressions_use_its_shape) {
  EXPECT_EQ(in_function("__heddle_shared__ int s[4]; constexpr auto n = std::size(s); g(s);"),
            expected("struct heddle_shared_0_s { int s[4]; };" + slot("int (&s)[4]", "s") +
                     "constexpr auto n = std::size(::heddle_host::shape_of<heddle_shared_0_s>."
                     "variables.s); g(s);"));
  EXPECT_EQ(in_function("__heddle_shared__ int s[4]; int a[std::size(s)]; a[s[0]] = f(s);"),
            expected("struct heddle_shared_0_s { int s[4]; };" + slot("int (&s)[4]", "s") +
                     "int a[std::size(::heddle_host::shape_of<heddle_shared_0_s>.variables.s)]; "
                     "a[s[0]] = f(s);"));
  EXPECT_EQ(in_function("__heddle_shared__ list s; g(std::size(s));"),
            expected("struct heddle_shared_0_s { list s; };" + slot("list& s", "s") +
                     "g(std::size(s));"));
}

TEST(shared, a_variable_that_jumps_pass_has_no_reference) {
  const std::string used = "::heddle_host::shared_slot<heddle_shared_0_s>().s";
  EXPECT_EQ(in_function("switch (x) { case 1: __heddle_shared__ int s; s = 1; case 2: f(s); }"),
            expected("switch (x) { case 1: struct heddle_shared_0_s { int s; };" + used +
                     " = 1; case 2: f(" + used + "); }"));
  EXPECT_EQ(in_function("goto end; __heddle_shared__ int s; s = 1; end:;"),
            expected("goto end; struct heddle_shared_0_s { int s; };" + used + " = 1; end:;"));
}

TEST(shared, local_classes_reach_it_without_the_reference) {
  EXPECT_EQ(in_function("__heddle_shared__ int s; struct c { int f() { return s + [] { return s; "
                        "}(); } int g(int s) { return s; } };"),
            expected("struct heddle_shared_0_s { int s; };" + slot("int& s", "s") +
                     "struct c { int f() { return ::heddle_host::shared_slot<heddle_shared_0_s>()"
                     ".s + [] { return ::heddle_host::shared_slot<heddle_shared_0_s>().s; }(); } "
                     "int g(int s) { return s; } };"));
}

TEST(shared, it_may_have_the_name_of_its_type) {
  EXPECT_EQ(in_function("__heddle_shared__ node node;"),
            expected("struct heddle_shared_0_node { node heddle_node; };" +
                     slot("node& node", "heddle_node", "heddle_shared_0_node")));
}

TEST(shared, types_may_compare) {
  EXPECT_EQ(in_function("__heddle_shared__ c<n < 4, float, double> s;"),
            expected("struct heddle_shared_0_s { c<n < 4, float, double> s; };" +
                     slot("c<n < 4, float, double>& s", "s")));
}

TEST(shared, impossible_declarations_are_reported_at_their_line) {
  EXPECT_EQ(rewritten("void f() {\n __heddle_shared__ int a = 0; }")
                .find("user.cu:2: the shared variable `a` cannot have an initialiser"),
            0u);
  EXPECT_EQ(rewritten("struct s {\n\n static __heddle_shared__ int a; };")
                .find("user.cu:3: a `__shared__` variable cannot be a member"),
            0u);
  EXPECT_EQ(rewritten("void f() {\n g(__heddle_shared__); }")
                .find("user.cu:2: cannot parse this use of `__shared__`"),
            0u);
}

}  // namespace
}  // namespace heddle::frontend
