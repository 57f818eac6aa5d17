// cuda::atomic and cuda::atomic_ref: operations, types, waiting, and publishing with fences.
#include <cuda/atomic>

#include "expect.hpp"

namespace {

template <typename T>
__global__ void operate(T* out) {
  cuda::atomic<T, cuda::thread_scope_device> cell(static_cast<T>(12));
  out[0] = cell.load();
  out[1] = cell.exchange(static_cast<T>(20), cuda::memory_order_acq_rel);
  out[2] = cell.fetch_add(static_cast<T>(5), cuda::memory_order_relaxed);
  out[3] = cell.fetch_sub(static_cast<T>(3));
  out[4] = cell.fetch_min(static_cast<T>(7));
  out[5] = cell.fetch_min(static_cast<T>(9));
  out[6] = cell.fetch_max(static_cast<T>(30), cuda::memory_order_release);
  out[7] = cell.fetch_max(static_cast<T>(2));
  T expected = static_cast<T>(31);
  out[8] = static_cast<T>(cell.compare_exchange_strong(expected, static_cast<T>(1)));
  out[9] = expected;
  out[10] = static_cast<T>(cell.compare_exchange_weak(
      expected, static_cast<T>(40), cuda::memory_order_acq_rel, cuda::memory_order_acquire));
  cell.store(static_cast<T>(cell + static_cast<T>(2)), cuda::memory_order_release);
  cuda::atomic_ref<T, cuda::thread_scope_system> place(out[11]);
  place = cell.load(cuda::memory_order_acquire);
  place += static_cast<T>(1);
}

template <typename T>
void test_operations(const std::string& type) {
  device_array<T> out(12, T(99));
  operate<<<1, 1>>>(out.get());
  finish_kernels("operate");
  std::vector<T> want;
  for (int value : {12, 12, 20, 25, 22, 7, 7, 30, 0, 30, 1, 43}) {
    want.push_back(static_cast<T>(value));
  }
  expect_equal("cuda::atomic<" + type + "> follows the serial order", out.read(), want);
}

__global__ void operate_on_bits(unsigned* out) {
  cuda::atomic<unsigned, cuda::thread_scope_block> cell(0xf0f0u);
  out[0] = cell.fetch_and(0xff00u);
  out[1] = cell.fetch_or(0x000fu);
  out[2] = cell.fetch_xor(0xffffu);
  out[3] = cell++;
  out[4] = ++cell;
  out[5] = cell--;
  out[6] = --cell;
  out[7] = cell |= 1u;
  int numbers[4] = {10, 11, 12, 13};
  cuda::atomic<int*, cuda::thread_scope_thread> pointer(numbers);
  out[8] = *pointer.fetch_add(2);
  out[9] = *pointer.load();
  cuda::std::atomic<unsigned> standard(4);
  standard.fetch_add(3);
  out[10] = standard;
  struct point {
    short x, y;
  };
  cuda::atomic<point> place(point{1, 2});
  point expected{1, 2};
  place.compare_exchange_strong(expected, point{5, 6});
  out[11] = place.load().x * 10 + place.load().y;
}

// Block 0 writes and sets a flag that the others wait for; the flag is relaxed, fences order it.
__global__ void publish(int* data, int* flag, int* seen) {
  cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 100 + threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
      raised.store(1, cuda::memory_order_relaxed);
    }
  } else {
    while (raised.load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    seen[(blockIdx.x - 1) * blockDim.x + threadIdx.x] = data[threadIdx.x];
  }
}

// The lanes of one warp take turns with wait(): lane i continues when the turn is i.
__global__ void take_turns(int* order) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
  if (threadIdx.x == 0) new (&turn) cuda::atomic<int, cuda::thread_scope_block>(0);
  __syncthreads();
  const int mine = blockDim.x - 1 - threadIdx.x;
  for (int now = turn.load(); now != mine; now = turn.load()) turn.wait(now);
  order[mine] = threadIdx.x;
  turn.fetch_add(1);
  turn.notify_all();
}

__global__ void add_reals(float* real, double* exact, unsigned char* bytes) {
  cuda::atomic_ref<float, cuda::thread_scope_device>(*real).fetch_add(1.0f);
  cuda::atomic_ref<double>(*exact).fetch_sub(0.25, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned char, cuda::thread_scope_device>(bytes[threadIdx.x % 4]).fetch_add(1);
}

}  // namespace

int main() {
  test_operations<int>("int");
  test_operations<unsigned>("unsigned");
  test_operations<long long>("long long");
  test_operations<unsigned long long>("unsigned long long");
  test_operations<short>("short");
  test_operations<unsigned char>("unsigned char");
  test_operations<float>("float");
  test_operations<double>("double");

  device_array<unsigned> bits(12, 0u);
  operate_on_bits<<<1, 1>>>(bits.get());
  finish_kernels("operate_on_bits");
  expect_equal("bits, steps, pointers and small structs follow the serial order", bits.read(),
               std::vector<unsigned>{0xf0f0, 0xf000, 0xf00f, 0x0ff0, 0x0ff2, 0x0ff2, 0x0ff0, 0x0ff1,
                                     10, 12, 7, 56});

  constexpr int readers = 3, threads = 64;
  device_array<int> data(threads, 0), flag(1, 0), seen(readers * threads, 0);
  publish<<<1 + readers, threads>>>(data.get(), flag.get(), seen.get());
  finish_kernels("publish");
  std::vector<int> want;
  for (int i = 0; i < readers * threads; ++i) want.push_back(100 + i % threads);
  expect_equal("what fences publish is seen by waiting blocks", seen.read(), want);

  device_array<int> order(threads, -1);
  take_turns<<<1, threads>>>(order.get());
  finish_kernels("take_turns");
  want.clear();
  for (int i = 0; i < threads; ++i) want.push_back(threads - 1 - i);
  expect_equal("lanes that wait for each other take turns", order.read(), want);

  device_array<float> real(1, 0.0f);
  device_array<double> exact(1, 0.0);
  device_array<unsigned char> bytes(4, static_cast<unsigned char>(0));
  add_reals<<<4, threads>>>(real.get(), exact.get(), bytes.get());
  finish_kernels("add_reals");
  expect_value("floats add up", real.read()[0], 4.0f * threads);
  expect_value("doubles subtract", exact.read()[0], -1.0 * threads);
  expect_equal("bytes of one word are counted apart", bytes.read(),
               std::vector<unsigned char>(4, threads));
  return report();
}
