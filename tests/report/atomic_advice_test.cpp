// Lines of source and the atomic operations that do the same.
#include <gtest/gtest.h>
#include <report/check/atomic_advice.hpp>

namespace heddle_report {
namespace {

std::string advice(const std::string& line, const std::string& variable = "") {
  return atomic_operation_for(line, variable);
}

TEST(atomic_advice, names_the_atomic_that_replaces_a_line) {
  EXPECT_EQ(advice("low[i] = min(low[i], x);"), "atomicMin(&low[i], …)");
  EXPECT_EQ(advice("low[ i ] = std::min(f(x, 1), low[i]);"), "atomicMin(&low[i], …)");
  EXPECT_EQ(advice("high[k + 1] = max(x, high[k+1]);"), "atomicMax(&high[k+1], …)");
  EXPECT_EQ(advice("bins[key]++;"), "atomicAdd(&bins[key], 1)");
  EXPECT_EQ(advice("if (is_mine) --bins[key];"), "atomicSub(&bins[key], 1)");
  EXPECT_EQ(advice("sums[f(i)] += x * y;"), "atomicAdd(&sums[f(i)], …)");
  EXPECT_EQ(advice("__global__ void k() { bits[w] |= 1u << lane; }"), "atomicOr(&bits[w], …)");
  EXPECT_EQ(advice("else bits[w] &= ~flag;"), "atomicAnd(&bits[w], …)");
  EXPECT_EQ(advice("bits[w] ^= flag;  // toggles"), "atomicXor(&bits[w], …)");
  EXPECT_EQ(advice("*counter += 1;"), "atomicAdd(counter, …)");
  EXPECT_EQ(advice("node->count = node->count + 1;"), "atomicAdd(&node->count, …)");
  EXPECT_EQ(advice("for (int i = 0; i < n; ++i) sums[i] += x;"), "atomicAdd(&sums[i], …)");
  EXPECT_EQ(advice("total += x;", "total"), "atomicAdd(&total, …)");
}

TEST(atomic_advice, is_silent_if_the_line_is_ambiguous) {
  EXPECT_EQ(advice("parts[i] += parts[i + 16];"), "") << "it reads another lane's";
  EXPECT_EQ(advice("low[i] = min(low[i], low[i + 1]);"), "");
  EXPECT_EQ(advice("sum += tile[k];", "tile"), "") << "of a local variable";
  EXPECT_EQ(advice("low[i] = min(low[j], x);"), "");
  EXPECT_EQ(advice("low[i] = min(low[i], x) + 1;"), "");
  EXPECT_EQ(advice("a[i] = a[i] - x + y;"), "");
  EXPECT_EQ(advice("a[i]++; b[i]++;"), "") << "two of them";
  EXPECT_EQ(advice("if (a[i] == x) b = 1;"), "");
  EXPECT_EQ(advice("a[i] = fminf(a[i], x);"), "") << "there is none for floats";
  EXPECT_EQ(advice("a[i] += b +"), "") << "it goes on in the next line";
  EXPECT_EQ(advice("for (int i = 0; i < n; ++i) {"), "");
  EXPECT_EQ(advice(""), "");
}

}  // namespace
}  // namespace heddle_report
