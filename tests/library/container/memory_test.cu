// Containers whose allocation fails: a clear error, and no leak.
#include <heddle/container/hash_map.cuh>
#include <heddle/container/queue.cuh>
#include <heddle/container/stack.cuh>
#include <heddle/container/union_find.cuh>
#include <heddle/device/workspace.cuh>

#include <vector>

#include "container/failing_allocation.cuh"
#include "container/pushes_and_pops.cuh"
#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::container::hash_map;
using heddle::container::queue;
using heddle::container::stack;
using heddle::container::union_find;

TEST(container_memory, reports_whichever_allocation_fails) {
  if (!failing_allocation::is_supported()) {
    GTEST_SKIP() << "allocations fail in turn on the CPU only";
  }
  EXPECT_EQ(failures_of([] { queue<unsigned>{10, nullptr, 32}; }), 1);
  EXPECT_EQ(failures_of([] { queue<parcel>{10, nullptr, 32}; }), 1);
  EXPECT_EQ(failures_of([] { stack<parcel>{10}; }), 1);
  EXPECT_EQ(failures_of([] { union_find{10}; }), 1);
  EXPECT_EQ(failures_of([] { hash_map<unsigned, unsigned>{10}; }), 1);
  EXPECT_EQ(failures_of([] { hash_map<unsigned long long, double>{10}; }), 1);
  struct one;
  struct other;
  EXPECT_EQ(failures_of([] {
              heddle::device::workspace work;
              static_cast<void>(work.scratch(1000));
              static_cast<void>(work.kept<one>(1000));
              static_cast<void>(work.kept<other>(1000));
            }),
            3);
}

// The remaining container works as if nothing had happened.
TEST(container_memory, leaves_an_existing_container_alone) {
  if (!failing_allocation::is_supported()) {
    GTEST_SKIP() << "allocations fail in turn on the CPU only";
  }
  queue<unsigned> line(3, nullptr, 1);
  const device_array<int> program(std::vector<int>{1, 2, 3, 4}), more(std::vector<int>{-1, -1});
  device_array<int> answers(4), later(2);
  follow<<<1, 1>>>(line.view(), program.data(), 4, answers.data());
  {
    const failing_allocation first(1);
    EXPECT_TRUE(is_refused([&] { line = queue<unsigned>(100, nullptr, 1); }));
  }
  follow<<<1, 1>>>(line.view(), more.data(), 2, later.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(answers.values(), (std::vector<int>{1, 2, 3, -1}));
  EXPECT_EQ(later.values(), (std::vector<int>{1, 2}));
}

// Takes all device memory except for a rest, in smaller and smaller pieces.
class ballast {
 public:
  explicit ballast(std::size_t rest) {
    for (std::size_t piece = free_bytes(); piece >= rest / 4;) {
      void* memory = nullptr;
      if (free_bytes() > rest + piece && cudaMalloc(&memory, piece) == cudaSuccess) {
        pieces_.push_back(memory);
      } else {
        cudaGetLastError();
        piece /= 2;
      }
    }
  }
  ~ballast() {
    for (void* const piece : pieces_) cudaFree(piece);
  }
  ballast(const ballast&) = delete;
  ballast& operator=(const ballast&) = delete;

 private:
  std::vector<void*> pieces_;
};

TEST(container_memory, reports_when_the_device_is_full) {
  if (failing_allocation::is_supported()) {
    GTEST_SKIP() << "the CPU's memory is left to others; single allocations fail there";
  }
  stack<unsigned>{100};  // kernels may need memory on their first run
  constexpr std::size_t rest = std::size_t{64} << 20;
  const ballast most(rest);
  ASSERT_LE(free_bytes(), 4 * rest);
  constexpr std::size_t too_many = std::size_t{1} << 27;  // at least 512 MiB of any type
  EXPECT_TRUE(is_refused([] { queue<unsigned>{too_many, nullptr, 1}; }));
  EXPECT_TRUE(is_refused([] { queue<parcel>{too_many, nullptr, 1}; }));
  EXPECT_TRUE(is_refused([] { stack<unsigned>{too_many}; }));
  EXPECT_TRUE(is_refused([] { union_find{too_many}; }));
  EXPECT_FALSE(is_refused([] { stack<unsigned>{100}; }));
}

}  // namespace
