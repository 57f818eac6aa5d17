// Tells braces apart: namespaces, types, functions, lambdas, blocks and initialisers.
#include <frontend/driver/process.hpp>
#include <frontend/rewrite/structure.hpp>

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

// The kinds of all braces in order, one letter each.
std::string kinds(const std::string& text) {
  const token_list list(text);
  const structure shape(list);
  std::string letters;
  for (const scope& one : shape.scopes()) letters += "?netflbi"[static_cast<int>(one.kind)];
  return letters.substr(1);
}

TEST(structure, declarations_open_the_scopes_they_name) {
  EXPECT_EQ(kinds("namespace a::b { }"), "n");
  EXPECT_EQ(kinds("inline namespace { }"), "n");
  EXPECT_EQ(kinds("extern \"C\" { void f() { } }"), "ef");
  EXPECT_EQ(kinds("extern \"C\" void f() { }"), "f");
  EXPECT_EQ(kinds("struct a { int x{1}; void f() const noexcept { } };"), "tif");
  EXPECT_EQ(kinds("template <class T = int> class a<T(int)> : public b<(1)> { };"), "t");
  EXPECT_EQ(kinds("enum class colour : int { red };"), "t");
  EXPECT_EQ(kinds("struct a f(struct b x) { return {}; }"), "fi");
  EXPECT_EQ(kinds("struct alignas(16) a { };"), "t");
}

TEST(structure, functions_are_found_whatever_their_declaration_carries) {
  EXPECT_EQ(kinds("auto f(int a = g({1})) -> std::vector<int> { }"), "if");
  EXPECT_EQ(kinds("bool operator()(int) { } x& operator=(x) { } operator bool() { }"), "fff");
  EXPECT_EQ(kinds("a::a() : x{1}, y(2), z<int>{3} { }"), "iif");
  EXPECT_EQ(kinds("template <class T> requires c<T> && (d<T>) void f(T) { }"), "f");
  EXPECT_EQ(kinds("template <class T> void f(T) requires requires(T t) { t + 1; } { }"), "if");
  EXPECT_EQ(kinds("template <class T> concept c = requires(T t) { { t + 1 } -> d; };"), "ii");
  EXPECT_EQ(kinds("__attribute__((noinline)) int f() try { } catch (...) { }").substr(0, 1), "f");
}

TEST(structure, statements_open_blocks_and_expressions_do_not) {
  EXPECT_EQ(kinds("void f() { if (x) { } else { } for (;;) { } do { } while (0); { } }"), "fbbbbb");
  EXPECT_EQ(kinds("void f() { int a[] = {1}; point p{1, 2}; return point{1}; g({1}); }"), "fiiii");
  EXPECT_EQ(kinds("void f() { int a = ({ int b = 1; b; }); }"), "fb");
  EXPECT_EQ(kinds("void f() { struct local { int x; } a; struct local b{1}; }"), "fti");
  EXPECT_EQ(kinds("void f() { switch (x) { case 1: { } default: { } } }"), "fbbb");
  EXPECT_EQ(kinds("void f() { if (x) [[likely]] { y; } }"), "fb");
  EXPECT_EQ(kinds("void f() { for (struct node* p = q; p; p = p->next) { } }"), "fb");
  EXPECT_EQ(kinds("void f() { while (g(struct point{1})) { } }"), "fib");
}

TEST(structure, lambdas_differ_from_subscripts_attributes_and_bindings) {
  EXPECT_EQ(kinds("void f() { auto g = [=](int i) mutable -> int { return a[i]; }; }"), "fl");
  EXPECT_EQ(kinds("void f() { g([] { }); h([&]<class T>(T t) noexcept { }); }"), "fll");
  EXPECT_EQ(kinds("auto global = [](auto x) { return x; };"), "l");
  EXPECT_EQ(kinds("void f() { auto& [a, b] = p; auto [c, d]{p}; delete[] q; }"), "fi");
  EXPECT_EQ(kinds("void f() { return [x] { }(); }"), "fl");
  EXPECT_EQ(kinds("void f() { g([=](int i) -> std::pair<int, a<b>> { return {i, 1}; }); }"), "fli");
}

TEST(structure, device_code_is_marked_code_and_what_it_contains) {
  const token_list list(
      "void host() { a; } __heddle_device__ int device() { b; auto l = [] { c; }; }"
      "void other() { auto l = [] __heddle_device__ (int) { d; }; e; }");
  const structure shape(list);
  std::string device;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape.is(i + 1, ";") && shape.is_in_device_code(i)) device += shape.at(i).text;
  EXPECT_EQ(device, "bc}d");
}

TEST(structure, the_hosts_version_of_a_device_function_is_host_code) {
  const token_list list(
      "__heddle_host__ __heddle_device__ void f() { if (::heddle_host::is_on_host()) "
      "{ a; { b; } [] { c; }; } else { d; } e; }");
  const structure shape(list);
  std::string device;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape.is(i + 1, ";") && shape.is_name(i) && shape.is_in_device_code(i))
      device += shape.at(i).text;
  EXPECT_EQ(device, "de");
}

// In the whole standard library, no brace gets a kind that is impossible at its place.
TEST(structure, the_standard_library_is_understood) {
  const process_outcome preprocessed =
      run_process({HEDDLE_TEST_COMPILER, "-std=c++20", "-E", "-x", "c++", "-include",
                   "bits/stdc++.h", "/dev/null"},
                  capture::standard_output);
  if (preprocessed.status != 0) GTEST_SKIP() << "this compiler has no <bits/stdc++.h>";
  const token_list list(preprocessed.output);
  const structure shape(list);
  ASSERT_GT(shape.scopes().size(), 10000u);
  const auto holds_statements = [&](std::uint32_t scope) {
    const scope_kind kind = shape.scopes()[scope].kind;
    return kind == scope_kind::function || kind == scope_kind::lambda || kind == scope_kind::block;
  };
  for (std::size_t i = 1; i < shape.scopes().size(); ++i) {
    const scope& one = shape.scopes()[i];
    const bool is_among_statements = holds_statements(one.parent);
    const bool belongs_among_statements = one.kind == scope_kind::block;
    const bool belongs_outside =
        one.kind == scope_kind::function || one.kind == scope_kind::name_space;
    EXPECT_FALSE(belongs_outside && is_among_statements) << list.location(one.open);
    EXPECT_FALSE(belongs_among_statements && !is_among_statements) << list.location(one.open);
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const scope& around = shape.scope_of(i);
    if (!shape.is(i, ";") || around.kind != scope_kind::initializer) continue;
    bool is_requirement = false;
    for (std::size_t k = around.head; k < around.open; ++k)
      if (shape.is(k, "requires")) is_requirement = true;
    EXPECT_TRUE(is_requirement) << list.location(i) << ": a statement inside an initialiser";
  }
}

}  // namespace
}  // namespace heddle::frontend
