// The features of an architecture that a kernel can query at compile time.
#pragma once

namespace heddle {

// An architecture is ten times its compute capability: 75 is Turing, 80 Ampere, 90 Hopper.
// Architectures before Turing are not supported.
inline constexpr int oldest_architecture = 75;

// Features that only some architectures have, and by which the library selects code.
enum class feature {
  warp_reduction,     // reduces 32-bit integers of a warp in one instruction: redux.sync
  asynchronous_copy,  // copies from global to shared memory, bypassing registers: cp.async
  bulk_copy,          // the same for whole ranges, started by one thread: cp.async.bulk
  cluster,            // blocks can access each other's shared memory
  early_start,        // a kernel starts before the previous one in the stream has finished
  wide_atomic,        // 16-byte compare-and-swap and exchange
  vector_atomic,      // atomic additions to two or four floats at once
};

// The first architecture with the feature; all later ones have it, too.
template <feature wanted>
inline constexpr int first_architecture_with = 90;
template <>
inline constexpr int first_architecture_with<feature::warp_reduction> = 80;
template <>
inline constexpr int first_architecture_with<feature::asynchronous_copy> = 80;

// The architecture that this compilation pass targets; 0 in the host pass of a GPU build. It
// differs between the passes of a build, so use it only in the bodies of device functions: whatever
// host code can see (which kernels exist, their parameters) must not depend on it.
#ifdef __CUDA_ARCH__
inline constexpr int compiled_architecture = __CUDA_ARCH__ / 10;
#else
inline constexpr int compiled_architecture = 0;
#endif

// True if the code being compiled may use the feature:
//   if constexpr (has_feature<feature::warp_reduction>) { … } else { … }
template <feature wanted>
inline constexpr bool has_feature = compiled_architecture >= first_architecture_with<wanted>;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
#error "heddle needs Turing or later: compile for sm_75 or above"
#endif

}  // namespace heddle
