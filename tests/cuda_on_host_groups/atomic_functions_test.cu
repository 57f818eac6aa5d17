// The atomic functions: each operation on each type against a serial reference, then under
// contention.
#include "expect.hpp"

#include <algorithm>
#include <limits>

namespace {

enum class operation { add, sub, exch, min, max, inc, dec, bit_and, bit_or, bit_xor };

template <operation which, int scope, typename T>
__device__ T apply(T* cell, T operand) {
#define HEDDLE_TEST_SCOPES(name)                                \
  if constexpr (scope == 0) return name(cell, operand);         \
  if constexpr (scope == 1) return name##_block(cell, operand); \
  if constexpr (scope == 2) return name##_system(cell, operand);
  if constexpr (which == operation::add) {
    HEDDLE_TEST_SCOPES(atomicAdd)
  }
  if constexpr (which == operation::sub) {
    HEDDLE_TEST_SCOPES(atomicSub)
  }
  if constexpr (which == operation::exch) {
    HEDDLE_TEST_SCOPES(atomicExch)
  }
  if constexpr (which == operation::min) {
    HEDDLE_TEST_SCOPES(atomicMin)
  }
  if constexpr (which == operation::max) {
    HEDDLE_TEST_SCOPES(atomicMax)
  }
  if constexpr (which == operation::inc) {
    HEDDLE_TEST_SCOPES(atomicInc)
  }
  if constexpr (which == operation::dec) {
    HEDDLE_TEST_SCOPES(atomicDec)
  }
  if constexpr (which == operation::bit_and) {
    HEDDLE_TEST_SCOPES(atomicAnd)
  }
  if constexpr (which == operation::bit_or) {
    HEDDLE_TEST_SCOPES(atomicOr)
  }
  if constexpr (which == operation::bit_xor) {
    HEDDLE_TEST_SCOPES(atomicXor)
  }
#undef HEDDLE_TEST_SCOPES
}

// The value of the cell afterwards, by the formulas of the programming guide.
template <operation which, typename T>
T reference(T held, T operand) {
  if constexpr (which == operation::exch) return operand;
  if constexpr (which == operation::min) return std::min(held, operand);
  if constexpr (which == operation::max) return std::max(held, operand);
  if constexpr (which == operation::inc) return held >= operand ? 0 : held + 1;
  if constexpr (which == operation::dec) return held == 0 || held > operand ? operand : held - 1;
  if constexpr (std::is_floating_point_v<T>) {
    return held + operand;
  } else {
    using word = std::make_unsigned_t<T>;
    const word a = static_cast<word>(held), b = static_cast<word>(operand);
    if constexpr (which == operation::add) return static_cast<T>(a + b);
    if constexpr (which == operation::sub) return static_cast<T>(a - b);
    if constexpr (which == operation::bit_and) return static_cast<T>(a & b);
    if constexpr (which == operation::bit_or) return static_cast<T>(a | b);
    if constexpr (which == operation::bit_xor) return static_cast<T>(a ^ b);
  }
}

template <operation which, int scope, typename T>
__global__ void apply_each(T* cells, const T* operands, T* returned, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) returned[i] = apply<which, scope>(&cells[i], operands[i]);
}

template <typename T>
std::vector<T> interesting_values(std::mt19937_64& random) {
  std::vector<T> values{T(0),
                        T(1),
                        T(2),
                        T(7),
                        std::numeric_limits<T>::lowest(),
                        std::numeric_limits<T>::max(),
                        T(std::numeric_limits<T>::max() / 2)};
  if (std::is_signed_v<T>) values.insert(values.end(), {T(-1), T(-7)});
  while (values.size() < 24) {
    if constexpr (std::is_floating_point_v<T>) {
      values.push_back(std::uniform_real_distribution<T>(-1000, 1000)(random));
    } else {
      values.push_back(static_cast<T>(random()));
    }
  }
  return values;
}

template <operation which, int scope, typename T>
void test_scope(const std::string& name, std::mt19937_64& random) {
  std::vector<T> cells, operands, want;
  for (T held : interesting_values<T>(random)) {
    for (T operand : interesting_values<T>(random)) {
      cells.push_back(held);
      operands.push_back(operand);
      want.push_back(reference<which>(held, operand));
    }
  }
  const int count = static_cast<int>(cells.size());
  device_array<T> on_device(cells), operands_on_device(operands), returned(cells.size(), T(42));
  apply_each<which, scope>
      <<<(count + 63) / 64, 64>>>(on_device.get(), operands_on_device.get(), returned.get(), count);
  finish_kernels(name.c_str());
  expect_equal(name + " returns the old value", returned.read(), cells);
  expect_equal(name + " stores the new value", on_device.read(), want);
}

template <operation which, typename T>
void test_operation(const std::string& name, std::mt19937_64& random) {
  test_scope<which, 0, T>(name, random);
  test_scope<which, 1, T>(name + " (block)", random);
  test_scope<which, 2, T>(name + " (system)", random);
}

template <typename T>
void test_bits(const std::string& type, std::mt19937_64& random) {
  test_operation<operation::min, T>("atomicMin of " + type, random);
  test_operation<operation::max, T>("atomicMax of " + type, random);
  test_operation<operation::bit_and, T>("atomicAnd of " + type, random);
  test_operation<operation::bit_or, T>("atomicOr of " + type, random);
  test_operation<operation::bit_xor, T>("atomicXor of " + type, random);
}

constexpr int blocks = 6, threads = 96, rounds = 5;

__global__ void contend(int* whole, unsigned long long* wide, float* real, double* exact,
                        unsigned* ring, unsigned* ring_seen, int* smallest, int* largest) {
  __shared__ int in_block;
  if (threadIdx.x == 0) in_block = 0;
  __syncthreads();
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    atomicAdd(whole, 3);
    atomicAdd(wide, 1ull << 33);
    atomicAdd(real, 1.0f);
    atomicAdd(exact, 0.5);
    atomicAdd(&ring_seen[atomicInc(ring, 9)], 1u);
    atomicMin(smallest, -id * (round + 1));
    atomicMax(largest, id * (round + 1));
    atomicAdd_block(&in_block, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(whole, in_block);
}

void test_contention() {
  device_array<int> whole(1, 0), smallest(1, 0), largest(1, 0);
  device_array<unsigned long long> wide(1, 0);
  device_array<float> real(1, 0.0f);
  device_array<double> exact(1, 0.0);
  device_array<unsigned> ring(1, 0u), ring_seen(10, 0u);
  contend<<<blocks, threads>>>(whole.get(), wide.get(), real.get(), exact.get(), ring.get(),
                               ring_seen.get(), smallest.get(), largest.get());
  finish_kernels("contend");
  const int total = blocks * threads * rounds;
  expect_value("ints add up under contention", whole.read()[0], 4 * total);
  expect_value("64-bit integers add up under contention", wide.read()[0],
               static_cast<unsigned long long>(total) << 33);
  expect_value("floats add up under contention", real.read()[0], static_cast<float>(total));
  expect_value("doubles add up under contention", exact.read()[0], total * 0.5);
  expect_equal("atomicInc hands out each place of a ring equally often", ring_seen.read(),
               std::vector<unsigned>(10, total / 10));
  expect_value("atomicMin finds the smallest", smallest.read()[0],
               -(blocks * threads - 1) * rounds);
  expect_value("atomicMax finds the largest", largest.read()[0], (blocks * threads - 1) * rounds);
}

// Two 16-bit counters in one 32-bit word: counting one must leave the other alone.
__global__ void count_halves(unsigned short* counters) {
  unsigned short* mine = &counters[threadIdx.x % 2];
  unsigned short seen = 0;
  for (;;) {
    const unsigned short held = atomicCAS(mine, seen, static_cast<unsigned short>(seen + 1));
    if (held == seen) break;
    seen = held;
  }
}

struct alignas(16) pair_of_words {
  unsigned long long low, high;
};

// Few threads and many rounds, so that blocks on two processors contend for long enough.
constexpr int wide_blocks = 4, wide_threads = 4, wide_rounds = 100000;

// `high` is always 3 * low, which shows a torn access.
__global__ void count_wide(pair_of_words* counter, unsigned* torn, unsigned* started) {
  atomicAdd(started, 1u);
  while (atomicAdd(started, 0u) < wide_blocks * wide_threads) {
  }
  pair_of_words seen{0, 0};
  for (int round = 0; round < wide_rounds;) {
    const pair_of_words held =
        atomicCAS(counter, seen, pair_of_words{seen.low + 1, 3 * (seen.low + 1)});
    if (held.high != 3 * held.low) atomicAdd(torn, 1u);
    if (held.low == seen.low && held.high == seen.high) ++round;
    seen = held;
  }
}

__global__ void pass_on(pair_of_words* cell, unsigned* seen, unsigned* torn) {
  const unsigned long long id = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const pair_of_words held = atomicExch(cell, pair_of_words{id, ~id});
  if (held.high != ~held.low) atomicAdd(torn, 1u);
  atomicAdd(&seen[held.low], 1u);
}

void test_small_and_wide() {
  device_array<unsigned short> counters(2, static_cast<unsigned short>(0));
  count_halves<<<blocks, threads>>>(counters.get());
  finish_kernels("count_halves");
  expect_equal("16-bit atomicCAS leaves the other half of the word alone", counters.read(),
               std::vector<unsigned short>(2, blocks * threads / 2));

  device_array<pair_of_words> wide(1, pair_of_words{0, 0});
  device_array<unsigned> torn(1, 0u), started(1, 0u), seen(blocks * threads + 1, 0u);
  count_wide<<<wide_blocks, wide_threads>>>(wide.get(), torn.get(), started.get());
  finish_kernels("count_wide");
  const unsigned long long total = 1ull * wide_blocks * wide_threads * wide_rounds;
  expect_value("128-bit atomicCAS counts", wide.read()[0], pair_of_words{total, 3 * total});
  expect_value("128-bit atomicCAS never sees half of a store", torn.read()[0], 0u);

  device_array<pair_of_words> cell(1, pair_of_words{0, ~0ull});
  pass_on<<<blocks, threads>>>(cell.get(), seen.get(), torn.get());
  finish_kernels("pass_on");
  std::vector<unsigned> handed_on = seen.read();
  ++handed_on[cell.read()[0].low];
  expect_equal("128-bit atomicExch hands on each value once", handed_on,
               std::vector<unsigned>(blocks * threads + 1, 1u));
  expect_value("128-bit atomicExch never sees half of a store", torn.read()[0], 0u);
}

__global__ void add_vectors(float2* two, float4* four) {
  atomicAdd(two, make_float2(1, 2));
  atomicAdd_block(four, make_float4(1, 2, 3, 4));
}

void test_vectors() {
  device_array<float2> two(1, make_float2(0, 0));
  device_array<float4> four(1, make_float4(0, 0, 0, 0));
  add_vectors<<<1, threads>>>(two.get(), four.get());
  finish_kernels("add_vectors");
  expect_value("float2 adds each element", two.read()[0], make_float2(threads, 2 * threads));
  expect_value("float4 adds each element", four.read()[0],
               make_float4(threads, 2 * threads, 3 * threads, 4 * threads));
}

// Every lane of every warp takes the same lock: a lane that waits must let the holder run.
__global__ void count_under_lock(int* lock, int* count) {
  for (int round = 0; round < 3; ++round) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *static_cast<volatile int*>(count) = *static_cast<volatile int*>(count) + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

void test_lock() {
  device_array<int> lock(1, 0), count(1, 0);
  count_under_lock<<<3, 64>>>(lock.get(), count.get());
  finish_kernels("count_under_lock");
  expect_value("a spin lock inside a warp makes progress", count.read()[0], 3 * 64 * 3);
}

}  // namespace

int main() {
  std::mt19937_64 random = random_numbers();
  test_operation<operation::add, int>("atomicAdd of int", random);
  test_operation<operation::add, unsigned>("atomicAdd of unsigned", random);
  test_operation<operation::add, unsigned long long>("atomicAdd of unsigned long long", random);
  test_operation<operation::add, float>("atomicAdd of float", random);
  test_operation<operation::add, double>("atomicAdd of double", random);
  test_operation<operation::sub, int>("atomicSub of int", random);
  test_operation<operation::sub, unsigned>("atomicSub of unsigned", random);
  test_operation<operation::exch, int>("atomicExch of int", random);
  test_operation<operation::exch, unsigned>("atomicExch of unsigned", random);
  test_operation<operation::exch, unsigned long long>("atomicExch of unsigned long long", random);
  test_operation<operation::exch, float>("atomicExch of float", random);
  test_operation<operation::inc, unsigned>("atomicInc", random);
  test_operation<operation::dec, unsigned>("atomicDec", random);
  test_bits<int>("int", random);
  test_bits<unsigned>("unsigned", random);
  test_bits<long long>("long long", random);
  test_bits<unsigned long long>("unsigned long long", random);
  test_contention();
  test_small_and_wide();
  test_vectors();
  test_lock();
  return report();
}
