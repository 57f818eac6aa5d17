// Shifts in device code are marked, so that they shift as a GPU does.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

void expect(const std::string& written, const std::string& marked) {
  EXPECT_EQ(rewritten("__heddle_device__ void f() { " + written + " }"),
            tokens_of("void f() { " + marked + " }"));
}

constexpr const char* left = "<< ::heddle_host::as_gpu <<";
constexpr const char* right = ">> ::heddle_host::as_gpu >>";

TEST(shifts, by_a_variable_are_marked) {
  expect("x = a << n;", std::string("x = a ") + left + " n;");
  expect("x = a >> n;", std::string("x = a ") + right + " n;");
  expect("x = a << n << m;", std::string("x = a ") + left + " n " + left + " m;");
  expect("x = static_cast<int>(a) >> n;", std::string("x = static_cast<int>(a) ") + right + " n;");
}

TEST(shifts, by_a_small_number_stay) {
  for (const char* text : {"x = a << 3;", "x = (a >> 31) & 1;", "x = f(a << 0x1fu, 2);"})
    expect(text, text);
}

TEST(shifts, by_large_numbers_and_by_sums_are_marked) {
  expect("x = a << 32;", std::string("x = a ") + left + " 32;");
  expect("x = a << 3 + n;", std::string("x = a ") + left + " 3 + n;");
}

TEST(shifts, are_not_taken_for_template_brackets_or_launches) {
  for (const char* text : {"a<b<int>> x;", "a<b<c<int>>> x;", "x = f<g<n>>(m);"})
    expect(text, text);
}

TEST(shifts, that_assign_or_declare_operators_stay) {
  for (const char* text : {"x <<= n;", "x >>= n;", "x = a.operator<<(n);"}) expect(text, text);
}

TEST(shifts, of_streams_into_template_manipulators_stay) {
  for (const char* end : {"std::endl", "::std::flush", "ends"}) {
    const std::string text = std::string("n << ") + end + ";";
    expect("out << " + text, std::string("out ") + left + ' ' + text);
  }
}

TEST(shifts, in_host_code_stay) {
  EXPECT_EQ(rewritten("int f(int a, int n) { return a << n; }"),
            "int f(int a,int n){return a<<n;}");
}

}  // namespace
}  // namespace heddle::frontend
