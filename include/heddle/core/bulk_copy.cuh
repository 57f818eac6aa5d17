// Asynchronous bulk copies from global to shared memory, and the barriers that track them.
#pragma once
#include <heddle/core/config.cuh>
#include <heddle/core/features.cuh>

#include <cuda/ptx>

#include <cstdint>

namespace heddle {

// Addresses and sizes of bulk copies must be multiples of this many bytes.
inline constexpr int bulk_bytes = 16;

// Bulk copies are fastest if source and destination have the same offset from a boundary of this
// many bytes. On an H200, other copies do not reach full memory bandwidth.
inline constexpr int bulk_line_bytes = 128;

// The element type of a shared array of unknown bound that bulk copies write to: it aligns the
// array to such a boundary.
struct alignas(bulk_line_bytes) bulk_line {
  unsigned char bytes[bulk_line_bytes];
};

// A barrier in shared memory. Threads arrive without waiting; others wait for it. Only code with
// feature::bulk_copy may call its functions; in other code they trap.
//
// A phase completes when `arrivals` threads have arrived and all expected bytes have been copied;
// then the next phase begins. Phases are identified by parity: 0 for the first, 1 for the next,
// then 0 again. So a waiting thread must not fall more than one phase behind.
class shared_barrier {
 public:
  //   called by   one thread, which then calls order_prepared_barriers(); a __syncthreads() follows
  //               before any other call
  __device__ void prepare(int arrivals) {
    if constexpr (has_feature<feature::bulk_copy>) {
      cuda::ptx::mbarrier_init(&state_, static_cast<std::uint32_t>(arrivals));
    } else {
      __trap();
    }
  }

  // Arrives without waiting. Threads that wait for this phase see the caller's earlier writes.
  __device__ void arrive() {
    if constexpr (has_feature<feature::bulk_copy>) {
      cuda::ptx::mbarrier_arrive(&state_);
    } else {
      __trap();
    }
  }

  // Makes the current phase also wait for this many bytes of bulk copies.
  //   called by   a thread that has not yet arrived in this phase
  __device__ void expect(int bytes) {
    if constexpr (has_feature<feature::bulk_copy>) {
      cuda::ptx::mbarrier_expect_tx(cuda::ptx::sem_relaxed, cuda::ptx::scope_cta,
                                    cuda::ptx::space_shared, &state_,
                                    static_cast<std::uint32_t>(bytes));
    } else {
      __trap();
    }
  }

  // True if the phase of that parity has completed. Does not wait.
  [[nodiscard]] __device__ bool has_passed(std::uint32_t parity) {
    if constexpr (has_feature<feature::bulk_copy>) {
      return cuda::ptx::mbarrier_test_wait_parity(&state_, parity);
    } else {
      __trap();
      return false;
    }
  }

  // Waits until the phase of that parity has completed.
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

// Makes the barriers that the caller has prepared visible to bulk copies.
__device__ inline void order_prepared_barriers() {
  if constexpr (has_feature<feature::bulk_copy>) {
    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
  }
}

// Starts a copy from global to shared memory. Its bytes count towards those `arrived` expects.
//   called by   one thread
//   to, from    aligned to 16 bytes; `bytes` is a multiple of 16
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

// Orders the caller's stores to shared memory before later bulk copies to the same memory. Another
// thread may start those copies after the two have synchronised.
__device__ inline void order_before_bulk_copies() {
  if constexpr (has_feature<feature::bulk_copy>) {
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
}

}  // namespace heddle
