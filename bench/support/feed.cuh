// The value that a thread passes to a call. Each value depends on the last result, so that the
// compiler cannot drop, move or simplify any call.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace heddle_bench {

// Pseudo-random bits of the `index`-th thread, the same for every contender.
__host__ __device__ inline std::uint32_t thread_bits(int index) {
  std::uint32_t bits = static_cast<std::uint32_t>(index + 1) * 0x9e3779b9u;
  bits = (bits ^ bits >> 16) * 0x85ebca6bu;
  return bits ^ bits >> 13;
}

// Numbers: one instruction makes the next value from the last result. `size` is the number of
// threads that contribute to a result. Only every `heard`-th thread uses its result, for functions
// whose result is valid in some threads only.
template <typename T, int size = 32, int heard = 1>
struct number_feed {
  using value_type = T;

  __device__ explicit number_feed(int thread) {
    const bool is_heard = thread % heard == 0;
    if constexpr (std::is_integral_v<T>) {
      own_ = static_cast<T>(thread_bits(thread) & 0xffff);
      share_ = is_heard ? T{0x3ff} : T{0};
    } else {
      // Each round halves the result, so rounding errors do not grow from call to call.
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

  // Floating-point sums in a different order differ by rounding.
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
