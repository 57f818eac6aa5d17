// __nv_atomic functions: every operation, type, order and scope.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

#define ALL_OPERATIONS(name, scope)                                             \
  __global__ void name(int* cells) {                                            \
    const int mine = static_cast<int>(mix(rank_in_grid()) % 1000) - 300;        \
    __nv_atomic_fetch_add(&cells[0], mine, __NV_ATOMIC_SEQ_CST, scope);         \
    __nv_atomic_sub(&cells[1], mine, __NV_ATOMIC_RELAXED, scope);               \
    __nv_atomic_max(&cells[2], mine, __NV_ATOMIC_ACQ_REL, scope);               \
    __nv_atomic_fetch_min(&cells[3], mine, __NV_ATOMIC_RELEASE, scope);         \
    __nv_atomic_or(&cells[4], 1 << (mine & 15), __NV_ATOMIC_ACQUIRE, scope);    \
    __nv_atomic_fetch_xor(&cells[5], mine, __NV_ATOMIC_SEQ_CST, scope);         \
    __nv_atomic_and(&cells[6], ~(1 << (mine & 7)), __NV_ATOMIC_RELAXED, scope); \
  }

ALL_OPERATIONS(operations_of_block, __NV_THREAD_SCOPE_BLOCK)
ALL_OPERATIONS(operations_of_device, __NV_THREAD_SCOPE_DEVICE)
ALL_OPERATIONS(operations_of_system, __NV_THREAD_SCOPE_SYSTEM)

CASE(operations_at_every_scope) {
  const buffer<int> block(7, 0xf0f), device(7, 0xf0f), system(7, 0xf0f);
  operations_of_block<<<1, 96>>>(block);
  show("block", block);
  operations_of_device<<<4, 96>>>(device);
  show("device", device);
  operations_of_system<<<4, 96>>>(system);
  show("system", system);
}

template <typename T>
__global__ void sums(T* cells) {
  const T mine = static_cast<T>(mix(rank_in_grid()) % 100);
  __nv_atomic_fetch_add(&cells[0], mine, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&cells[1], mine + 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

template <typename T>
void show_sums() {
  const buffer<T> cells(2, 0);
  sums<<<4, 96>>>(static_cast<T*>(cells));
  show("cells", cells);
}

CASE(sums_of_every_type) {
  show_sums<int>();
  show_sums<unsigned>();
  show_sums<unsigned long long>();
  show_sums<float>();
  show_sums<double>();
}

template <typename T>
__global__ void counters(T* cells) {
  T seen = __nv_atomic_load_n(&cells[blockIdx.x % 3], __NV_ATOMIC_RELAXED);
  while (!__nv_atomic_compare_exchange_n(
      &cells[blockIdx.x % 3], &seen, static_cast<T>(seen + static_cast<T>(threadIdx.x % 5)), true,
      __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
  }
}

template <typename T>
void show_counters() {
  const buffer<T> cells(3, 0);
  counters<<<6, 64>>>(static_cast<T*>(cells));
  show("cells", cells);
}

CASE(compare_exchange_of_every_size) {
  show_counters<unsigned short>();
  show_counters<int>();
  show_counters<unsigned long long>();
}

__global__ void publish(int* value, int* flag, int* received) {
  if (blockIdx.x == 0) {
    *value = 4711;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *received = *value;
  }
}

CASE(a_release_fence_publishes) {
  const buffer<int> value(1, 0), flag(1, 0), received(1, 0);
  publish<<<2, 1>>>(value, flag, received);
  show("received", received);
}
