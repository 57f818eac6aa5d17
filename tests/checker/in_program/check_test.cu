// heddle::host::check: what it returns for a kernel with a defect and for the fixed kernel.
#include <gtest/gtest.h>
#include <heddle_check/check.hpp>

#include <sstream>
#include <stdexcept>
#include <string>

namespace {

using heddle::host::check;
using heddle::host::check_options;
using heddle::host::expect_defect;
using heddle::host::findings;

// Adds one value of each of the four warps; without the barrier, thread 0 reads them too early.
template <bool has_barrier>
__global__ void sum(int* total) {
  __shared__ int parts[4];
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = threadIdx.x;
  if (has_barrier) __syncthreads();
  if (threadIdx.x == 0) *total = parts[0] + parts[1] + parts[2] + parts[3];
}

// Device memory for one number, freed by the destructor.
class number {
 public:
  number() { cudaMalloc(&memory_, sizeof(int)); }
  ~number() { cudaFree(memory_); }
  int* data() const { return memory_; }
  int value() const {
    int copy = 0;
    cudaMemcpy(&copy, memory_, sizeof copy, cudaMemcpyDeviceToHost);
    return copy;
  }

 private:
  int* memory_ = nullptr;
};

template <bool has_barrier>
int sum_once() {
  const number total;
  sum<has_barrier><<<1, 128>>>(total.data());
  return total.value();
}

std::string words_of(const findings& all) {
  std::ostringstream text;
  text << all;
  return text.str();
}

TEST(check, finds_nothing_in_a_correct_program) {
  const findings found = check([] { EXPECT_EQ(sum_once<true>(), 192); });
  EXPECT_TRUE(found.empty()) << found;
}

TEST(check, reports_kind_kernel_and_both_lines_of_a_race) {
  const findings found = expect_defect("race", [] { static_cast<void>(sum_once<false>()); });
  ASSERT_EQ(found.size(), 1u) << found;
  EXPECT_EQ(found[0].kind, "race");
  EXPECT_NE(found[0].kernel.find("sum"), std::string::npos) << found[0].kernel;
  EXPECT_NE(found[0].message.find("shared `parts` is "), std::string::npos) << found[0].message;
  EXPECT_EQ(found[0].schedules.size(), 5u) << found;
  ASSERT_EQ(found[0].places.size(), 2u) << found;
  for (const heddle::host::place& side : found[0].places) {
    EXPECT_NE(side.file.find("check_test.cu"), std::string::npos) << side.file;
    const bool reads = side.role == "reads";
    EXPECT_NE(side.source.find(reads ? "*total = parts" : "parts[threadIdx.x / 32] ="),
              std::string::npos)
        << side.role << " " << side.source;
    EXPECT_GT(side.line, 10);
  }
  EXPECT_NE(words_of(found).find("call __syncthreads() between them"), std::string::npos) << found;
}

TEST(check, reports_a_defect_again_in_a_second_call) {
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(expect_defect("race", [] { static_cast<void>(sum_once<false>()); }).size(), 1u);
  }
}

TEST(check, runs_the_given_schedules_and_restores_the_programs_own) {
  int runs = 0;
  const check_options twice{{"random:7", "pct:3"}};
  const findings found = check(twice, [&] {
    ++runs;
    static_cast<void>(sum_once<false>());
  });
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, "race") << found;
  EXPECT_EQ(found[0].schedules, twice.schedules);
  EXPECT_GE(runs, 2);
  EXPECT_EQ(sum_once<true>(), 192);
}

__global__ void copy_unwritten(int* out, bool stores_it) {
  __shared__ int kept[64];
  const int loaded = kept[threadIdx.x + 32];
  if (threadIdx.x == 0) *out = stores_it ? loaded : 7;
}
int copied(bool stores_it) {
  const number out;
  copy_unwritten<<<1, 32>>>(out.data(), stores_it);
  return out.value();
}

TEST(check, reports_unwritten_memory_if_the_result_depends_on_it) {
  const findings none = check([] { return copied(false); });
  EXPECT_TRUE(none.empty()) << none;
  const findings found = expect_defect("uninitialized", [] { return copied(true); });
  EXPECT_EQ(found[0].places[0].role, "reads") << found;
}

__global__ void follow(int* out) {
  __shared__ int steps[32];
  *out = 0;
  if (steps[threadIdx.x] == 0x01010101) *out = 1;
}

TEST(check, reports_unwritten_memory_if_a_branch_depends_on_it) {
  static_cast<void>(expect_defect("uninitialized", [] {
    const number out;
    follow<<<1, 1>>>(out.data());
    cudaDeviceSynchronize();
  }));
}

TEST(check, reports_only_leaks_of_its_own_run) {
  const number before;
  const findings found = expect_defect("leak", check_options{{"converged"}}, [] {
    int* memory = nullptr;
    cudaMalloc(&memory, 100);
  });
  EXPECT_EQ(found.size(), 1u) << found;
  EXPECT_NE(words_of(found).find("check_test.cu"), std::string::npos) << found;
  cudaMemset(before.data(), 1, sizeof(int));
  EXPECT_EQ(before.value(), 0x01010101);
}

__global__ void write_beside(int* out) { out[1000] = 1; }
__global__ void wait_for_ever(volatile int* flag) {
  while (*flag == 0) {
  }
}

TEST(check, continues_after_a_kernel_that_fails) {
  const findings found = expect_defect("livelock", [] {
    const number flag;
    cudaMemset(flag.data(), 0, sizeof(int));
    wait_for_ever<<<1, 1>>>(flag.data());
    cudaDeviceSynchronize();
  });
  EXPECT_EQ(found[0].schedules.size(), 1u) << found;
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(sum_once<true>(), 192);
  EXPECT_EQ(expect_defect("out-of-bounds",
                          [] {
                            const number out;
                            write_beside<<<1, 1>>>(out.data());
                            cudaDeviceSynchronize();
                          })
                .size(),
            1u);
}

TEST(check, says_what_it_found_instead_of_the_expected_defect) {
  try {
    static_cast<void>(expect_defect("leak", [] { static_cast<void>(sum_once<false>()); }));
    FAIL() << "a race is no leak";
  } catch (const heddle::host::unexpected_findings& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("race"), std::string::npos) << wrong.what();
  }
  EXPECT_THROW(static_cast<void>(expect_defect("race", [] {})), heddle::host::unexpected_findings);
}

TEST(check, rethrows_exceptions_and_can_be_called_again) {
  EXPECT_THROW(static_cast<void>(check([] { throw std::out_of_range("7"); })), std::out_of_range);
  EXPECT_THROW(static_cast<void>(check({{"sideways"}}, [] {})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(check([] { static_cast<void>(check([] {})); })), std::logic_error);
  EXPECT_TRUE(check([] {}).empty());
}

}  // namespace
