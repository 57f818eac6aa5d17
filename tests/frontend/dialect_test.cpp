// Code that nvcc accepts and the host's compiler does not.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

TEST(dialect, inline_appears_once) {
  // How `__forceinline__ __device__ inline` expands.
  EXPECT_EQ(rewritten("inline __attribute__((always_inline)) __heddle_device__ inline int f() { }"),
            "inline __attribute__((always_inline))int f(){}");
  EXPECT_EQ(
      rewritten(
          "static __inline__ inline int f(); inline int g() { } struct s { inline int h(); };"),
      "static __inline__ int f();inline int g(){}struct s{inline int h();};");
  EXPECT_EQ(rewritten("# 1 \"header.cuh\" 1\n__inline__ __heddle_device__ int f() { }"),
            "__inline__ int f(){}");
  for (const char* between :
       {"static", "[[gnu::cold]]", "alignas(8)", "__attribute__((always_inline, cold))",
        "__attribute((cold))", "[[deprecated(\"x\")]] static"})
    EXPECT_EQ(rewritten("inline " + std::string(between) + " __inline inline int f() { }"),
              tokens_of("inline " + std::string(between) + " int f() { }"));
}

// Which g++ rejects before the members of a class.
TEST(dialect, global_qualification_of_a_class_is_removed) {
  EXPECT_EQ(rewritten("template <> class ::a::traits<int> { };"),
            "template<>class a::traits<int>{};");
  EXPECT_EQ(rewritten("template <class T> struct ::a::b<T*> : c { };"),
            "template<class T>struct a::b<T*>:c{};");
  for (const char* text : {"struct s : ::a::b { };", "class ::a::b* p;",
                           "struct s { class ::a::b* p; };", "enum class e : ::a::small { };"})
    EXPECT_EQ(rewritten(text), tokens_of(text));
}

std::string in_cub(const std::string& text) {
  return rewritten("# 1 \"/usr/include/cub/block.cuh\" 1 3\n" + text);
}

TEST(dialect, a_class_of_cub_may_be_named_like_a_template) {
  EXPECT_EQ(in_cub("struct s { typedef x<int, (a > b)> x; };"),
            "struct s{typedef struct x<int,(a>b)>x;};");
  for (const char* other : {"typedef x<int> x;", "struct s { typedef x<int> y; };",
                            "struct s { typedef a::x<int> x; };", "struct s { typedef x y; };",
                            "struct s { typedef x<int> x[2]; };"})
    EXPECT_EQ(in_cub(other), tokens_of(other));
  const std::string mine = "struct s { typedef x<int> x; };";
  EXPECT_EQ(rewritten(mine), tokens_of(mine));
}

TEST(dialect, a_called_member_of_a_template_is_a_template) {
  EXPECT_EQ(
      rewritten("template <class T> void f(T* p) { a<T>::b<4>(p); c::d<T, (1 > 0)>::e<T>(p)(1); }"),
      "template<class T>void f(T*p){a<T>::template b<4>(p);c::d<T,(1>0)>::template e<T>(p)(1);}");
  for (const char* other :
       {"template <> void a<int>::b<4>(int* p) { }", "void f() { a<int>::template b<4>(1); }",
        "void f() { int x = a<int>::b < 4; }",
        "void f() { a<int>::b(4); a<int>::c<4> d; e::f<4>(1); }",
        "void f() { return a<int>::b<4>::c; }", "void f() { return a<int>::b(1 < 2) > (3); }"})
    EXPECT_EQ(rewritten(other), tokens_of(other));
}

}  // namespace
}  // namespace heddle::frontend
