// What a kernel knows of its architecture when it is compiled.
#pragma once

namespace heddle {

// An architecture is ten times its compute capability: 75 is Turing, 80 Ampere, 90 Hopper. Nothing
// before Turing is served.
inline constexpr int oldest_architecture = 75;

// What not every architecture has, and the code of this library chooses by.
enum class feature {
  warp_reduction,     // 32-bit integers of a warp are reduced in one instruction: redux.sync
  asynchronous_copy,  // from global to shared memory past the registers: cp.async
  bulk_copy,          // the same for whole ranges, by one thread: cp.async.bulk
  cluster,            // blocks that see each other's shared memory
  early_start,        // of a kernel, while the one before it in the stream still ends
  wide_atomic,        // compare-and-swap and exchange of 16 bytes
  vector_atomic,      // additions to two or four floats at once
};

// The first architecture that has it; all later ones do, too.
template <feature wanted>
inline constexpr int first_architecture_with = 90;
template <>
inline constexpr int first_architecture_with<feature::warp_reduction> = 80;
template <>
inline constexpr int first_architecture_with<feature::asynchronous_copy> = 80;

// The architecture that the code around is compiled for; 0 in host code of a GPU build. It has one
// value per architecture of a build, so ask it in the bodies of device functions only: what host
// code can see (which kernels there are, their parameters) must not depend on it.
#ifdef __CUDA_ARCH__
inline constexpr int compiled_architecture = __CUDA_ARCH__ / 10;
#else
inline constexpr int compiled_architecture = 0;
#endif

// True where the code around may use it:
//   if constexpr (has_feature<feature::warp_reduction>) { … } else { … }
template <feature wanted>
inline constexpr bool has_feature = compiled_architecture >= first_architecture_with<wanted>;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
#error "heddle needs Turing or later: compile for sm_75 or above"
#endif

}  // namespace heddle
