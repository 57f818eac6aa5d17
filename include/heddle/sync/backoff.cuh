// Waiting that leaves memory and the other warps alone.
//   strategy    pauses that double in length
//   needs       sm_75
#pragma once
#include <heddle/core/config.cuh>

#include <cstdint>

namespace heddle::sync {

// Pauses that double in length: short ones for what is about to happen, long ones for what takes a
// while. A loop that polls memory without pauses slows down the thread it waits for.
class backoff {
 public:
  // Pauses stop doubling once they last `longest` nanoseconds.
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

// A point on the device's clock after which waiting is no longer worthwhile.
class deadline {
 public:
  // A deadline that many nanoseconds from now, and whether it has passed.
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
