// Kernels: bodies become closures, attributes become values, declarations lose their markers.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::string kernel(const std::string& head, const std::string& attributes,
                   const std::string& body) {
  return tokens_of(head + " { ::heddle_host::enter_kernel(__PRETTY_FUNCTION__, " +
                   "::heddle_host::kernel_attributes{" + attributes + "}, [=]() mutable -> void {" +
                   body + "}); }");
}

TEST(kernel, the_body_becomes_a_closure) {
  EXPECT_EQ(rewritten("__heddle_global__ void k(int* p, int n) { if (n) { p[0] = n; } }"),
            kernel("void k(int* p, int n)", "", "if (n) { p[0] = n; }"));
}

TEST(kernel, the_marker_may_stand_at_any_place_of_the_declaration) {
  for (const char* head :
       {"@ void k()", "void @ k()", "static @ void k()", "@ static inline void k()",
        "extern \"C\" @ void k()", "template <typename T, int n = (3 > 2)> @ void k(T (&x)[n])",
        "template <> @ void k<int>(int)", "template <class T> requires c<T> @ void k(T)",
        "@ __attribute__((used)) void k()", "@ auto k() -> void", "[[maybe_unused]] @ void k()"}) {
    std::string marked = head, plain = head;
    marked.replace(marked.find('@'), 1, "__heddle_global__");
    plain.replace(plain.find('@'), 1, " ");
    EXPECT_EQ(rewritten(marked + " { x; }"), kernel(plain, "", "x;")) << head;
    EXPECT_EQ(rewritten(marked + ";"), tokens_of(plain + ";")) << head;
  }
}

TEST(kernel, launch_bounds_and_cluster_dimensions_become_values) {
  EXPECT_EQ(rewritten("__heddle_global__ void __heddle_launch_bounds__(256, 2) k() { }"),
            kernel("void k()", "static_cast<unsigned>(256), static_cast<unsigned>(2)", ""));
  EXPECT_EQ(rewritten("template <int n> __heddle_global__ __heddle_launch_bounds__(a<n, 2>::v) "
                      "void k() { }"),
            kernel("template <int n> void k()", "static_cast<unsigned>(a<n, 2>::v)", ""));
  EXPECT_EQ(
      rewritten("__heddle_global__ void __heddle_cluster_dims__(4) "
                "__heddle_launch_bounds__(64) k() { }"),
      kernel("void k()", "static_cast<unsigned>(64), 0, 0, static_cast<unsigned>(4), 1, 1", ""));
  EXPECT_EQ(rewritten("__heddle_global__ void __heddle_launch_bounds__(256) k();"), "void k();");
}

TEST(kernel, the_words_for_the_functions_name_still_name_the_kernel) {
  EXPECT_EQ(rewritten("template <class T> __heddle_global__ void name() { f(__func__, "
                      "__FUNCTION__); }"),
            kernel("template <class T> void name()", "", "f(\"name\", \"name\");"));
  EXPECT_EQ(rewritten("__heddle_global__ void k() { f(__PRETTY_FUNCTION__); }"),
            tokens_of("void k() { static constexpr auto& heddle_signature = __PRETTY_FUNCTION__; "
                      "::heddle_host::enter_kernel(__PRETTY_FUNCTION__, "
                      "::heddle_host::kernel_attributes{}, [=]() mutable -> void { "
                      "f(heddle_signature); }); }"));
  EXPECT_EQ(rewritten("__heddle_device__ void d() { f(__func__); }"), "void d(){f(__func__);}");
}

TEST(kernel, device_and_host_markers_vanish) {
  EXPECT_EQ(rewritten("__heddle_host__ __heddle_device__ int f(int x) { return x; }"),
            "int f(int x){return x;}");
  EXPECT_EQ(rewritten("auto l = [=] __heddle_device__ (int i) { return i; };"),
            "auto l=[=](int i){return i;};");
}

}  // namespace
}  // namespace heddle::frontend
