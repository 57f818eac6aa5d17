// Shifts in device code are marked, so that they shift as a GPU does.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

void expect(const std::string& written, const std::string& marked) {
  EXPECT_EQ(rewritten("__heddle_device__ void f() { " + written + " }"),
            tokens_of("void f() { " + marked + " }"));
}

const std::string left = "<< ::heddle_host::as_gpu <<";
const std::string right = ">> ::heddle_host::as_gpu >>";

TEST(shifts, by_a_variable_are_marked) {
  expect("x = a << n;", "x = a " + left + " n;");
  expect("x = a >> n;", "x = a " + right + " n;");
  expect("x = a << n << m;", "x = a " + left + " n " + left + " m;");
  expect("x = static_cast<int>(a) >> n;", "x = static_cast<int>(a) " + right + " n;");
}

TEST(shifts, by_a_small_number_stay) {
  for (const char* text : {"x = a << 3;", "x = (a >> 31) & 1;", "x = f(a << 0x1fu, 2);"})
    expect(text, text);
}

TEST(shifts, by_large_numbers_and_by_sums_are_marked) {
  expect("x = a << 32;", "x = a " + left + " 32;");
  expect("x = a << 3 + n;", "x = a " + left + " 3 + n;");
}

TEST(shifts, are_not_taken_for_template_brackets_or_launches) {
  for (const char* text : {"a<b<int>> x;", "a<b<c<int>>> x;", "x = f<g<n>>(m);"})
    expect(text, text);
}

TEST(shifts, that_assign_are_marked) {
  expect("x <<= n;", "x <<= ::heddle_host::as_gpu <<= n;");
  expect("x[i] >>= n + 1;", "x[i] >>= ::heddle_host::as_gpu >>= n + 1;");
  expect("x = y <<= n;", "x = y <<= ::heddle_host::as_gpu <<= n;");
  for (const char* text : {"x <<= 3;", "x >>= 31u;"}) expect(text, text);
}

TEST(shifts, of_bit_fields_in_place_stay) {
  const std::string type = "struct fields { unsigned low : 5, high : 27; int all; };";
  for (const char* text : {"f.low <<= n;", "x = (p->high) >>= n;"})
    EXPECT_EQ(rewritten(type + "__heddle_device__ void f() {" + text + "}"),
              tokens_of(type + "void f() {" + text + "}"));
  EXPECT_EQ(rewritten(type + "__heddle_device__ void f() { f.all <<= n; }"),
            tokens_of(type + "void f() { f.all <<= ::heddle_host::as_gpu <<= n; }"));
}

TEST(shifts, in_the_names_of_operators_stay) {
  for (const char* text :
       {"x = a.operator<<(n);", "x = a.operator<<=(n);", "x = a.operator>>=(n);"})
    expect(text, text);
}

TEST(shifts, of_streams_into_template_manipulators_stay) {
  for (const char* end : {"std::endl", "::std::flush", "ends"}) {
    const std::string text = std::string("n << ") + end + ";";
    expect("out << " + text, "out " + left + ' ' + text);
  }
}

TEST(shifts, in_host_code_stay) {
  EXPECT_EQ(rewritten("int f(int a, int n) { return a << n; }"),
            "int f(int a,int n){return a<<n;}");
}

}  // namespace
}  // namespace heddle::frontend
