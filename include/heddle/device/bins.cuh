// Which bin of a histogram a value belongs to: bins of equal width, or bins between given edges.
#pragma once
#include <heddle/core/error.hpp>
#include <heddle/core/operators.cuh>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace heddle::device {

// The most bins a histogram may have.
inline constexpr std::int64_t most_bins = std::int64_t{1} << 30;

// `count` bins of equal width that together cover lower <= value < upper. Other values, and NaN,
// have no bin. A value's bin is
//   of integers with integers as bounds   floor((value - lower) * count / (upper - lower)), exactly
//   else    min(int((value - lower) * scale), count - 1) with scale = count / (upper - lower), in
//           float, or in double for values that are double or integers of 32 or more bits. Bounds
//           are converted to that type; scale is computed in double and rounded once. Each
//           operation rounds, so a value within a few roundings of an edge may land on the other
//           side, but on the same side on every device
// Bounds may exceed the range of the values' type: bytes are {0, 256, count}.
template <typename Bound>
struct even_bins {
  Bound lower;
  Bound upper;
  std::int64_t count;
};

// `count` bins between count + 1 non-decreasing edges in device memory: bin i holds edges[i] <=
// value < edges[i + 1]. Values below the first edge, at or above the last one, and NaN have no bin.
// Integers are compared with integers exactly, everything else in the wider type.
template <typename Edge>
struct bin_edges {
  const Edge* edges;
  std::int64_t count;
};

namespace detail {

// A map is an object that is passed to the device by value:
//   int operator()(value)           the value's bin, or a negative number for none
//   std::size_t table_bytes()       size of its lookup table; 0: none
//   map with_table<value>(std::byte*)   copies the table to shared memory, called by all threads of
//                                       a block; the returned map reads it there, after a barrier
struct map_without_table {
  [[nodiscard]] __host__ __device__ std::size_t table_bytes() const { return 0; }
};

template <typename Real>
struct floating_map : map_without_table {
  Real lower;
  Real upper;
  Real scale;
  int last;

  template <typename Value>
  __device__ int operator()(const Value& value) const {
    const auto number = static_cast<Real>(value);
    const bool is_inside = number >= lower && number < upper;
    // Branch-free: values outside are treated like the lower bound.
    const int bin = static_cast<int>(((is_inside ? number : lower) - lower) * scale);
    const int inside = bin < last ? bin : last;
    return is_inside ? inside : -1;
  }
  template <typename Value>
  __device__ floating_map with_table(std::byte*) const {
    return *this;
  }
};

// Computes floor(distance * count / range). The whole part of count / range is multiplied directly,
// the rest as a binary fraction with twice the bits of Word, rounded up. This is exact for
// distances below `range`: the fraction is too large by less than one unit in its last place, so
// the product is too large by less than 1 / range.
template <typename Word>
struct exact_scale {
  static constexpr bool is_wide = sizeof(Word) == 8;
  std::uint32_t whole = 0;
  std::uint64_t high = 0;
  std::uint64_t low = 0;  // for wide words only

  exact_scale() = default;
  exact_scale(std::uint64_t range, std::uint64_t count) {
    whole = static_cast<std::uint32_t>(count / range);
    std::uint64_t rest = count % range;
    high = next_bits(rest, range);
    if constexpr (is_wide) {
      low = next_bits(rest, range);
      if (rest != 0 && ++low == 0) ++high;
    } else {
      if (rest != 0) ++high;
    }
  }

  [[nodiscard]] __device__ int operator()(Word distance) const {
    if constexpr (is_wide) {
      const std::uint64_t carried = __umul64hi(distance, low);
      const std::uint64_t middle = distance * high + carried;
      const std::uint64_t part = __umul64hi(distance, high) + (middle < carried ? 1 : 0);
      return static_cast<int>(distance * whole + part);
    } else {
      const std::uint64_t lower = std::uint64_t{distance} * static_cast<std::uint32_t>(high);
      const std::uint64_t upper = std::uint64_t{distance} * static_cast<std::uint32_t>(high >> 32);
      return static_cast<int>(distance * whole +
                              static_cast<std::uint32_t>((upper + (lower >> 32)) >> 32));
    }
  }

 private:
  // The next 64 bits of rest / range after the binary point; updates `rest`.
  static std::uint64_t next_bits(std::uint64_t& rest, std::uint64_t range) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; ++i) {
      const bool overflows = rest >> 63 != 0;
      rest <<= 1;
      const bool is_one = overflows || rest >= range;
      if (is_one) rest -= range;
      bits = bits << 1 | (is_one ? 1 : 0);
    }
    return bits;
  }
};

template <typename Word>
struct integer_map : map_without_table {
  Word first;   // the smallest value that has a bin
  Word span;    // from there to the largest one
  Word offset;  // from the lower bound to the first
  exact_scale<Word> scale;

  template <typename Value>
  __device__ int operator()(const Value& value) const {
    const Word distance = static_cast<Word>(value) - first;
    return distance > span ? -1 : scale(distance + offset);
  }
  template <typename Value>
  __device__ integer_map with_table(std::byte*) const {
    return *this;
  }
};

inline void check_bin_count(std::int64_t count, source_location where) {
  if (count < 1 || count > most_bins) {
    throw error(cudaErrorInvalidValue, "a histogram has 1 to 2^30 bins", where);
  }
}

template <typename Element, typename Bound>
inline constexpr bool is_counted_exactly =
    std::is_integral_v<Element>&& std::is_integral_v<Bound> && !std::is_same_v<Element, bool>;

// The type in which the bins of all other values are computed.
template <typename Element>
using bin_arithmetic = std::conditional_t<std::is_same_v<Element, double> ||
                                              (std::is_integral_v<Element> && sizeof(Element) >= 4),
                                          double, float>;

template <typename Element, typename Bound>
[[nodiscard]] auto floating_map_for(const even_bins<Bound>& bins, source_location where) {
  using real = bin_arithmetic<Element>;
  floating_map<real> map;
  map.lower = static_cast<real>(bins.lower);
  map.upper = static_cast<real>(bins.upper);
  const double width = static_cast<double>(map.upper) - static_cast<double>(map.lower);
  map.scale = static_cast<real>(static_cast<double>(bins.count) / width);
  map.last = static_cast<int>(bins.count - 1);
  if (!(map.lower < map.upper) || !std::isfinite(map.upper - map.lower) ||
      !std::isfinite(map.scale)) {
    throw error(cudaErrorInvalidValue,
                "bins need a lower bound below the upper one, both finite and neither too near nor "
                "too far from each other",
                where);
  }
  return map;
}

// The map, and whether any value of type Element can be in a bin.
template <typename Element, typename Bound>
[[nodiscard]] auto integer_map_for(const even_bins<Bound>& bins, source_location where) {
  using word = std::conditional_t<sizeof(Element) == 8, std::uint64_t, std::uint32_t>;
  using number = std::conditional_t<sizeof(Element) == 8, Element, std::int64_t>;
  if (!(bins.lower < bins.upper)) {
    throw error(cudaErrorInvalidValue, "bins need a lower bound below the upper one", where);
  }
  const bool fits = std::in_range<number>(bins.lower) && std::in_range<number>(bins.upper) &&
                    (sizeof(Element) == 8 || static_cast<std::uint64_t>(bins.upper) -
                                                     static_cast<std::uint64_t>(bins.lower) <=
                                                 std::uint64_t{1} << 32);
  if (!fits) {
    throw error(cudaErrorInvalidValue,
                "bins of integers span at most 2^32 numbers, of 64-bit integers those of their "
                "type",
                where);
  }
  const auto lower = static_cast<number>(bins.lower), upper = static_cast<number>(bins.upper);
  const auto first = std::max<number>(lower, std::numeric_limits<Element>::lowest());
  const auto last = std::min<number>(upper - 1, std::numeric_limits<Element>::max());
  integer_map<word> map;
  map.first = static_cast<word>(first);
  map.span = static_cast<word>(last) - static_cast<word>(first);
  map.offset = static_cast<word>(first) - static_cast<word>(lower);
  map.scale =
      exact_scale<word>(static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower),
                        static_cast<std::uint64_t>(bins.count));
  return std::pair{map, first <= last};
}

}  // namespace detail

}  // namespace heddle::device
