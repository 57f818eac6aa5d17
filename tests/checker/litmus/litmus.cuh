// Runs litmus tests many times and prints how often the weak outcome occurred.
#pragma once
#include <cuda/atomic>

#include <cstdio>
#include <vector>

// ---- how the players access memory: each way has a load, a store and a fence, which may be empty
struct by_volatile {
  static constexpr const char* name = "volatile";
  static __device__ int load(int* from) { return *static_cast<volatile int*>(from); }
  static __device__ void store(int* to, int value) { *static_cast<volatile int*>(to) = value; }
  static __device__ void fence() {}
};

template <cuda::thread_scope scope, cuda::memory_order load_order, cuda::memory_order store_order>
struct by_atomics {
  static __device__ int load(int* from) {
    return cuda::atomic_ref<int, scope>(*from).load(load_order);
  }
  static __device__ void store(int* to, int value) {
    cuda::atomic_ref<int, scope>(*to).store(value, store_order);
  }
  static __device__ void fence() {}
};

struct relaxed : by_atomics<cuda::thread_scope_device, cuda::memory_order_relaxed,
                            cuda::memory_order_relaxed> {
  static constexpr const char* name = "relaxed";
};
struct acquire_release : by_atomics<cuda::thread_scope_device, cuda::memory_order_acquire,
                                    cuda::memory_order_release> {
  static constexpr const char* name = "acquire_release";
};
struct sequential : by_atomics<cuda::thread_scope_device, cuda::memory_order_seq_cst,
                               cuda::memory_order_seq_cst> {
  static constexpr const char* name = "sequential";
};
struct acquire_release_in_block
    : by_atomics<cuda::thread_scope_block, cuda::memory_order_acquire, cuda::memory_order_release> {
  static constexpr const char* name = "acquire_release_in_block";
};

struct with_threadfence : by_volatile {
  static constexpr const char* name = "volatile_threadfence";
  static __device__ void fence() { __threadfence(); }
};
struct with_threadfence_block : by_volatile {
  static constexpr const char* name = "volatile_threadfence_block";
  static __device__ void fence() { __threadfence_block(); }
};
struct with_fence : relaxed {
  static constexpr const char* name = "relaxed_fence_acq_rel";
  static __device__ void fence() {
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
  }
};
struct with_sequential_fence : relaxed {
  static constexpr const char* name = "relaxed_fence_seq_cst";
  static __device__ void fence() {
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  }
};
// The same with inline PTX.
struct by_ptx {
  static constexpr const char* name = "ptx_relaxed";
  static __device__ int load(int* from) {
    int value;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
  }
  static __device__ void store(int* to, int value) {
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
  }
  static __device__ void fence() {}
};
struct by_ptx_with_fence : by_ptx {
  static constexpr const char* name = "ptx_fence_acq_rel";
  static __device__ void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
};
struct by_ptx_with_sequential_fence : by_ptx {
  static constexpr const char* name = "ptx_fence_sc";
  static __device__ void fence() { asm volatile("fence.sc.gpu;" ::: "memory"); }
};

// ---- a game: turn() is what each of `players` lanes does in a round; seen[] belongs to the player
struct board {
  int x, y, z;
  int seen[4][2];
};

enum class seats { blocks, warps, lanes };
constexpr int rounds = 40;

template <typename Game, typename Way>
__global__ void play(board* boards, seats where) {
  const unsigned player = where == seats::blocks  ? blockIdx.x
                          : where == seats::warps ? threadIdx.x / 32
                                                  : threadIdx.x;
  const bool is_seated = where == seats::lanes || threadIdx.x % 32 == 0;
  if (!is_seated || player >= Game::players) return;
  for (int round = 0; round < rounds; ++round) {
    Game::template turn<Way>(player, boards[round], boards[round].seen[player]);
  }
}

// What the PTX model says about the outcome, and whether the checker can show it.
enum class verdict { allowed, forbidden, allowed_but_not_shown };

template <typename Game, typename Way>
void judge(seats where, verdict says) {
  board* boards = nullptr;
  cudaMalloc(&boards, rounds * sizeof(board));
  cudaMemset(boards, 0, rounds * sizeof(board));
  const unsigned blocks = where == seats::blocks ? Game::players : 1;
  play<Game, Way><<<blocks, where == seats::warps ? 32 * Game::players : 32>>>(boards, where);
  std::vector<board> played(rounds);
  cudaMemcpy(played.data(), boards, rounds * sizeof(board), cudaMemcpyDeviceToHost);
  cudaFree(boards);
  int weak = 0;
  for (const board& one : played) weak += Game::is_weak(one);
  const char* const seat = where == seats::blocks  ? "blocks"
                           : where == seats::warps ? "warps"
                                                   : "lanes";
  std::printf("%s %s %s %s %d\n", Game::name, Way::name, seat,
              says == verdict::allowed     ? "allowed"
              : says == verdict::forbidden ? "forbidden"
                                           : "not_shown",
              weak);
}

template <typename Game, typename Way>
void judge_everywhere(verdict says) {
  judge<Game, Way>(seats::blocks, says);
  judge<Game, Way>(seats::warps, says);
  judge<Game, Way>(seats::lanes, says);
}
