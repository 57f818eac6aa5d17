// Sums of floating-point numbers without rounding: long fixed-point numbers in integer slots.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/warp/reduce.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::device::detail {

// A floating-point type as integers: a finite number is mantissa * 2^position units, where the unit
// is the smallest positive number.
template <typename T>
struct exact_format {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "exact sums are of float or double");
  static constexpr bool is_wide = sizeof(T) == 8;
  using bits = std::conditional_t<is_wide, std::uint64_t, std::uint32_t>;
  static constexpr int fraction_bits = is_wide ? 52 : 23;
  static constexpr bits sign = bits{1} << (8 * sizeof(T) - 1);
  static constexpr bits hidden = bits{1} << fraction_bits;
  static constexpr int last_exponent = is_wide ? 2047 : 255;  // of infinities and NaN
  static constexpr bits infinity = static_cast<bits>(last_exponent) << fraction_bits;
  // Bits from the unit to the top of the largest number, plus 64 bits of headroom for the sum.
  static constexpr int slot_count = (last_exponent - 1 + fraction_bits + 64 + 31) / 32;

  // Mantissas in the window are shifted left from its base by at most this many bits.
  static constexpr int window = 30;
  // How many numbers can be added before an accumulator must be emptied.
  static constexpr int most_takes = is_wide ? 64 : 256;
  // Where windows may begin: 2^-base must be representable, and infinities must lie outside.
  static constexpr int first_base = is_wide ? 0 : 22;
  static constexpr int last_base = last_exponent - 2 - window;

  __host__ __device__ static bits bits_of(T number) {
    bits found;
    std::memcpy(&found, &number, sizeof(T));
    return found;
  }
  __host__ __device__ static T number_of(bits found) {
    T number;
    std::memcpy(&number, &found, sizeof(T));
    return number;
  }
  __host__ __device__ static int exponent_of(bits magnitude) {
    return static_cast<int>(magnitude >> fraction_bits);
  }
  // For a finite number without its sign.
  __host__ __device__ static std::int64_t mantissa_of(bits magnitude) {
    const bits fraction = magnitude & (hidden - 1);
    return static_cast<std::int64_t>(exponent_of(magnitude) == 0 ? fraction : fraction | hidden);
  }
  __host__ __device__ static int position_of(bits magnitude) {
    const int exponent = exponent_of(magnitude);
    return exponent == 0 ? 0 : exponent - 1;
  }
};

// Which non-finite numbers have been added.
inline constexpr unsigned has_nan = 1, has_plus_infinity = 2, has_minus_infinity = 4;

// A long number in shared memory: the sum of slot[i] * 2^(32 i) units. Slots have room for 2^31
// additions before pass_on() must carry.
struct exact_slots {
  std::int64_t* slots;

  // Adds value * 2^position units; lanes may call this concurrently.
  __device__ void add(std::int64_t value, int position) const {
    const int slot = position / 32;
    const int left = position % 32;
    const auto low = static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) << left);
    const auto middle = static_cast<std::uint32_t>(value >> (32 - left));
    const std::int64_t high = (value >> 32) >> (32 - left);
    add_to(slot, low);
    add_to(slot + 1, middle);
    add_to(slot + 2, high);
  }

 private:
  __device__ void add_to(int slot, std::int64_t value) const {
    if (value == 0) return;
    atomicAdd(reinterpret_cast<unsigned long long*>(slots + slot),
              static_cast<unsigned long long>(value));
  }
};

// A lane's accumulator: integers in units of 2^base, where `base` is the same for the whole warp.
// Numbers whose mantissas lie in the window of exponents above it take a few instructions. If any
// others arrive, the window moves to the largest of them, and numbers below it are added one by
// one.
template <typename T>
class exact_lane {
  using format = exact_format<T>;
  using bits = typename format::bits;

 public:
  // Both in shared memory and all zero: `slots` belong to the warp, `specials` may be the block's.
  __device__ exact_lane(std::int64_t* slots, unsigned* specials)
      : slots_{slots}, specials_(specials) {
    move_to(format::first_base);
  }

  // Adds `count` elements of every lane.
  //   called by   all lanes of the warp; those with fewer elements pass zeros
  template <int count>
  __device__ void take(T (&elements)[count]) {
    static_assert(count <= format::most_takes, "an accumulator takes a batch without emptying");
    if (takes_ + count > format::most_takes) empty();
    takes_ += count;
    // Zeros fit any window: subtracting one makes them the largest number of all.
    bits largest = 0, smallest_less_one = ~bits{0};
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const bits magnitude = format::bits_of(elements[i]) & ~format::sign;
      largest = magnitude > largest ? magnitude : largest;
      const bits less_one = magnitude - 1;
      smallest_less_one = less_one < smallest_less_one ? less_one : smallest_less_one;
    }
    const bool fits = largest < above_window_ && smallest_less_one >= window_ - 1;
    if (__any_sync(all_lanes, !fits)) leave_what_fits(elements);
#pragma unroll
    for (int i = 0; i < count; ++i) take_fitting(elements[i]);
  }

  // Adds everything to the slots.
  //   called by   all lanes of the warp
  __device__ void empty() {
    const std::int64_t low = warp::reduce(low_ & 0xffffffff);
    const std::int64_t high = warp::reduce((low_ >> 32) + high_);
    if (lane_id() == 0) {
      slots_.add(low, base_);
      slots_.add(high, base_ + 32);
    }
    low_ = 0;
    high_ = 0;
    takes_ = 0;
  }

 private:
  __device__ void move_to(int base) {
    base_ = base;
    window_ = static_cast<bits>(base + 1) << format::fraction_bits;
    above_window_ = static_cast<bits>(base + 2 + format::window) << format::fraction_bits;
    if constexpr (!format::is_wide) {
      // 2^-base, in units: the exponent is 149 - base, with bias 127.
      scale_ = __uint_as_float(static_cast<unsigned>(149 - base + 127) << 23);
    }
  }

  // Adds a number that lies in the window, or zero.
  __device__ void take_fitting(T element) {
    if constexpr (format::is_wide) {
      const bits found = format::bits_of(element);
      const bits magnitude = found & ~format::sign;
      // A zero must not get a hidden bit.
      const int left = magnitude == 0 ? 0 : format::exponent_of(magnitude) - 1 - base_;
      const auto mantissa = static_cast<std::int64_t>(
          magnitude == 0 ? 0 : (magnitude & (format::hidden - 1)) | format::hidden);
      const std::int64_t value = (found & format::sign) != 0 ? -mantissa : mantissa;
      low_ += static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) << left);
      high_ += value >> (32 - left);
    } else {
      low_ += __float2ll_rz(__fmul_rn(element, scale_));  // an integer of at most 54 bits
    }
  }

  // Moves the window to the largest finite element of the warp. Elements outside it are accounted
  // for and replaced by zeros.
  template <int count>
  __device__ void leave_what_fits(T (&elements)[count]) {
    int largest = 0;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const bits magnitude = format::bits_of(elements[i]) & ~format::sign;
      const int exponent = format::exponent_of(magnitude);
      if (exponent == format::last_exponent) {
        const bool is_negative = (format::bits_of(elements[i]) & format::sign) != 0;
        atomicOr(specials_, magnitude != format::infinity ? has_nan
                            : is_negative                 ? has_minus_infinity
                                                          : has_plus_infinity);
        elements[i] = 0;
      } else {
        largest = exponent > largest ? exponent : largest;
      }
    }
    largest = warp::reduce(largest, maximum{});
    int base = largest - 1 - format::window;
    base = base < format::first_base ? format::first_base : base;
    base = base > format::last_base ? format::last_base : base;
    if (base != base_) {
      empty();
      takes_ = count;
      move_to(base);
    }
#pragma unroll
    for (int i = 0; i < count; ++i) leave_if_below(elements[i]);
  }
  __device__ void leave_if_below(T& element) {
    const bits found = format::bits_of(element);
    const bits magnitude = found & ~format::sign;
    if (magnitude == 0 || magnitude >= window_) return;
    const std::int64_t mantissa = format::mantissa_of(magnitude);
    slots_.add((found & format::sign) != 0 ? -mantissa : mantissa, format::position_of(magnitude));
    element = 0;
  }

  exact_slots slots_;
  unsigned* specials_;
  // The lane's sum is low_ + high_ * 2^32, in units of 2^base.
  std::int64_t low_ = 0;
  std::int64_t high_ = 0;
  int takes_ = 0;
  int base_ = 0;
  bits window_ = 0;        // the smallest magnitude in the window, as bits
  bits above_window_ = 0;  // the smallest magnitude that is too large
  float scale_ = 0;
};

// Rounds a sum in slots to the nearest number, ties to even; called by one thread. Destroys the
// slots.
template <typename T>
__device__ inline T round_exact(std::int64_t* slots, unsigned specials) {
  using format = exact_format<T>;
  using bits = typename format::bits;
  const bool is_both = (specials & (has_plus_infinity | has_minus_infinity)) ==
                       (has_plus_infinity | has_minus_infinity);
  if ((specials & has_nan) != 0 || is_both) {
    return format::number_of(format::infinity | format::hidden >> 1);
  }
  if (specials != 0) {
    return format::number_of(format::infinity |
                             (specials == has_minus_infinity ? format::sign : bits{0}));
  }
  // Slots become 32-bit digits; the carry out of the last one gives the sign.
  std::int64_t carried = 0;
  for (int i = 0; i < format::slot_count; ++i) {
    const std::int64_t digit = slots[i] + carried;
    slots[i] = digit & 0xffffffff;
    carried = digit >> 32;
  }
  const bool is_negative = carried < 0;
  int top = 0;
  std::int64_t borrowed = is_negative ? 1 : 0;
  for (int i = 0; i < format::slot_count; ++i) {
    if (is_negative) {
      const std::int64_t digit = (~slots[i] & 0xffffffff) + borrowed;
      slots[i] = digit & 0xffffffff;
      borrowed = digit >> 32;
    }
    if (slots[i] != 0) top = i;
  }
  // The top two or three digits, and whether anything below them is not zero.
  const auto digit_at = [&](int i) {
    return i < 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(slots[i]);
  };
  bool has_more = false;
  for (int i = 0; i < top - 2; ++i) has_more = has_more || slots[i] != 0;
  if (digit_at(top) == 0) return T{0};
  const int unused = __clzll(static_cast<long long>(digit_at(top))) - 32;  // in the top digit
  std::uint64_t leading = (digit_at(top) << 32 | digit_at(top - 1)) << unused;
  leading |= (digit_at(top - 2) << unused) >> 32;
  has_more = has_more || (static_cast<std::uint32_t>(digit_at(top - 2) << unused)) != 0;
  // Now bit 63 of `leading` is the top bit of the sum, this many bits above the unit:
  const int place = 32 * top + 31 - unused;
  bits magnitude;
  if (place <= format::fraction_bits) {
    magnitude = static_cast<bits>(leading >> (63 - place));  // nothing to round
  } else {
    constexpr int dropped = 63 - format::fraction_bits;
    const std::uint64_t kept = leading >> dropped;
    const std::uint64_t below = leading << (64 - dropped);
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    const bool is_up = below > half || (below == half && (has_more || (kept & 1) != 0));
    const auto shift = static_cast<std::uint64_t>(place - format::fraction_bits);
    // The hidden bit adds one to the exponent, and a carry from rounding adds another.
    const std::uint64_t rounded =
        (shift << format::fraction_bits) + kept + (is_up ? std::uint64_t{1} : 0);
    const bool is_too_large = shift >= static_cast<std::uint64_t>(format::last_exponent) ||
                              rounded >= static_cast<std::uint64_t>(format::infinity);
    magnitude = is_too_large ? format::infinity : static_cast<bits>(rounded);
  }
  return format::number_of(magnitude | (is_negative ? format::sign : bits{0}));
}

}  // namespace heddle::device::detail
