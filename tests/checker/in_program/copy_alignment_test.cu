// The alignment and size that each kind of asynchronous copy needs, and the finding without them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <gtest/gtest.h>
#include <heddle_check/check.hpp>

#include <cuda/pipeline>
#include <cuda/ptx>
#include <string>

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using heddle::host::check;
using heddle::host::check_options;
using heddle::host::finding;
using heddle::host::findings;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// ---- one way to copy each: one thread copies, and waits until the copy is complete

struct with_barrier {
  static constexpr std::size_t needs = 16;
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    __shared__ block_barrier arrived;
    init(&arrived, 1);
    cuda::memcpy_async(to, from, cuda::aligned_size_t<needs>(bytes), arrived);  // copies
    arrived.arrive_and_wait();
  }
};

// Needs more than the 16 bytes in which threads share a copy.
struct with_barrier_of_group {
  static constexpr std::size_t needs = 64;
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    __shared__ block_barrier arrived;
    init(&arrived, 1);
    const cg::thread_block block = cg::this_thread_block();
    void* const place = to;
    const void* const source = from;
    const cuda::aligned_size_t<needs> size(bytes);
    cuda::memcpy_async(block, place, source, size, arrived);  // copies
    arrived.arrive_and_wait();
  }
};

struct with_pipeline {
  static constexpr std::size_t needs = 8;
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    auto pipeline = cuda::make_pipeline();
    pipeline.producer_acquire();
    cuda::memcpy_async(to, from, cuda::aligned_size_t<needs>(bytes), pipeline);  // copies
    pipeline.producer_commit();
    pipeline.consumer_wait();
    pipeline.consumer_release();
  }
};

// The type of the pointers promises a larger alignment than the size does.
struct of_doubles {
  static constexpr std::size_t needs = 8;
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    auto* const place = reinterpret_cast<double*>(to);
    const auto* const source = reinterpret_cast<const double*>(from);
    auto pipeline = cuda::make_pipeline();
    pipeline.producer_acquire();
    cuda::memcpy_async(place, source, cuda::aligned_size_t<4>(bytes), pipeline);  // copies
    pipeline.producer_commit();
    pipeline.consumer_wait();
    pipeline.consumer_release();
  }
};

struct of_group {
  static constexpr std::size_t needs = 16;
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, to, from, cuda::aligned_size_t<needs>(bytes));  // copies
    cg::wait(block);
  }
};

// Counted in elements, so the size in bytes is always a multiple of what it needs.
struct of_group_in_elements {
  static constexpr std::size_t needs = 4;
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    const cg::thread_block block = cg::this_thread_block();
    auto* const place = reinterpret_cast<int*>(to);
    const auto* const source = reinterpret_cast<const int*>(from);
    cg::memcpy_async(block, place, bytes / sizeof(int), source, bytes / sizeof(int));  // copies
    cg::wait(block);
  }
};

struct by_transaction {
  static constexpr std::size_t needs = 16;
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    __shared__ block_barrier arrived;
    init(&arrived, 1);
    const cuda::aligned_size_t<needs> size(bytes);
    cuda::device::memcpy_async_tx(to, from, size, arrived);  // copies
    arrived.wait(cuda::device::barrier_arrive_tx(arrived, 1, static_cast<int>(bytes)));
  }
};

struct in_bulk {
  static constexpr std::size_t needs = 16;
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    __shared__ std::uint64_t arrived;
    ptx::mbarrier_init(&arrived, 1);
    const auto size = static_cast<std::uint32_t>(bytes);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   size);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, size, &arrived);  // copies
    while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
    }
  }
};

template <std::size_t words>
struct by_primitive {
  static constexpr std::size_t needs = words * sizeof(int);
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    __pipeline_memcpy_async(to, from, bytes);  // copies
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
};

// ---- the copies under check

template <typename Way>
__global__ void copy_once(const char* from, int to_offset, int from_offset, std::size_t bytes) {
  __shared__ alignas(128) char tile[512];
  Way::copy(tile + to_offset, from + from_offset, bytes);
}

template <typename Way>
findings check_copy(int to_offset, int from_offset, std::size_t bytes) {
  return check(check_options{{"converged"}}, [=] {
    char* from = nullptr;
    cudaMalloc(&from, 512);
    cudaMemset(from, 1, 512);
    copy_once<Way><<<1, 1>>>(from, to_offset, from_offset, bytes);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    cudaFree(from);
  });
}

// Expects one finding, at the line that copies, with this role and these words.
void expect_finding(const findings& found, const std::string& role, const std::string& words) {
  ASSERT_EQ(found.size(), 1u) << found;
  const finding& one = found[0];
  EXPECT_EQ(one.kind, "misaligned") << found;
  EXPECT_NE(one.message.find(words), std::string::npos) << one.message << "\nwithout: " << words;
  ASSERT_GE(one.places.size(), 1u) << found;
  EXPECT_EQ(one.places[0].role, role) << found;
  EXPECT_NE(one.places[0].source.find("// copies"), std::string::npos) << one.places[0].source;
}

std::string needs_alignment(std::size_t bytes) {
  return ", but the copy needs " + std::to_string(bytes) + "-byte alignment";
}

template <typename Way>
class copy_alignment : public testing::Test {
 protected:
  static constexpr int half = Way::needs / 2;
};

using ways = testing::Types<with_barrier, with_barrier_of_group, with_pipeline, of_doubles,
                            of_group, of_group_in_elements, by_transaction, in_bulk,
                            by_primitive<1>, by_primitive<2>, by_primitive<4>>;
TYPED_TEST_SUITE(copy_alignment, ways);

TYPED_TEST(copy_alignment, accepts_multiples) {
  const int needs = TypeParam::needs;
  EXPECT_TRUE(check_copy<TypeParam>(0, 0, needs).empty());
  const findings found = check_copy<TypeParam>(3 * needs, needs, needs);
  EXPECT_TRUE(found.empty()) << found;
}

TYPED_TEST(copy_alignment, reports_a_misaligned_source) {
  expect_finding(check_copy<TypeParam>(0, this->half, TypeParam::needs), "reads",
                 "at byte " + std::to_string(this->half) + needs_alignment(TypeParam::needs));
}

TYPED_TEST(copy_alignment, reports_a_misaligned_destination) {
  expect_finding(check_copy<TypeParam>(this->half, 0, TypeParam::needs), "writes",
                 "writes shared `tile` at byte " + std::to_string(this->half) +
                     needs_alignment(TypeParam::needs));
}

template <typename Way>
class copy_size : public testing::Test {};

using ways_with_sizes = testing::Types<with_barrier, with_barrier_of_group, with_pipeline,
                                       of_doubles, of_group, by_transaction, in_bulk>;
TYPED_TEST_SUITE(copy_size, ways_with_sizes);

TYPED_TEST(copy_size, must_be_a_multiple) {
  const std::size_t bytes = TypeParam::needs + TypeParam::needs / 2;
  expect_finding(check_copy<TypeParam>(0, 0, bytes), "writes",
                 std::to_string(bytes) + " bytes; it must be a multiple of " +
                     std::to_string(TypeParam::needs));
}

TEST(primitive_copy_size, must_be_4_8_or_16) {
  for (const std::size_t bytes : {1, 2, 12, 32}) {
    expect_finding(check_copy<by_primitive<1>>(0, 0, bytes), "writes",
                   std::to_string(bytes) + " bytes; it must be 4, 8 or 16");
  }
}

struct of_bytes {
  static __device__ void copy(char* to, const char* from, std::size_t bytes) {
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, to, from, bytes);
    cg::wait(block);
  }
};

TEST(byte_copy, needs_no_alignment) {
  const findings found = check_copy<of_bytes>(3, 1, 5);
  EXPECT_TRUE(found.empty()) << found;
}

}  // namespace
