// The structs that the cases combine, and their feeds.
#pragma once
#include <heddle/core/operators.cuh>

#include <cstdint>

#include "support/feed.cuh"

namespace heddle_bench {

// A sensor reading: 16 bytes, with an operator that commutes.
struct summary {
  float sum;
  float smallest;
  float largest;
  std::uint32_t count;
};
struct join {
  __host__ __device__ summary operator()(const summary& a, const summary& b) const {
    return {a.sum + b.sum, fminf(a.smallest, b.smallest), fmaxf(a.largest, b.largest),
            a.count + b.count};
  }
};

// A map x -> scale * x + shift: 8 bytes, with composition as an operator that does not commute.
struct affine {
  float scale;
  float shift;
};
struct then {
  __host__ __device__ affine operator()(const affine& first, const affine& second) const {
    return {first.scale * second.scale, first.shift * second.scale + second.shift};
  }
};

template <int heard = 1>
struct summary_feed {
  using value_type = summary;
  number_feed<float, 32, heard> number;
  __device__ explicit summary_feed(int thread) : number(thread) {}
  __device__ summary of(float value) const { return {value, value, value, 1}; }
  __device__ summary first() const { return of(number.first()); }
  __device__ summary next(const summary& result) const {
    // Every member contributes to the next value, so that the compiler cannot drop one.
    return of(number.next(result.sum + result.smallest - result.largest +
                          static_cast<float>(result.count)));
  }
  static bool agree(const summary& a, const summary& b) {
    return number_feed<float>::agree(a.sum, b.sum) && a.count == b.count;
  }
};

template <int heard = 1>
struct affine_feed {
  using value_type = affine;
  number_feed<float, 32, heard> number;
  float scale;  // differs by thread: the compiler would not shuffle a uniform value
  __device__ explicit affine_feed(int thread)
      : number(thread), scale(0.25f + 0.5f * number.first()) {}
  __device__ affine of(float value) const { return {scale, value}; }
  __device__ affine first() const { return of(number.first()); }
  __device__ affine next(const affine& result) const {
    return of(number.next(result.shift + result.scale));
  }
  static bool agree(const affine& a, const affine& b) {
    return number_feed<float>::agree(a.shift, b.shift);
  }
};

}  // namespace heddle_bench

template <>
inline constexpr bool heddle::commutes<heddle_bench::join, heddle_bench::summary> = true;
