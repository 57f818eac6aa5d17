// Managed variables are registered after their declaration.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::string registration(const std::string& name) {
  return " [[maybe_unused]] static const bool heddle_managed_" + name +
         " = ::heddle_host::add_managed(" + name + ");";
}

TEST(managed, each_variable_of_a_declaration_is_registered) {
  for (const char* text : {"int x;", "a::b<c, d> x{1};", "float x[3] = {1, 2, 3};",
                           "int x = f<1, n>();", "bool x = m < n;", "a::b x{f<1, n>(2, 3)};"})
    EXPECT_EQ(rewritten("__heddle_managed__ " + std::string(text)),
              tokens_of(text + registration("x")))
        << text;
  EXPECT_EQ(
      rewritten("namespace n { __heddle_device__ __heddle_managed__ int x = 1, y[2]; }"),
      tokens_of("namespace n { int x = 1, y[2];" + registration("x") + registration("y") + "}"));
}

TEST(managed, comparisons_in_initialisers_do_not_hide_later_variables) {
  EXPECT_EQ(rewritten("__heddle_managed__ bool x = m < n, y = 2 > 1;"),
            tokens_of("bool x = m < n, y = 2 > 1;" + registration("x") + registration("y")));
}

TEST(managed, extern_declarations_and_device_variables_are_not_registered) {
  EXPECT_EQ(rewritten("extern __heddle_managed__ int x;"), "extern int x;");
  EXPECT_EQ(rewritten("__heddle_device__ int x;"), "int x;");
  EXPECT_EQ(rewritten("struct s { static __heddle_managed__ int x; };"),
            "struct s{static int x;};");
}

}  // namespace
}  // namespace heddle::frontend
