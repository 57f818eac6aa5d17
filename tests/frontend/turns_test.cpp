// Loops that stride over memory: their iterations are counted, so that lanes take turns.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::size_t counted(const std::string& text, const rewrite_options& options = {}) {
  const std::string made = tokens_of(rewrite("# 1 \"user.cu\"\n" + text, options).text);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = made.find("end_iteration", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

// A kernel that is not divided into loops, because its lanes also need each other in a warp.
std::string kernel_with(const std::string& body) {
  return "__heddle_global__ void k(float* p, int n, int step) { " + body + " __syncwarp(); }";
}

TEST(turns, the_counter_is_in_the_kernels_closure) {
  const std::string made = rewritten(kernel_with("for (int i = 0; i < n; i += step) p[i] = 1;"));
  const std::string expected = tokens_of(
      "-> void { unsigned heddle_turn = ::heddle_host::iterations_per_turn; "
      "for (int i = 0; i < n; i += step, ::heddle_host::end_iteration(heddle_turn)) "
      "p[i] = 1; __syncwarp();");
  EXPECT_NE(made.find(expected), std::string::npos) << made;
}

TEST(turns, end_in_loops_with_a_step_that_is_not_constant) {
  for (const char* body :
       {"for (int i = 0; i < n; i += blockDim.x * gridDim.x) p[i] = 1;",
        "for (int i = 0, j = 0; i < n; i += step, ++j) p[i] = 1;",
        "for (int i = 0; i < n; ++step, i += step) { p[i] = 1; }",
        "int i = 0; while (i < n) { p[i] = 1; i += blockDim.x; }",
        "int i = 0; while (i < n) i += gridDim.x * 2;",
        "int s = blockDim.x * 2; int i = 0; do { p[i] = 1; i += s; } while (i < n);",
        "for (int i = 0; i < n;) { if (n) i += blockDim.x; else i += 1; }",
        "auto f = [=] { for (int i = 0; i < n; i += step) p[i] = 1; }; f();"})
    EXPECT_EQ(counted(kernel_with(body)), 1u) << body;
}

TEST(turns, do_not_end_elsewhere) {
  for (const char* body :
       {"for (int i = 0; i < n; ++i) p[i] = 1;", "for (int i = 0; i < n; i += 4) p[i] = 1;",
        "for (int i = 0; i < n; i += width) p[i] = 1;", "for (int i = n; i > 0; i >>= 1) p[i] = 1;",
        "float sum = 0; for (int i = 0; i < n; ++i) sum += p[i]; p[0] = sum;",
        "p[0] += p[blockDim.x];", "int x = (n += blockDim.x);"})
    EXPECT_EQ(counted("constexpr int width = 4; " + kernel_with(body)), 0u) << body;
}

TEST(turns, end_only_in_code_that_only_lanes_run) {
  const std::string body =
      " f(float* p, int n, int s) { for (int i = 0; i < n; i += s) p[i] = 1; }";
  EXPECT_EQ(counted("__heddle_device__ void" + body), 1u);
  EXPECT_EQ(counted("__heddle_host__ __heddle_device__ void" + body), 0u);
  EXPECT_EQ(counted("__heddle_device__ constexpr void" + body), 0u);
  EXPECT_EQ(counted("void" + body), 0u);
  EXPECT_EQ(counted("template <class T> __heddle_device__ void" + body), 1u);
}

TEST(turns, do_not_end_where_tools_look_at_each_lane) {
  const std::string text = kernel_with("for (int i = 0; i < n; i += step) p[i] = 1;");
  rewrite_options checked, profiled, debugged;
  checked.is_checked = profiled.is_profiled = true;
  debugged.debugger_script = "kernels.py";
  EXPECT_EQ(counted(text), 1u);
  EXPECT_EQ(counted(text, checked), 0u);
  EXPECT_EQ(counted(text, profiled), 0u);
  EXPECT_EQ(counted(text, debugged), 0u);
}

TEST(turns, do_not_end_in_kernels_that_are_divided) {
  const std::string head = "__heddle_global__ void k(float* p, int n, int step) { ";
  EXPECT_EQ(counted(head + "for (int i = threadIdx.x; i < n; i += step) p[i] = 1; }"), 0u);
  EXPECT_EQ(counted(head + "for (int i = 0; i < n; i += step) p[i] = 1; }"), 0u);
  EXPECT_EQ(counted(head + "int i = 0; while (i < n) { p[i] = 1; i += gridDim.x; } }"), 0u);
}

TEST(turns, a_kernel_that_takes_turns_is_not_run_as_a_loop) {
  const std::string loop = "for (int i = threadIdx.x; i < n; i += step) p[i] = 1;";
  const std::string head = "__heddle_global__ void k(float* p, int n, int step) { ";
  for (const std::string& kernel :
       {head + "int i = threadIdx.x; do { p[i] = 1; i += step * gridDim.x; } while (i < n); }",
        head + "if (p[0] > 0) " + loop + " }", head + "f(p, n, step); }"}) {
    const std::string made =
        rewritten("__heddle_device__ void f(float* p, int n, int step) { " +
                  std::string("for (int i = 0; i < n; i += step) p[i] = 1; } ") + kernel);
    EXPECT_EQ(made.find("independent_lanes"), std::string::npos) << kernel;
    EXPECT_EQ(made.find("lanes_between_barriers"), std::string::npos) << kernel;
  }
}

}  // namespace
}  // namespace heddle::frontend
