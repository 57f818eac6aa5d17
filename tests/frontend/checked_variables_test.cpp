// What the frontend adds for checked programs: names and lines of variables, and watched local
// arrays.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::string checked(const std::string& text) {
  rewrite_options options;
  options.is_checked = true;
  return tokens_of(rewrite("# 1 \"/user.cu\"\n" + text, options).text);
}
std::string in_function(const std::string& text, const std::string& head = "void f()") {
  return checked("__heddle_device__ " + head + " { " + text + " }");
}
std::string expected(const std::string& text, const std::string& head = "void f()") {
  return tokens_of(head + " { " + text + " }");
}
std::string watched(const std::string& type, const std::string& shape, const std::string& rest,
                    const std::string& initializer = "") {
  return "typedef " + type + " heddle_array_0" + shape +
         "; using heddle_local_0_a = ::heddle_host::array_slot<heddle_array_0>; "
         "::heddle_host::local_memory<heddle_local_0_a> heddle_memory_0(\"a\", {\"/user.cu\", "
         "1}); heddle_local_0_a& heddle_made_0 = *::new (heddle_memory_0.place()) "
         "heddle_local_0_a" +
         initializer + "; [[maybe_unused]] " + type + " (&a)" + shape + " = heddle_made_0.array; " +
         rest;
}
void stays(const std::string& text, const std::string& head = "void f()") {
  EXPECT_EQ(in_function(text, head), expected(text, head));
}

TEST(local_arrays, are_watched_if_their_address_escapes) {
  EXPECT_EQ(in_function("int a[4]; g(a);"), expected(watched("int", "[4]", "g(a);")));
  EXPECT_EQ(in_function("const t<3>* a[n]; g(&a[1]);"),
            expected(watched("const t<3>*", "[n]", "g(&a[1]);")));
  EXPECT_EQ(in_function("float a[2][3]; g(a[1]);"),
            expected(watched("float", "[2][3]", "g(a[1]);")));
  EXPECT_EQ(in_function("if (x) { int a[4]; g(a); }"),
            expected("if (x) { " + watched("int", "[4]", "g(a);") + " }"));
}

TEST(local_arrays, keep_their_initialiser) {
  EXPECT_EQ(in_function("int a[2] = {x, y}; g(a);"),
            expected(watched("int", "[2]", "g(a);", "{{x, y}}")));
  EXPECT_EQ(in_function("int a[2]{}; g(a);"), expected(watched("int", "[2]", "g(a);", "{{}}")));
  EXPECT_EQ(in_function("char a[4] = \"abc\"; g(a);"),
            expected(watched("char", "[4]", "g(a);", "{\"abc\"}")));
}

TEST(local_arrays, stay_unchanged_if_they_are_only_indexed) {
  stays("int a[4]; a[i] = a[j] + sizeof(a) + b.a + c->a;");
  stays("float a[2][3]; a[i][j] = 0;");
}

TEST(local_arrays, stay_unchanged_if_no_object_can_replace_them) {
  stays("switch (x) { case 0: g(); int a[4]; g(a); break; case 1: break; }");
  stays("int a[4]; g(a); goto out; out: g();");
  stays("int a[4]; g(a);", "constexpr void f()");
  stays("int a[4]; g(a); using t = decltype(a);");
  stays("int a[] = {1, 2}; g(a);");
  stays("int a[2], b = 1; g(a);");
  stays("static int a[2]; g(a);");
  stays("a a[2]; g(a);");
  stays("struct { int i; } a[2]; g(a);");
  stays("struct s { int i; } a[2]; g(a);");
  EXPECT_EQ(checked("void f() { int a[4]; g(a); }"), expected("int a[4]; g(a);"));
}

TEST(local_arrays, are_not_confused_with_other_statements) {
  stays("delete a[1]; g(a);");
  stays("return a[1]; g(a);");
  stays("typedef int a[4]; g(a);");
  stays("auto& [a, b] = c; g(a);");
  stays("int (&a)[4] = b; g(a);");
  stays("int (*a)[4]; g(a);");
  stays("b[3] = 4; a = b[2]; g(a);");
  stays("for (int i = 0; i < a[3]; ++i) g(a);");
}

TEST(device_variables, are_registered_after_their_declaration) {
  const auto registered = [](const std::string& name, const std::string& number) {
    return "static const ::heddle_host::device_variable heddle_variable_" + number + "(\"" + name +
           "\", " + name + ", {\"/user.cu\", 1});";
  };
  EXPECT_EQ(checked("namespace n { __heddle_device__ float a[4], *b = 0; }"),
            tokens_of("namespace n { float a[4], *b = 0;" + registered("a", "0") +
                      registered("b", "1") + "}"));
  EXPECT_EQ(checked("static __heddle_device__ __heddle_managed__ int a{1};"),
            tokens_of("static int a{1}; [[maybe_unused]] static const bool heddle_managed_a = "
                      "::heddle_host::add_managed(a);" +
                      registered("a", "0")));
  EXPECT_EQ(checked("__heddle_constant__ float c[4];"),
            tokens_of("float c[4]; static const ::heddle_host::constant_variable "
                      "heddle_variable_0(\"c\", c, {\"/user.cu\", 1});"));
  for (const char* other :
       {"__heddle_device__ int f(int x) { return x; }", "extern __heddle_device__ int a[];",
        "__heddle_device__ int f(int x);", "template <typename T> __heddle_device__ T a;",
        "struct s { static __heddle_device__ int a; };"}) {
    EXPECT_EQ(checked(other), rewritten(other));
  }
}

TEST(shared_variables, record_where_they_are_declared) {
  EXPECT_EQ(in_function("__heddle_shared__ int a;"),
            expected("struct heddle_shared_0_a { static constexpr ::heddle_host::declaration_place "
                     "heddle_declared() { return {\"/user.cu\", 1}; } int a; }; [[maybe_unused]] "
                     "int& a = ::heddle_host::shared_slot<heddle_shared_0_a>().a;"));
}

std::string opened(const std::string& slot) {
  return "struct " + slot +
         " { static constexpr ::heddle_host::declaration_place heddle_declared() { return "
         "{\"/user.cu\", 1}; } ";
}

TEST(shared_variables, get_one_struct_each_within_a_declaration) {
  EXPECT_EQ(in_function("__heddle_shared__ alignas(8) int a[4], *b;"),
            expected(opened("heddle_shared_0_a") + "alignas(8) int a[4]; }; " +
                     opened("heddle_shared_1_b") +
                     "alignas(8) int *b; }; [[maybe_unused]] int (&a)[4] = "
                     "::heddle_host::shared_slot<heddle_shared_0_a>().a; [[maybe_unused]] "
                     "int *&b = ::heddle_host::shared_slot<heddle_shared_1_b>().b;"));
  EXPECT_EQ(in_function("__heddle_shared__ struct { int i; } a, b;"),
            expected(opened("heddle_shared_0_a_b") +
                     "struct { int i; } a, b; }; [[maybe_unused]] auto& a = "
                     "::heddle_host::shared_slot<heddle_shared_0_a_b>().a; [[maybe_unused]] "
                     "auto& b = ::heddle_host::shared_slot<heddle_shared_0_a_b>().b;"));
}

TEST(shared_variables, use_the_blocks_memory_at_namespace_scope) {
  EXPECT_EQ(checked("static __heddle_shared__ int a[4];"),
            tokens_of("namespace { " + opened("heddle_shared_0_a") +
                      "int a[4]; }; struct heddle_shared_1_home { decltype(heddle_shared_0_a::a)& "
                      "a; }; heddle_shared_1_home heddle_shared_1_home_here{"
                      "::heddle_host::slot_outside_blocks<heddle_shared_0_a>().a}; "
                      "[[maybe_unused]] const ::heddle_host::block_home "
                      "heddle_shared_1_home_known(heddle_shared_1_home_here, "
                      "&heddle_shared_0_a::a); [[maybe_unused]] auto& [a] = "
                      "heddle_shared_1_home_here; }"));
}

}  // namespace
}  // namespace heddle::frontend
