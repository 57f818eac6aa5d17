// Waiting that leaves the memory and the other warps alone.
//   strategy    pauses that double
//   needs       sm_75
#pragma once
#include <heddle/core/config.cuh>

#include <cstdint>

namespace heddle::sync {

// Pauses that double: the first ones for what is about to happen, the last ones for what takes its
// time. A loop that asks memory without pauses is in the way of the thread it waits for.
class backoff {
 public:
  // `longest` is the longest pause in nanoseconds.
  __device__ explicit backoff(unsigned longest = 2048) : longest_(longest) {}
  __device__ void pause() {
    __nanosleep(nanoseconds_);
    if (nanoseconds_ < longest_) nanoseconds_ *= 2;
  }
  __device__ void reset() { nanoseconds_ = shortest_; }

 private:
  static constexpr unsigned shortest_ = 32;
  unsigned longest_;
  unsigned nanoseconds_ = shortest_;
};

// A moment of the device's clock, from which on waiting is no longer worth it.
class deadline {
 public:
  // So many nanoseconds from now on; and whether that moment is there.
  __device__ explicit deadline(std::uint64_t nanoseconds) : moment_(now() + nanoseconds) {}
  [[nodiscard]] __device__ bool has_passed() const { return now() >= moment_; }

 private:
  __device__ static std::uint64_t now() {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  }
  std::uint64_t moment_;
};

}  // namespace heddle::sync
