// Kernels: bodies become closures, attributes become values, declarations lose their markers.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

// For a profiled program, which never runs lanes as a loop: the expected text is shorter.
std::string rewritten(const std::string& text) {
  rewrite_options options;
  options.is_profiled = true;
  return frontend::rewritten(text, options);
}

// A kernel after rewriting. `address` is an expression, empty if it cannot be written.
std::string kernel(const std::string& head, const std::string& address,
                   const std::string& attributes, const std::string& body) {
  const std::string mention =
      address.empty() ? "" : "(void)&::heddle_host::is_known<" + address + ">; ";
  return tokens_of(head + " { " + mention + "::heddle_host::enter_kernel(__PRETTY_FUNCTION__, " +
                   "::heddle_host::kernel_attributes{" + attributes + "}, [=]() mutable -> void {" +
                   body + "::heddle_host::lane_comes_to_end(); }); }");
}

std::string with_marker(std::string head, const std::string& marker) {
  head.replace(head.find('@'), 1, marker);
  return head;
}

const std::string address_of_k = "static_cast<void (*)()>(&::k)";

TEST(kernel, the_body_becomes_a_closure) {
  EXPECT_EQ(rewritten("__heddle_global__ void k(int* p, int n) { if (n) { p[0] = n; } }"),
            kernel("void k(int* p, int n)", "static_cast<void (*)(int* p, int n)>(&::k)", "",
                   "if (n) { p[0] = n; }"));
}

TEST(kernel, the_marker_can_be_anywhere_in_the_declaration) {
  const std::pair<const char*, const char*> cases[] = {
      {"@ void k()", "void (*)()>(&::k)"},
      {"void @ k()", "void (*)()>(&::k)"},
      {"static @ void k()", "void (*)()>(&::k)"},
      {"@ static inline void k()", "void (*)()>(&::k)"},
      {"extern \"C\" @ void k()", "void (*)()>(&::k)"},
      {"template <typename T, int n = (3 > 2)> @ void k(T (&x)[n])",
       "void (*)(T (&x)[n])>(&::k<T, n>)"},
      {"template <> @ void k<int>(int)", "void (*)(int)>(&::k<int>)"},
      {"template <class T> requires c<T> @ void k(T)", "void (*)(T)>(&::k<T>)"},
      {"@ __attribute__((used)) void k()", "void (*)()>(&::k)"},
      {"@ auto k() -> void", "void (*)()>(&::k)"},
      {"[[maybe_unused]] @ void k()", "void (*)()>(&::k)"}};
  for (const auto& [head, address] : cases) {
    const std::string marked = with_marker(head, "__heddle_global__");
    const std::string plain = with_marker(head, " ");
    EXPECT_EQ(rewritten(marked + " { x; }"),
              kernel(plain, std::string("static_cast<") + address, "", "x;"))
        << head;
    EXPECT_EQ(rewritten(marked + ";"), tokens_of(plain + ";")) << head;
  }
}

TEST(kernel, its_address_names_it_and_no_other) {
  const std::pair<const char*, const char*> cases[] = {
      {"@ void k(int k, float x = f(1, 2), int y[] = {})", "(int k, float x, int y[])>(&::k)"},
      {"@ void k(a<b, c> x = d<e, f>(), const int)", "(a<b, c> x, const int)>(&::k)"},
      {"template <class T, int n, class... Rest> @ void k(T x, Rest... rest)",
       "(T x, Rest... rest)>(&::k<T, n, Rest...>)"},
      {"template <template <class> class C, unsigned int... n> @ void k(C<int>)",
       "(C<int>)>(&::k<C, n...>)"},
      {"template <class T, class = std::enable_if_t<a<T>::b>> @ void k(T)", "(T)>(&::k<T>)"},
      {"template <class T, a<T> = 0> @ void k(T)", "(T)>(&::k<T>)"},
      {"@ void a::b::k(int)", "(int)>(&::a::b::k)"},
      {"@ void (k)(int)", "(int)>(&::k)"},
      {"template <int n, bool s = n < 4> @ void k(int*)", "(int*)>(&::k<n, s>)"},
      {"template <class T, bool s = a<T>::b < 4, int n = 3> @ void k(T)", "(T)>(&::k<T, s, n>)"},
      {"template <int n> @ typename std::enable_if<n < 4, void>::type k(int*)", "(int*)>(&::k<n>)"},
      {"@ void k(bool b = x < y, bool c = z > y)", "(bool b, bool c)>(&::k)"},
      {"template <class T> requires (sizeof(T) > 1) && (sizeof(T) < 9) @ void k(T)",
       "(T)>(&::k<T>)"}};
  for (const auto& [head, address] : cases)
    EXPECT_EQ(
        rewritten(with_marker(head, "__heddle_global__") + " { x; }"),
        kernel(with_marker(head, " "), std::string("static_cast<void (*)") + address, "", "x;"))
        << head;
  for (const char* spaces :
       {"namespace a { namespace b { inline namespace c { @ } } }",
        "namespace a::b { inline namespace c { @ } }", "namespace a::b::inline c { @ }",
        "extern \"C++\" { namespace a { namespace { namespace b { namespace c { @ } } } } }",
        "namespace a { namespace [[deprecated]] b { namespace c __attribute__((x)) { @ } } }"})
    EXPECT_EQ(rewritten(with_marker(spaces, "__heddle_global__ void k() { }")),
              tokens_of(with_marker(
                  spaces, kernel("void k()", "static_cast<void (*)()>(&::a::b::c::k)", "", ""))))
        << spaces;
}

TEST(kernel, an_address_that_tokens_do_not_show_is_left_out) {
  for (const char* head :
       {"@ void k(auto x)", "template <int> @ void k()", "template <std::size_t> @ void k()",
        "template <unsigned int> @ void k()", "template <class T, int (*f)(T)> @ void k(T)",
        "template <class T, class = int, int n = 3> @ void k(T)", "@ void s<int>::k()"})
    EXPECT_EQ(rewritten(with_marker(head, "__heddle_global__") + " { x; }"),
              kernel(with_marker(head, " "), "", "", "x;"))
        << head;
  EXPECT_EQ(rewritten("struct s { static __heddle_global__ void k() { } };"),
            tokens_of("struct s { " + kernel("static void k()", "", "", "") + " };"));
}

TEST(kernel, a_body_that_is_not_recognised_is_refused_at_its_line) {
  EXPECT_EQ(rewritten("\nint __heddle_global__ k = f() { x; }"),
            "user.cu:2: cannot parse the declaration of this `__global__` function: put each "
            "comparison in it, such as `n < 4`, in parentheses\n");
  for (const char* text : {"@ void k(int x = f({1}));", "friend @ void k();",
                           "template <class T> @ void k(T) requires requires(T t) { t + 1; };",
                           "template @ void k<int>(int); void f() { }"})
    EXPECT_EQ(rewritten(with_marker(text, "__heddle_global__")), tokens_of(with_marker(text, " ")))
        << text;
}

TEST(kernel, launch_bounds_and_cluster_dimensions_become_values) {
  EXPECT_EQ(rewritten("__heddle_global__ void __heddle_launch_bounds__(256, 2) k() { }"),
            kernel("void k()", address_of_k,
                   "::heddle_host::constant<static_cast<unsigned>(256)>, "
                   "::heddle_host::constant<static_cast<unsigned>(2)>",
                   ""));
  EXPECT_EQ(rewritten("template <int n> __heddle_global__ __heddle_launch_bounds__(a<n, 2>::v) "
                      "void k() { }"),
            kernel("template <int n> void k()", "static_cast<void (*)()>(&::k<n>)",
                   "::heddle_host::constant<static_cast<unsigned>(a<n, 2>::v)>", ""));
  EXPECT_EQ(rewritten("__heddle_global__ void __heddle_cluster_dims__(4) "
                      "__heddle_launch_bounds__(64) k() { }"),
            kernel("void k()", address_of_k,
                   "::heddle_host::constant<static_cast<unsigned>(64)>, 0, 0, "
                   "::heddle_host::constant<static_cast<unsigned>(4)>, 1, 1",
                   ""));
  EXPECT_EQ(rewritten("__heddle_global__ void __heddle_launch_bounds__(256) k();"), "void k();");
  EXPECT_EQ(rewritten("__heddle_global__ void __heddle_launch_bounds__(256, 2, 4) k() { }"),
            kernel("void k()", address_of_k,
                   "::heddle_host::constant<static_cast<unsigned>(256)>, "
                   "::heddle_host::constant<static_cast<unsigned>(2)>, "
                   "::heddle_host::constant<static_cast<unsigned>(4)>",
                   ""));
}

TEST(kernel, func_and_pretty_function_still_name_the_kernel) {
  EXPECT_EQ(rewritten("template <class T> __heddle_global__ void name() { f(__func__, "
                      "__FUNCTION__); }"),
            kernel("template <class T> void name()", "static_cast<void (*)()>(&::name<T>)", "",
                   "f(\"name\", \"name\");"));
  EXPECT_EQ(rewritten("__heddle_global__ void k() { f(__PRETTY_FUNCTION__); }"),
            tokens_of("void k() { static constexpr auto& heddle_signature = __PRETTY_FUNCTION__; "
                      "(void)&::heddle_host::is_known<" +
                      address_of_k +
                      ">; ::heddle_host::enter_kernel(__PRETTY_FUNCTION__, "
                      "::heddle_host::kernel_attributes{}, [=]() mutable -> void { "
                      "f(heddle_signature); ::heddle_host::lane_comes_to_end(); }); }"));
  EXPECT_EQ(rewritten("__heddle_device__ void d() { f(__func__); }"), "void d(){f(__func__);}");
}

TEST(kernel, its_own_returns_are_marked_but_not_those_of_lambdas_and_functions) {
  EXPECT_EQ(rewritten("__heddle_global__ void k(int n) { if (n) return; { return; } "
                      "auto f = [&] { return; }; auto g = [] { return 1; }; }"),
            kernel("void k(int n)", "static_cast<void (*)(int n)>(&::k)", "",
                   "if (n) return ::heddle_host::lane_returns(); "
                   "{ return ::heddle_host::lane_returns(); } "
                   "auto f = [&] { return; }; auto g = [] { return 1; };"));
  EXPECT_EQ(rewritten("__heddle_device__ void d() { return; }"), "void d(){return;}");
}

TEST(kernel, device_and_host_markers_vanish) {
  EXPECT_EQ(rewritten("__heddle_host__ __heddle_device__ int f(int x) { return x; }"),
            "int f(int x){return x;}");
  EXPECT_EQ(rewritten("auto l = [=] __heddle_device__ (int i) { return i; };"),
            "auto l=[=](int i){return i;};");
}

}  // namespace
}  // namespace heddle::frontend
