// What a thread brings to a call, and how the next call's value depends on the last result, so that
// no call can be left out, moved or made cheaper.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace heddle_bench {

// Bits of the `index`-th thread that look random, the same in every contender.
__host__ __device__ inline std::uint32_t thread_bits(int index) {
  std::uint32_t bits = static_cast<std::uint32_t>(index + 1) * 0x9e3779b9u;
  bits = (bits ^ bits >> 16) * 0x85ebca6bu;
  return bits ^ bits >> 13;
}

// Numbers: the next value is made from the last result by one instruction. `size` is how many
// threads a result is made of; only every `heard`-th thread listens to its result, for functions
// whose result is in some threads only.
template <typename T, int size = 32, int heard = 1>
struct number_feed {
  using value_type = T;

  __device__ explicit number_feed(int thread) {
    const bool is_heard = thread % heard == 0;
    if constexpr (std::is_integral_v<T>) {
      own_ = static_cast<T>(thread_bits(thread) & 0xffff);
      share_ = is_heard ? T{0x3ff} : T{0};
    } else {
      // Rounds contract by half, so that roundings do not grow from call to call.
      own_ = static_cast<T>(thread_bits(thread) & 0xffff) / T{0x10000};
      share_ = is_heard ? T{0.5} / T{size} : T{0};
    }
  }
  __device__ T first() const { return own_; }
  __device__ T next(T result) const {
    if constexpr (std::is_integral_v<T>) {
      return own_ ^ (result & share_);
    } else {
      return own_ + share_ * result;
    }
  }

  // Sums of floating-point numbers in another order differ by roundings.
  static bool agree(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return a == b;
    } else {
      const T tolerance = static_cast<T>(sizeof(T) == 4 ? 1e-5 : 1e-13);
      return std::abs(a - b) <= tolerance * std::abs(a);
    }
  }

 private:
  T own_;
  T share_;
};

}  // namespace heddle_bench
