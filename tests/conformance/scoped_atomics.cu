// cuda::atomic and cuda::atomic_ref: operations, memory orders and scopes.
#include <cuda/atomic>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

template <cuda::thread_scope Scope>
__global__ void all_operations(int* cells) {
  const int mine = static_cast<int>(mix(rank_in_grid()) % 1000) - 300;
  cuda::atomic_ref<int, Scope>(cells[0]).fetch_add(mine);
  cuda::atomic_ref<int, Scope>(cells[1]).fetch_sub(mine, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, Scope>(cells[2]).fetch_max(mine, cuda::memory_order_acq_rel);
  cuda::atomic_ref<int, Scope>(cells[3]).fetch_min(mine, cuda::memory_order_release);
  cuda::atomic_ref<int, Scope>(cells[4]).fetch_or(1 << (mine & 15), cuda::memory_order_acquire);
  cuda::atomic_ref<int, Scope>(cells[5]).fetch_xor(mine, cuda::memory_order_seq_cst);
  cuda::atomic_ref<int, Scope>(cells[6]).fetch_and(~(1 << (mine & 7)));
}

CASE(atomic_ref_operations_at_every_scope) {
  const buffer<int> device(7, 0), system(7, 0), block(7, 0);
  all_operations<cuda::thread_scope_device><<<4, 96>>>(device);
  show("device", device);
  all_operations<cuda::thread_scope_system><<<4, 96>>>(system);
  show("system", system);
  all_operations<cuda::thread_scope_block><<<1, 96>>>(block);
  show("block", block);
}

template <typename T>
__global__ void typed_counters(T* cells) {
  cuda::atomic_ref<T, cuda::thread_scope_device> cell(cells[blockIdx.x % 3]);
  T seen = cell.load(cuda::memory_order_relaxed);
  while (!cell.compare_exchange_weak(seen, static_cast<T>(seen + static_cast<T>(threadIdx.x % 5)),
                                     cuda::memory_order_acq_rel, cuda::memory_order_relaxed)) {
  }
}

template <typename T>
void show_counters() {
  const buffer<T> cells(3, 0);
  typed_counters<T><<<6, 64>>>(cells);
  show("cells", cells);
}

CASE(compare_exchange_of_every_type) {
  show_counters<unsigned char>();
  show_counters<unsigned short>();
  show_counters<int>();
  show_counters<unsigned>();
  show_counters<long long>();
  show_counters<unsigned long long>();
  show_counters<float>();
  show_counters<double>();
}

struct shared_state {
  cuda::atomic<unsigned, cuda::thread_scope_device> counter;
  cuda::atomic<unsigned long long, cuda::thread_scope_device> sum;
  cuda::atomic<int> turn;
};

__global__ void construct(shared_state* state) { new (state) shared_state{{5u}, {0ull}, {0}}; }

__global__ void use_members(shared_state* state) {
  const unsigned place = state->counter++;
  state->sum += place;
  if (place % 2) --state->turn;
}

__global__ void read_state(shared_state* state, unsigned long long* results) {
  results[0] = state->counter;
  results[1] = state->sum.load();
  results[2] = static_cast<unsigned long long>(-state->turn.load(cuda::memory_order_relaxed));
  results[3] = state->counter.exchange(9u);
  unsigned wanted = 8;
  results[4] = state->counter.compare_exchange_strong(wanted, 10u);
  results[5] = wanted;
  results[6] = state->counter.compare_exchange_strong(wanted, 10u);
  results[7] = state->counter.load();
}

CASE(atomic_objects_in_a_structure) {
  const buffer<shared_state> state(1);
  const buffer<unsigned long long> results(8);
  construct<<<1, 1>>>(state);
  use_members<<<5, 64>>>(state);
  read_state<<<1, 1>>>(state, results);
  show("results", results);
}

__global__ void message_passing(unsigned* data, unsigned* flag, unsigned* wrong) {
  // block 0 publishes, the other blocks read: an acquire that sees the flag sees the data
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    for (unsigned round = 1; round <= 200; ++round) {
      if (threadIdx.x == 0) {
        data[round] = round * 7;
        ready.store(round, cuda::memory_order_release);
      }
    }
  } else if (threadIdx.x == 0) {
    unsigned seen = 0;
    while (seen < 200) {
      seen = ready.load(cuda::memory_order_acquire);
      for (unsigned round = 1; round <= seen; ++round)
        if (data[round] != round * 7) atomicAdd(wrong, 1u);
    }
  }
}

CASE(message_passing_by_release_and_acquire) {
  const buffer<unsigned> data(201, 0), flag(1, 0), wrong(1, 0);
  message_passing<<<3, 32>>>(data, flag, wrong);
  show("wrong", wrong);
  show("flag", flag);
}

__global__ void message_by_fence(unsigned* data, unsigned* flag, unsigned* wrong) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (unsigned i = 0; i < 100; ++i) data[i] = i * i + 1;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    for (unsigned i = 0; i < 100; ++i)
      if (data[i] != i * i + 1) atomicAdd(wrong, 1u);
  }
}

CASE(message_passing_by_fences) {
  const buffer<unsigned> data(100, 0), flag(1, 0), wrong(1, 0);
  message_by_fence<<<2, 32>>>(data, flag, wrong);
  show("wrong", wrong);
}

__global__ void store_buffering(unsigned rounds, unsigned* x, unsigned* y, unsigned* seen_x,
                                unsigned* seen_y) {
  // of two warps, each stores to its own place and loads the other's: at least one sees the store
  const unsigned lane = threadIdx.x % 32;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned at = round * 32 + lane;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> own(threadIdx.x < 32 ? x[at] : y[at]);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> other(threadIdx.x < 32 ? y[at] : x[at]);
    own.store(1);
    (threadIdx.x < 32 ? seen_y : seen_x)[at] = other.load();
  }
}

CASE(store_buffering_is_sequentially_consistent) {
  const unsigned rounds = 200;
  const buffer<unsigned> x(rounds * 32, 0), y(rounds * 32, 0), seen_x(rounds * 32),
      seen_y(rounds * 32);
  store_buffering<<<1, 64>>>(rounds, x, y, seen_x, seen_y);
  const std::vector<unsigned> from_x = seen_x.read(), from_y = seen_y.read();
  unsigned neither = 0;
  for (std::size_t i = 0; i < from_x.size(); ++i) neither += from_x[i] == 0 && from_y[i] == 0;
  std::printf("rounds in which neither saw the other: %u\n", neither);
}

__global__ void block_scope_in_shared(unsigned* results) {
  __shared__ unsigned counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> shared_counter(counter);
  shared_counter.fetch_add(mix(rank_in_grid()) % 10, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) results[blockIdx.x] = shared_counter.load();
}

CASE(block_scope_atomic_in_shared_memory) {
  const buffer<unsigned> results(10);
  block_scope_in_shared<<<10, 128>>>(results);
  show("counters", results);
}

__global__ void waiting(unsigned* flags, unsigned* results) {
  // lane k waits until lane k-1 has changed the flag of lane k
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> mine(flags[lane_id()]);
  if (lane_id() > 0) mine.wait(0u);
  const unsigned got = mine.load();
  results[lane_id()] = got;
  if (lane_id() < 31) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(flags[lane_id() + 1]);
    next.store(got * 2 + 1);
    next.notify_all();
  }
}

CASE(wait_and_notify_along_the_lanes) {
  const buffer<unsigned> flags(32, 0), results(32);
  waiting<<<1, 32>>>(flags, results);
  show("results", results);
}
