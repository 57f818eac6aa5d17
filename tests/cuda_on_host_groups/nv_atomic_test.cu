// nvcc's built-in atomic functions: operations, types, orders and scopes.
#include "expect.hpp"

namespace {

template <typename T>
__global__ void operate(T* cell, T* out) {
  T operand = static_cast<T>(20), old = 0, expected = 31, desired = 40;
  out[0] = __nv_atomic_load_n(cell, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);
  out[1] = __nv_atomic_exchange_n(cell, operand, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  out[2] = __nv_atomic_fetch_min(cell, static_cast<T>(7), __NV_ATOMIC_SEQ_CST);
  out[3] = __nv_atomic_fetch_min(cell, static_cast<T>(9), __NV_ATOMIC_SEQ_CST);
  out[4] = __nv_atomic_fetch_max(cell, static_cast<T>(30), __NV_ATOMIC_RELEASE);
  out[5] = __nv_atomic_fetch_max(cell, static_cast<T>(2), __NV_ATOMIC_ACQUIRE);
  out[6] = __nv_atomic_compare_exchange_n(cell, &expected, 1, false, __NV_ATOMIC_SEQ_CST,
                                          __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  out[7] = expected;
  out[8] = __nv_atomic_compare_exchange(cell, &expected, &desired, true, __NV_ATOMIC_ACQ_REL,
                                        __NV_ATOMIC_ACQUIRE);
  __nv_atomic_exchange(cell, &operand, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
  out[9] = old;
  out[10] = __nv_atomic_fetch_or(cell, static_cast<T>(3), __NV_ATOMIC_RELAXED);
  out[11] = __nv_atomic_fetch_and(cell, static_cast<T>(6), __NV_ATOMIC_RELAXED);
  out[12] = __nv_atomic_fetch_xor(cell, static_cast<T>(15), __NV_ATOMIC_RELAXED);
  __nv_atomic_max(cell, static_cast<T>(10), __NV_ATOMIC_RELAXED);
  __nv_atomic_load(cell, &out[13], __NV_ATOMIC_ACQUIRE);
  __nv_atomic_store(cell, &operand, __NV_ATOMIC_RELEASE);
  __nv_atomic_store_n(cell + 1, 5, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

template <typename T>
void test_operations(const std::string& type) {
  device_array<T> cells(std::vector<T>{12, 99}), out(14, T(99));
  operate<<<1, 1>>>(cells.get(), out.get());
  finish_kernels("operate");
  std::vector<T> want;
  for (int value : {12, 12, 20, 7, 7, 30, 0, 30, 1, 40, 20, 23, 6, 10})
    want.push_back(static_cast<T>(value));
  expect_equal("built-in atomics of " + type + " follow the serial order", out.read(), want);
  expect_equal("built-in stores of " + type + " store", cells.read(), {20, 5});
}

template <typename T>
__global__ void sum(T* cells) {
  __nv_atomic_fetch_add(cells, static_cast<T>(2), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(cells + 1, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_sub(cells + 2, 1, __NV_ATOMIC_RELAXED);
}

template <typename T>
void test_sums(const std::string& type) {
  device_array<T> cells(std::vector<T>{0, 0, 2000});
  sum<<<4, 256>>>(cells.get());
  finish_kernels("sum");
  expect_equal("built-in sums of " + type + " lose nothing", cells.read(),
               {T(2048), T(1024), T(976)});
}

struct alignas(8) pair {
  int first;
  float second;
};

__global__ void whole_objects(pair* cell, pair* out) {
  pair wanted{3, 4.5f}, expected = *cell;
  const bool is_exchanged = __nv_atomic_compare_exchange(cell, &expected, &wanted, false,
                                                         __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
  __nv_atomic_load(cell, &out[0], __NV_ATOMIC_RELAXED);
  out[1] = {is_exchanged, 0};
}

// Block 1 sees what block 0 wrote before it set the flag.
__global__ void publish(int* value, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *value = 42;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *out = *value;
  }
}

}  // namespace

int main() {
  test_operations<int>("int");
  test_operations<unsigned>("unsigned");
  test_operations<long long>("long long");
  test_operations<unsigned long long>("unsigned long long");
  test_sums<int>("int");
  test_sums<unsigned>("unsigned");
  test_sums<unsigned long long>("unsigned long long");
  test_sums<float>("float");
  test_sums<double>("double");
  device_array<pair> cell(1, pair{1, 2.5f}), objects(2, pair{-1, -1});
  whole_objects<<<1, 1>>>(cell.get(), objects.get());
  finish_kernels("whole_objects");
  expect_equal("whole objects are exchanged", objects.read(), {pair{3, 4.5f}, pair{1, 0}});
  device_array<int> value(1, 0), flag(1, 0), out(1, 0);
  publish<<<2, 1>>>(value.get(), flag.get(), out.get());
  finish_kernels("publish");
  expect_equal("a fence publishes", out.read(), {42});
  return report();
}
