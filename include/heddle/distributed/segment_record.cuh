// The record of consecutive elements in a segmented scan: what neighbouring parts need to continue
// it.
#pragma once
#include <heddle/device/iterators.cuh>
#include <heddle/device/segmented_scan.cuh>

#include <cstdint>

namespace heddle::distributed::detail {

// Describes the last segment among some elements. If keys define the segments, whether the first
// element begins one can only be decided next to the element before it.
template <typename T, typename Key>
struct segment_record {
  T value;
  Key first_key;
  Key last_key;
  std::uint32_t facts;  // 0: there is no element

  static constexpr std::uint32_t is_there = 1, has_begin = 2, has_keys = 4;
  [[nodiscard]] __host__ __device__ bool has(std::uint32_t fact) const {
    return (facts & fact) != 0;
  }
};

// For segments defined by flags: there is nothing to compare.
struct no_key {
  friend __host__ __device__ bool operator==(const no_key&, const no_key&) { return true; }
};

// Segments by flags: an element's own flag decides whether it begins one.
struct by_flags {
  using rule = device::detail::begins_at_mark;
  template <typename Mark>
  using key = no_key;
  template <typename Mark>
  [[nodiscard]] __device__ static bool begins_alone(const Mark& flag) {
    return static_cast<bool>(flag);
  }
  template <typename Mark>
  [[nodiscard]] __device__ static no_key key_of(const Mark&) {
    return {};
  }
  static constexpr std::uint32_t facts = 0;
};

// Segments by keys: an element begins one if its key differs from the key before it.
struct by_keys {
  using rule = device::detail::begins_at_change;
  template <typename Mark>
  using key = Mark;
  template <typename Mark>
  [[nodiscard]] __device__ static bool begins_alone(const Mark&) {
    return false;
  }
  template <typename Mark>
  [[nodiscard]] __device__ static Mark key_of(const Mark& key) {
    return key;
  }
  static constexpr std::uint32_t facts = 4;  // has_keys
};

// Joins neighbouring records. In exclusive scans `first_of_segment` comes before each segment.
template <typename T, typename Key, typename Op, bool is_exclusive>
struct join_segments {
  using record = segment_record<T, Key>;
  Op op;
  T first_of_segment;

  [[nodiscard]] __device__ record operator()(const record& a, const record& b) const {
    if (!a.has(record::is_there)) return b;
    if (!b.has(record::is_there)) return a;
    record both = b;
    if (a.has(record::has_keys)) both.first_key = a.first_key;
    if (!b.has(record::has_keys)) both.last_key = a.last_key;
    both.facts |= a.facts;
    if (b.has(record::has_begin)) return both;
    const bool is_compared = a.has(record::has_keys) && b.has(record::has_keys);
    if (!is_compared || a.last_key == b.first_key) {
      both.value = static_cast<T>(op(a.value, b.value));
    } else {
      if constexpr (is_exclusive) both.value = static_cast<T>(op(first_of_segment, b.value));
      both.facts |= record::has_begin;
    }
    return both;
  }
};

// The record of one element with its flag or key.
template <typename T, typename Marks, typename Segments, typename Op, bool is_exclusive>
struct record_of_element {
  using mark = device::element_of<Marks>;
  using record = segment_record<T, typename Segments::template key<mark>>;
  Op op;
  T first_of_segment;

  template <typename Element>
  [[nodiscard]] __device__ record operator()(const Element& element) const {
    const bool begins = Segments::begins_alone(element.second);
    auto value = static_cast<T>(element.first);
    if constexpr (is_exclusive) {
      if (begins) value = static_cast<T>(op(first_of_segment, value));
    }
    const auto key = Segments::key_of(element.second);
    return {value, key, key,
            record::is_there | Segments::facts | (begins ? record::has_begin : 0u)};
  }
};

}  // namespace heddle::distributed::detail
