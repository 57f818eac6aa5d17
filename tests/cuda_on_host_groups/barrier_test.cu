// cuda::barrier, cuda::latch and cuda::semaphore: phases, tokens, dropping, completion, counted
// bytes.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

#include "expect.hpp"

#ifdef __NVCC__  // init() constructs shared barriers
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 96, rounds = 7;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Every thread reads its neighbour's value of this round, across warps.
__global__ void rotate(int* out) {
  __shared__ block_barrier meeting;
  __shared__ int values[threads];
  if (threadIdx.x == 0) init(&meeting, blockDim.x);
  __syncthreads();
  int value = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    values[threadIdx.x] = value;
    block_barrier::arrival_token token = meeting.arrive();
    meeting.wait(static_cast<block_barrier::arrival_token&&>(token));
    value = values[(threadIdx.x + 33) % threads] + 1;
    meeting.arrive_and_wait();
  }
  out[threadIdx.x] = value;
}

// Half of the threads arrive without waiting; the others wait for them.
__global__ void produce_and_consume(int* out) {
  __shared__ block_barrier full, empty;
  __shared__ int slot[threads / 2];
  if (threadIdx.x == 0) {
    init(&full, threads);
    init(&empty, threads);
  }
  __syncthreads();
  const int partner = threadIdx.x % (threads / 2);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x < threads / 2) {
      slot[partner] = partner * 10 + round;
      (void)full.arrive();
      empty.arrive_and_wait();
    } else {
      full.arrive_and_wait();
      sum += slot[partner];
      (void)empty.arrive();
    }
  }
  out[threadIdx.x] = sum;
}

// Thread t drops out after round t, so each phase expects one thread fewer.
__global__ void leave_one_by_one(int* arrived) {
  __shared__ block_barrier meeting;
  __shared__ int counts[64];
  counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) init(&meeting, blockDim.x);
  __syncthreads();
  for (int round = 0; round < static_cast<int>(threadIdx.x); ++round) {
    atomicAdd(&counts[round], 1);
    meeting.arrive_and_wait();
    if (counts[round] != 63 - round) atomicAdd(&arrived[round], 1000);
    meeting.arrive_and_wait();
  }
  if (threadIdx.x != 63) {
    meeting.arrive_and_drop();
    return;
  }
  for (int i = 0; i < 63; ++i) arrived[i] += counts[i];
}

struct count_phases {
  int* phases;
  __device__ void operator()() { *phases += 1; }
};

__global__ void complete(int* phases, int* seen) {
  __shared__ alignas(cuda::barrier<cuda::thread_scope_block, count_phases>) unsigned char
      memory[sizeof(cuda::barrier<cuda::thread_scope_block, count_phases>)];
  auto* meeting = reinterpret_cast<cuda::barrier<cuda::thread_scope_block, count_phases>*>(memory);
  if (threadIdx.x == 0) init(meeting, blockDim.x, count_phases{phases});
  __syncthreads();
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    auto token = meeting->arrive();
    meeting->wait(static_cast<decltype(token)&&>(token));
    wrong += *static_cast<volatile int*>(phases) < round + 1;
  }
  seen[threadIdx.x] = wrong;
}

// The phase ends when all threads and all bytes have arrived.
__global__ void copy_with_bytes(const int4* from, int4* out) {
  __shared__ alignas(16) int4 staged[64];
  __shared__ block_barrier arrived;
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(staged, from + round * 64,
                                    cuda::aligned_size_t<16>(sizeof(staged)), arrived);
      token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof(staged));
    } else {
      token = arrived.arrive(1);
    }
    arrived.wait(static_cast<block_barrier::arrival_token&&>(token));
    if (threadIdx.x < 64) out[round * 64 + threadIdx.x] = staged[63 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void copy_with_group(const char* from, char* out, int bytes) {
  __shared__ char staged[500];
  __shared__ block_barrier arrived;
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, staged, from, bytes, arrived);
  arrived.arrive_and_wait();
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = staged[bytes - 1 - i];
  arrived.arrive_and_wait();
  if (threadIdx.x == 5) cuda::memcpy_async(staged, from, 8, arrived);
  arrived.arrive_and_wait();
  if (threadIdx.x == 7) out[bytes] = staged[7];
}

using grid_barrier = cuda::barrier<cuda::thread_scope_device>;

// Threads of several blocks meet at a barrier in global memory.
__global__ void prepare(grid_barrier* meeting, int expected) { init(meeting, expected); }
__global__ void meet_across_blocks(grid_barrier* meeting, int* counter, int* wrong) {
  for (int round = 1; round <= rounds; ++round) {
    atomicAdd(counter, 1);
    meeting->arrive_and_wait();
    if (atomicAdd(counter, 0) != round * static_cast<int>(gridDim.x * blockDim.x)) {
      atomicAdd(wrong, 1);
    }
    meeting->arrive_and_wait();
  }
}

using tickets = cuda::counting_semaphore<cuda::thread_scope_device, 3>;
__device__ tickets entrances(3);

// At most three threads are inside at a time.
__global__ void enter_and_leave(int* inside, int* most, int* entered) {
  for (int round = 0; round < 3; ++round) {
    entrances.acquire();
    atomicMax(most, atomicAdd(inside, 1) + 1);
    atomicAdd(entered, 1);
    atomicSub(inside, 1);
    entrances.release();
  }
}

__global__ void count_down(int* seen) {
  __shared__ alignas(cuda::latch<cuda::thread_scope_block>) unsigned char
      memory[sizeof(cuda::latch<cuda::thread_scope_block>)];
  __shared__ int written[threads];
  auto* gate = reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(memory);
  if (threadIdx.x == 0) new (gate) cuda::latch<cuda::thread_scope_block>(threads / 2);
  __syncthreads();
  if (threadIdx.x < threads / 2) {
    written[threadIdx.x] = threadIdx.x + 5;
    gate->count_down();
    seen[threadIdx.x] = 0;
  } else {
    gate->wait();
    seen[threadIdx.x] = written[threadIdx.x - threads / 2];
  }
}

}  // namespace

int main() {
  std::vector<int> want;
  device_array<int> rotated(threads, -1);
  rotate<<<1, threads>>>(rotated.get());
  finish_kernels("rotate");
  for (int i = 0; i < threads; ++i) want.push_back((i + rounds * 33) % threads + rounds);
  expect_equal("a barrier holds every thread back until all have arrived", rotated.read(), want);

  device_array<int> sums(threads, -1);
  produce_and_consume<<<1, threads>>>(sums.get());
  finish_kernels("produce_and_consume");
  want.assign(threads, 0);
  for (int i = 0; i < threads / 2; ++i) {
    want[i + threads / 2] = rounds * i * 10 + rounds * (rounds - 1) / 2;
  }
  expect_equal("producers arrive without waiting", sums.read(), want);

  device_array<int> arrived(64, 0);
  leave_one_by_one<<<1, 64>>>(arrived.get());
  finish_kernels("leave_one_by_one");
  want.clear();
  for (int round = 0; round < 64; ++round) want.push_back(round < 63 ? 63 - round : 0);
  expect_equal("threads that drop out are no longer expected", arrived.read(), want);

  device_array<int> phases(1, 0), late(threads, -1);
  complete<<<1, threads>>>(phases.get(), late.get());
  finish_kernels("complete");
  expect_value("the completion function runs once a phase", phases.read()[0], rounds);
  expect_equal("nobody gets on before the completion function", late.read(),
               std::vector<int>(threads, 0));

  std::vector<int4> source(128), reversed(128);
  for (int i = 0; i < 128; ++i) source[i] = make_int4(i, 2 * i, 3 * i, -i);
  for (int i = 0; i < 128; ++i) reversed[i] = source[i / 64 * 64 + 63 - i % 64];
  device_array<int4> on_device(source), staged(128, make_int4(0, 0, 0, 0));
  copy_with_bytes<<<1, threads>>>(on_device.get(), staged.get());
  finish_kernels("copy_with_bytes");
  expect_equal("a barrier waits for the bytes of bulk copies", staged.read(), reversed);

  for (const int bytes : {8, 17, 96, 499}) {
    std::vector<char> text(bytes), expected;
    for (int i = 0; i < bytes; ++i) text[i] = static_cast<char>(i * 11 + 3);
    expected.assign(text.rbegin(), text.rend());
    expected.push_back(text[7]);
    device_array<char> from(text), out(bytes + 1, '?');
    copy_with_group<<<1, threads>>>(from.get(), out.get(), bytes);
    finish_kernels("copy_with_group");
    expect_equal("a group copies " + std::to_string(bytes) + " bytes asynchronously", out.read(),
                 expected);
  }

  device_array<unsigned char> memory(sizeof(grid_barrier) + 16, static_cast<unsigned char>(0));
  grid_barrier* meeting = reinterpret_cast<grid_barrier*>(memory.get());
  device_array<int> counter(1, 0), wrong(1, 0);
  prepare<<<1, 1>>>(meeting, 3 * 64);
  meet_across_blocks<<<3, 64>>>(meeting, counter.get(), wrong.get());
  finish_kernels("meet_across_blocks");
  expect_value("blocks meet at a barrier in global memory", wrong.read()[0], 0);
  expect_value("all rounds were counted", counter.read()[0], rounds * 3 * 64);

  device_array<int> inside(1, 0), most(1, 0), entered(1, 0);
  enter_and_leave<<<2, 64>>>(inside.get(), most.get(), entered.get());
  finish_kernels("enter_and_leave");
  expect("a semaphore admits no more than it has permits",
         most.read()[0] >= 1 && most.read()[0] <= 3, std::to_string(most.read()[0]) + " inside");
  expect_value("a semaphore admits everybody in the end", entered.read()[0], 2 * 64 * 3);

  device_array<int> seen(threads, -1);
  count_down<<<1, threads>>>(seen.get());
  finish_kernels("count_down");
  want.assign(threads, 0);
  for (int i = 0; i < threads / 2; ++i) want[i + threads / 2] = i + 5;
  expect_equal("a latch opens when it is counted down", seen.read(), want);
  return report();
}
