// Several files can include device code in headers, as nvcc allows without -rdc.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::string from_header(const std::string& text) {
  return rewritten("# 1 \"header.cuh\" 1\n" + text + "\n# 2 \"user.cu\" 2\n");
}

TEST(linkage, functions_defined_in_headers_become_inline) {
  EXPECT_EQ(from_header("__heddle_device__ int f(int x) { return x; }"),
            "inline int f(int x){return x;}");
  EXPECT_EQ(from_header("[[nodiscard]] __heddle_host__ __heddle_device__ int a::f() { }"),
            "[[nodiscard]]inline int a::f(){}");
  EXPECT_EQ(from_header("template <> __heddle_device__ int f<int>() { }"),
            "template<>inline int f<int>(){}");
}

TEST(linkage, variables_defined_in_headers_become_static) {
  for (const char* text : {" int x;", " float t[3] = {1, 2, 3};", " a<b> c{1};"})
    for (const char* marker : {"__heddle_device__", "__heddle_constant__"})
      EXPECT_EQ(from_header(marker + std::string(text)),
                tokens_of("static __attribute__((unused))" + std::string(text)));
}

TEST(linkage, other_declarations_are_left_alone) {
  for (const char* text : {" inline int f() { }", " static int f() { }", " constexpr int f() { }",
                           " int f(int);", " extern int x;", " static int x;"})
    EXPECT_EQ(from_header("__heddle_device__" + std::string(text)), tokens_of(text));
  EXPECT_EQ(from_header("template <class T> __heddle_device__ T f(T x) { }"),
            "template<class T>T f(T x){}");
  EXPECT_EQ(from_header("struct a { __heddle_device__ int f() { } };"), "struct a{int f(){}};");
  EXPECT_EQ(from_header("auto l = [] __heddle_device__ (int i) { };"), "auto l=[](int i){};");
  EXPECT_EQ(rewritten("__heddle_device__ int f() { } __heddle_device__ int x;"), "int f(){}int x;");
}

TEST(linkage, relocatable_code_keeps_its_linkage) {
  rewrite_options options;
  options.is_relocatable = true;
  EXPECT_EQ(
      tokens_of(rewrite("# 1 \"u.cu\"\n# 1 \"h.cuh\" 1\n__heddle_device__ int x;", options).text),
      "int x;");
}

}  // namespace
}  // namespace heddle::frontend
