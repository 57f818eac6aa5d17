// Every lane makes progress: locks, flags and handshakes between lanes, warps and blocks.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void retry_lock(int* lock, unsigned* counter, unsigned* order) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      const unsigned seen = *static_cast<volatile unsigned*>(counter);
      order[seen] = rank_in_grid();
      *static_cast<volatile unsigned*>(counter) = seen + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

static unsigned long long sum_of(const std::vector<unsigned>& values) {
  unsigned long long sum = 0;
  for (const unsigned value : values) sum += value;
  return sum;
}

CASE(lock_with_retry_in_one_warp) {
  const buffer<int> lock(1, 0);
  const buffer<unsigned> counter(1, 0), order(32);
  retry_lock<<<1, 32>>>(lock, counter, order);
  show("count", counter);
  std::printf("sum of ranks: %llu\n", sum_of(order.read()));
}

CASE(lock_with_retry_over_blocks) {
  const buffer<int> lock(1, 0);
  const buffer<unsigned> counter(1, 0), order(16 * 64);
  retry_lock<<<16, 64>>>(lock, counter, order);
  show("count", counter);
  std::printf("sum of ranks: %llu\n", sum_of(order.read()));
}

__global__ void spin_lock(int* lock, unsigned* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile unsigned* const shared_counter = counter;
  *shared_counter = *shared_counter + threadIdx.x + 1;
  __threadfence();
  atomicExch(lock, 0);
}

CASE(spin_lock_inside_a_warp) {
  const buffer<int> lock(1, 0);
  const buffer<unsigned> counter(1, 0);
  spin_lock<<<1, 64>>>(lock, counter);
  show("counter", counter);
}

__global__ void ticket_lock(unsigned* next, unsigned* serving, unsigned* order) {
  const unsigned ticket = atomicAdd(next, 1);
  while (atomicAdd(serving, 0) != ticket) __nanosleep(20);
  order[ticket] = ticket * 3 + blockDim.x;
  __threadfence();
  atomicAdd(serving, 1);
}

CASE(ticket_lock_serves_everyone) {
  const buffer<unsigned> next(1, 0), serving(1, 0), order(96);
  ticket_lock<<<1, 96>>>(next, serving, order);
  show("order", order);
  show("served", serving);
}

__global__ void lanes_hand_over(unsigned* results) {
  // within a warp, lane k waits for the volatile flag that lane k-1 sets
  __shared__ volatile unsigned flags[33];
  __shared__ volatile unsigned payload[33];
  if (lane_id() == 0) {
    for (int i = 0; i < 33; ++i) flags[i] = 0;
    payload[0] = 10 + blockIdx.x;
    __threadfence_block();
    flags[0] = 1;
  }
  __syncwarp();
  while (flags[lane_id()] == 0) {
  }
  __threadfence_block();
  const unsigned got = payload[lane_id()];
  payload[lane_id() + 1] = got * 3 + lane_id();
  __threadfence_block();
  flags[lane_id() + 1] = 1;
  results[rank_in_grid()] = got;
}

CASE(volatile_flags_pass_along_the_lanes) {
  const buffer<unsigned> results(2 * 32);
  lanes_hand_over<<<2, 32>>>(results);
  show("results", results);
}

__global__ void ping_pong(unsigned* results) {
  // lanes 3 and 20 of a warp take turns, a hundred times each
  __shared__ unsigned turn;
  __shared__ unsigned value;
  if (lane_id() == 0) {
    turn = 0;
    value = blockIdx.x;
  }
  __syncwarp();
  if (lane_id() == 3 || lane_id() == 20) {
    const unsigned parity = lane_id() == 20;
    for (unsigned round = 0; round < 100; ++round) {
      while (atomicAdd(&turn, 0) != 2 * round + parity) {
      }
      __threadfence_block();
      value = value * 5 + lane_id();
      __threadfence_block();
      atomicAdd(&turn, 1);
    }
  }
  __syncwarp();
  results[rank_in_grid()] = value + turn;
}

CASE(two_lanes_take_turns) {
  const buffer<unsigned> results(2 * 32);
  ping_pong<<<2, 32>>>(results);
  show("results", results);
}

__global__ void warps_take_turns(unsigned* results) {
  __shared__ volatile unsigned turn;
  __shared__ volatile unsigned value;
  if (threadIdx.x == 0) {
    turn = 0;
    value = 1 + blockIdx.x;
  }
  __syncthreads();
  for (unsigned round = 0; round < 20; ++round) {
    if (lane_id() == 0) {
      while (turn != round * 4 + warp_id()) __nanosleep(10);
      __threadfence_block();
      value = value * 3 + warp_id();
      __threadfence_block();
      turn = turn + 1;
    }
    __syncwarp();
  }
  __syncthreads();
  results[rank_in_grid()] = value;
}

CASE(warps_take_turns_by_volatile_flag) {
  const buffer<unsigned> results(2 * 128);
  warps_take_turns<<<2, 128>>>(results);
  show("results", results);
}

__global__ void look_back(unsigned* flags, unsigned* sums) {
  // each block waits for the one that started before it
  __shared__ unsigned place;
  if (threadIdx.x == 0) place = atomicAdd(&flags[gridDim.x], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned before = 0;
    if (place > 0) {
      while (atomicAdd(&flags[place - 1], 0) == 0) __nanosleep(50);
      __threadfence();
      before = *static_cast<volatile unsigned*>(&sums[place - 1]);
    }
    sums[place] = before + place * place + 1;
    __threadfence();
    atomicExch(&flags[place], 1u);
  }
}

CASE(blocks_look_back) {
  const buffer<unsigned> flags(201, 0), sums(200);
  look_back<<<200, 64>>>(flags, sums);
  show("running sums", sums);
}

__global__ void blocks_exchange(unsigned* turn, unsigned* value) {
  if (threadIdx.x == 0) {
    for (unsigned round = 0; round < 10; ++round) {
      while (*static_cast<volatile unsigned*>(turn) != round * gridDim.x + blockIdx.x) {
      }
      __threadfence();
      volatile unsigned* const carried = value;
      *carried = *carried * 7 + blockIdx.x;
      __threadfence();
      atomicAdd(turn, 1);
    }
  }
}

CASE(resident_blocks_take_turns) {
  const buffer<unsigned> turn(1, 0), value(1, 0);
  unsigned* turn_pointer = turn;
  unsigned* value_pointer = value;
  void* arguments[] = {&turn_pointer, &value_pointer};
  CHECKED(cudaLaunchCooperativeKernel((const void*)blocks_exchange, dim3(4), dim3(32), arguments, 0,
                                      nullptr));
  show("turn", turn);
  show("value", value);
}

__global__ void bounded_queue(unsigned* consumed) {
  // half of the lanes produce into a ring of four slots, the other half consume
  __shared__ volatile unsigned ring[4];
  __shared__ unsigned head, tail;
  __shared__ unsigned filled[4];
  if (threadIdx.x < 4) filled[threadIdx.x] = 0;
  if (threadIdx.x == 0) head = tail = 0;
  __syncthreads();
  for (unsigned round = 0; round < 4; ++round) {
    if (lane_id() % 2 == 0) {
      const unsigned slot = atomicAdd(&head, 1);
      while (atomicAdd(&filled[slot % 4], 0) != slot / 4 * 2) {
      }
      __threadfence_block();
      ring[slot % 4] = slot * slot + blockIdx.x;
      __threadfence_block();
      atomicAdd(&filled[slot % 4], 1);
    } else {
      const unsigned slot = atomicAdd(&tail, 1);
      while (atomicAdd(&filled[slot % 4], 0) != slot / 4 * 2 + 1) {
      }
      __threadfence_block();
      consumed[blockIdx.x * 128 + slot] = ring[slot % 4];
      __threadfence_block();
      atomicAdd(&filled[slot % 4], 1);
    }
  }
}

CASE(producers_and_consumers_share_a_ring) {
  const buffer<unsigned> consumed(2 * 128);
  bounded_queue<<<2, 64>>>(consumed);
  show("consumed", consumed);
}

__global__ void sleepers(unsigned* flag, unsigned* results) {
  if (lane_id() != 31) {
    unsigned pause = 8;
    while (atomicAdd(flag, 0) == 0) {
      __nanosleep(pause);
      pause = min(pause * 2, 256u);
    }
  } else {
    __nanosleep(1000);
    atomicExch(flag, 77u);
  }
  results[lane_id()] = atomicAdd(flag, 0) + lane_id();
}

CASE(sleeping_lanes_wake) {
  const buffer<unsigned> flag(1, 0), results(32);
  sleepers<<<1, 32>>>(flag, results);
  show("results", results);
}
