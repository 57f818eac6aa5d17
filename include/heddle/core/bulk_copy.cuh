// Copies that run by themselves from global to shared memory, and the barriers that say when they
// have come.
#pragma once
#include <heddle/core/config.cuh>
#include <heddle/core/features.cuh>

#include <cuda/ptx>

#include <cstdint>

namespace heddle {

// Addresses and sizes of bulk copies are multiples of so many bytes.
inline constexpr int bulk_bytes = 16;

// They are fastest where memory and shared memory lie alike: as far behind a boundary of so many
// bytes. On an H200 others do not reach memory's speed.
inline constexpr int bulk_line_bytes = 128;

// Shared memory for copies, as the element of an array of unknown bound: it begins at such a line.
struct alignas(bulk_line_bytes) bulk_line {
  unsigned char bytes[bulk_line_bytes];
};

// A barrier in shared memory that threads arrive at without waiting, and that others wait for. Only
// code with feature::bulk_copy may call its functions: elsewhere they end the kernel.
//
// It passes when `arrivals` threads have arrived and all bytes that it was told to expect have
// come, and starts anew. Passes are told apart by their parity: the first has 0, the next 1, then 0
// again; so a waiting thread may not lag behind by more than one.
class shared_barrier {
 public:
  //   called by   one thread, which then calls order_prepared_barriers(); all other calls come
  //               after a __syncthreads() behind that
  __device__ void prepare(int arrivals) {
    if constexpr (has_feature<feature::bulk_copy>) {
      cuda::ptx::mbarrier_init(&state_, static_cast<std::uint32_t>(arrivals));
    } else {
      __trap();
    }
  }

  // What the caller has written before is seen by those who wait.
  __device__ void arrive() {
    if constexpr (has_feature<feature::bulk_copy>) {
      cuda::ptx::mbarrier_arrive(&state_);
    } else {
      __trap();
    }
  }

  // Has the current pass wait for bytes of bulk copies, too.
  //   called by   a thread that has yet to arrive
  __device__ void expect(int bytes) {
    if constexpr (has_feature<feature::bulk_copy>) {
      cuda::ptx::mbarrier_expect_tx(cuda::ptx::sem_relaxed, cuda::ptx::scope_cta,
                                    cuda::ptx::space_shared, &state_,
                                    static_cast<std::uint32_t>(bytes));
    } else {
      __trap();
    }
  }

  // True if the pass of that parity is over; returns at once.
  [[nodiscard]] __device__ bool has_passed(std::uint32_t parity) {
    if constexpr (has_feature<feature::bulk_copy>) {
      return cuda::ptx::mbarrier_test_wait_parity(&state_, parity);
    } else {
      __trap();
      return false;
    }
  }

  // Returns when the pass of that parity is over.
  __device__ void wait(std::uint32_t parity) {
    if constexpr (has_feature<feature::bulk_copy>) {
      while (!cuda::ptx::mbarrier_try_wait_parity(&state_, parity)) {
      }
    } else {
      __trap();
    }
  }

 private:
  friend __device__ void bulk_load(void*, const void*, int, shared_barrier&);
  std::uint64_t state_;
};

// Lets bulk copies know the barriers that the caller has prepared.
__device__ inline void order_prepared_barriers() {
  if constexpr (has_feature<feature::bulk_copy>) {
    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
  }
}

// Starts a copy from global memory to shared memory, whose bytes count for `arrived`.
//   called by   one thread
//   to, from    aligned to 16, `bytes` a multiple of 16
__device__ inline void bulk_load(void* to, const void* from, int bytes, shared_barrier& arrived) {
  HEDDLE_EXPECTS((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) |
                  static_cast<std::uintptr_t>(bytes)) %
                         bulk_bytes ==
                     0,
                 "bulk_load needs addresses and a size that are multiples of 16");
  if constexpr (has_feature<feature::bulk_copy>) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, to, from,
                             static_cast<std::uint32_t>(bytes), &arrived.state_);
  } else {
    __trap();
  }
}

// Orders what the caller has stored in shared memory before bulk copies to the same memory, which
// another thread starts after the two have met.
__device__ inline void order_before_bulk_copies() {
  if constexpr (has_feature<feature::bulk_copy>) {
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
}

}  // namespace heddle
