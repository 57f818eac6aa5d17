// Names of kernels from signatures as g++ and clang++ write them.
#include <gtest/gtest.h>

#include <report/kernel_name.hpp>

using heddle_report::kernel_name;

TEST(kernel_name, leaves_out_the_result_and_the_parameters) {
  EXPECT_EQ(kernel_name("void sum(const float*, float*)"), "sum");
  EXPECT_EQ(kernel_name("sum(float const*, float*)"), "sum");
  EXPECT_EQ(kernel_name("void inner::sum(int (*)(int))"), "inner::sum");
}

TEST(kernel_name, keeps_an_anonymous_namespace) {
  EXPECT_EQ(kernel_name("void {anonymous}::sum(int*)"), "{anonymous}::sum");
  EXPECT_EQ(kernel_name("(anonymous namespace)::sum(int*)"), "(anonymous namespace)::sum");
  EXPECT_EQ(kernel_name("void outer::(anonymous namespace)::sum<int>(int*)"),
            "outer::(anonymous namespace)::sum<int>");
}

TEST(kernel_name, shows_template_arguments) {
  EXPECT_EQ(kernel_name("void add(T*) [with T = int]"), "add<T = int>");
  EXPECT_EQ(kernel_name("void add(T *) [T = int]"), "add<T = int>");
}
