// Inputs that are computed when read: counters, constants, mapped values, zipped ranges.
#pragma once
#include <heddle/core/config.cuh>
#include <heddle/core/operators.cuh>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace heddle::device {

// What device-wide algorithms read from: `input[i]`, with a 64-bit i, on the device. Pointers are
// read 16 bytes at a time, all other inputs element by element.
template <typename Input>
concept readable = std::copy_constructible<Input> && requires(const Input& input, std::int64_t i) {
  input[i];
};

// The element type of an input.
template <readable Input>
using element_of = std::remove_cvref_t<decltype(std::declval<const Input&>()[std::int64_t{0}])>;

// The type of an output's elements.
template <typename Output>
using result_of = std::remove_cvref_t<decltype(std::declval<const Output&>()[std::int64_t{0}])>;

// first, first + 1, …
template <std::integral T = std::int64_t>
struct counting {
  T first = 0;
  __host__ __device__ constexpr T operator[](std::int64_t i) const {
    return static_cast<T>(first + static_cast<T>(i));
  }
  [[nodiscard]] __host__ __device__ constexpr counting operator+(std::int64_t distance) const {
    return {(*this)[distance]};
  }
};
template <std::integral T>
counting(T) -> counting<T>;

// The same value everywhere.
template <typename T>
struct constant {
  T value;
  __host__ __device__ constexpr T operator[](std::int64_t) const { return value; }
  [[nodiscard]] __host__ __device__ constexpr constant operator+(std::int64_t) const {
    return *this;
  }
};
template <typename T>
constant(T) -> constant<T>;

// map(input[i]).
template <readable Input, typename Map>
struct transformed {
  Input input;
  Map map;
  __host__ __device__ constexpr auto operator[](std::int64_t i) const { return map(input[i]); }
  [[nodiscard]] __host__ __device__ constexpr transformed operator+(std::int64_t distance) const {
    return {input + distance, map};
  }
};
template <readable Input, typename Map>
transformed(Input, Map) -> transformed<Input, Map>;

namespace detail {

template <typename To>
struct convert_to {
  template <typename From>
  __host__ __device__ constexpr To operator()(const From& value) const {
    return static_cast<To>(static_cast<accumulator<From>>(value));
  }
};

// The type in which op combines the elements of an input for an output, apart from short floats.
template <typename Input, typename Op, typename Output>
using combined_type = summed_as<element_of<Input>, Op, result_of<Output>>;

// The input as elements of that type.
template <typename Op, typename Output, readable Input>
[[nodiscard]] auto as_combined(const Input& input) {
  using wanted = combined_type<Input, Op, Output>;
  if constexpr (std::is_same_v<wanted, element_of<Input>>) {
    return input;
  } else {
    return transformed<Input, convert_to<wanted>>{input, {}};
  }
}

}  // namespace detail

// The elements at the same place of two ranges.
template <typename First, typename Second>
struct pair {
  First first;
  Second second;
};

// {first[i], second[i]}; for more than two ranges, zip a zip.
template <readable First, readable Second>
struct zipped {
  First first;
  Second second;
  __host__ __device__ constexpr pair<element_of<First>, element_of<Second>> operator[](
      std::int64_t i) const {
    return {first[i], second[i]};
  }
  [[nodiscard]] __host__ __device__ constexpr zipped operator+(std::int64_t distance) const {
    return {first + distance, second + distance};
  }
};
template <readable First, readable Second>
zipped(First, Second) -> zipped<First, Second>;

}  // namespace heddle::device
