// Divides the bits of a key into digits, and decides on the device which passes a sort needs.
#pragma once
#include <heddle/core/lane.cuh>

#include <algorithm>
#include <cstdint>

namespace heddle::device::detail {

inline constexpr int digit_bits = 8;
inline constexpr int digit_values = 1 << digit_bits;
inline constexpr int most_passes = 8;  // for keys of 64 bits

// A digit of a code: the bits that one pass sorts by.
struct key_digit {
  int shift;
  std::uint32_t mask;  // 0: the same digit for all keys

  template <typename Word>
  [[nodiscard]] __device__ std::uint32_t of(Word code) const {
    return static_cast<std::uint32_t>(code >> shift) & mask;
  }
};

// The digits of the bits [begin, end), lowest first. A digit past the end is empty.
struct key_digits {
  int begin;
  int end;
  int passes;

  [[nodiscard]] __host__ __device__ key_digit operator[](int pass) const {
    const int shift = begin + pass * digit_bits;
    if (shift >= end) return {0, 0};
    return {shift, end - shift >= digit_bits ? digit_values - 1u : (1u << (end - shift)) - 1};
  }
};

// A sort in place makes an even number of passes, because a pass cannot write to what it reads.
[[nodiscard]] inline key_digits divide_key(int begin, int end, bool is_in_place) {
  const int passes = std::max((end - begin + digit_bits - 1) / digit_bits, 1);
  return {begin, end, is_in_place ? (passes + 1) / 2 * 2 : passes};
}

// The arrays that passes read and write.
enum class sort_array : std::uint8_t { input, output, spare };

// What one pass does. Codes travel between passes: the first one encodes, the last one decodes.
struct sort_step {
  sort_array from;
  sort_array to;
  bool is_skipped;
  bool encodes;
  bool decodes;
};

// Written by the kernel that counts digits, and read by each pass.
struct sort_plan {
  sort_step steps[most_passes];

  // Skips passes whose digit is the same in all keys, as far as the last pass still ends in the
  // output.
  //   called by   one thread
  //   least       passes to make at least; 0 where the input is the output
  __device__ void make(int passes, std::uint32_t constant_digits, bool is_in_place, int least) {
    int made = passes - __popc(static_cast<int>(constant_digits));
    for (int pass = passes - 1; pass >= 0; --pass) {
      if (made >= least && (!is_in_place || made % 2 == 0)) break;
      if ((constant_digits >> pass & 1) == 0) continue;
      constant_digits &= ~(1u << pass);
      ++made;
    }
    sort_array from = sort_array::input;
    bool is_first = true;
    for (int pass = 0; pass < passes; ++pass) {
      const bool is_skipped = (constant_digits >> pass & 1) != 0;
      if (!is_skipped) --made;
      const sort_array to = made % 2 == 0 ? sort_array::output : sort_array::spare;
      steps[pass] = {from, to, is_skipped, is_first, made == 0};
      if (is_skipped) continue;
      from = to;
      is_first = false;
    }
  }
};

}  // namespace heddle::device::detail
