// Exact numbers and their rounding to a binary floating-point format, in integer arithmetic only.
#pragma once
#include <cstdint>
#include <cstring>

namespace cuda_on_host {

enum class rounding { nearest, zero, up, down };  // nearest: ties to even

__extension__ typedef unsigned __int128 wide_word;

template <typename To, typename From>
inline To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "only types of one size share their bits");
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof(to));
  return to;
}

// The number ±(magnitude + rest) * 2^exponent, where 0 <= rest < 1; rest is zero unless has_rest.
template <typename Word>
struct exact_number {
  bool is_negative;
  Word magnitude;
  int exponent;
  bool has_rest;
};

// digits: bits of the significand, including its leading one; lowest and highest: exponents of the
// last bit of the smallest and of the largest finite number.
template <int total_bits, int significand_digits, int lowest_exponent, int highest_exponent,
          typename Bits>
struct float_format {
  using bits = Bits;
  static constexpr int width = total_bits;
  static constexpr int digits = significand_digits;
  static constexpr int lowest = lowest_exponent;
  static constexpr int highest = highest_exponent;
  static constexpr Bits sign = Bits(Bits(1) << (total_bits - 1));
  static constexpr Bits infinity = Bits(Bits(highest - lowest + 2) << (digits - 1));
  static constexpr Bits largest = Bits(infinity - 1);
  static constexpr Bits fraction_mask = Bits((Bits(1) << (digits - 1)) - 1);
};
using half_format = float_format<16, 11, -24, 5, std::uint16_t>;
using bfloat16_format = float_format<16, 8, -133, 120, std::uint16_t>;
using single_format = float_format<32, 24, -149, 104, std::uint32_t>;
using double_format = float_format<64, 53, -1074, 971, std::uint64_t>;

template <typename Float>
struct format_of;
template <>
struct format_of<float> : single_format {};
template <>
struct format_of<double> : double_format {};

inline int bit_length(std::uint64_t word) { return word ? 64 - __builtin_clzll(word) : 0; }
inline int bit_length(wide_word word) {
  const auto high = static_cast<std::uint64_t>(word >> 64);
  return high ? 64 + bit_length(high) : bit_length(static_cast<std::uint64_t>(word));
}

// The result of cutting off the lowest `count` bits of a magnitude.
template <typename Word>
struct cut_word {
  Word kept;
  bool half;   // the highest bit cut off
  bool below;  // whether any bit below that one is set
};

template <typename Word>
inline cut_word<Word> cut_low_bits(Word word, int count, bool has_rest) {
  constexpr int word_bits = static_cast<int>(sizeof(Word)) * 8;
  if (count <= 0) return {Word(word << -count), false, has_rest};
  if (count > word_bits) return {0, false, has_rest || word != 0};
  const Word half_bit = Word(1) << (count - 1);
  const Word kept = count == word_bits ? Word(0) : Word(word >> count);
  return {kept, (word & half_bit) != 0, has_rest || (word & (half_bit - 1)) != 0};
}

inline bool rounds_away(rounding mode, bool is_negative, bool is_odd, bool half, bool below) {
  switch (mode) {
    case rounding::nearest:
      return half && (below || is_odd);
    case rounding::zero:
      return false;
    case rounding::up:
      return !is_negative && (half || below);
    case rounding::down:
      return is_negative && (half || below);
  }
  return false;
}

// The bit pattern of the number in the format, rounded once. A number with has_rest set needs a
// magnitude of more than Format::digits + 1 bits.
template <typename Format, typename Word>
inline typename Format::bits encode(const exact_number<Word>& number, rounding mode) {
  using bits = typename Format::bits;
  const bits sign = number.is_negative ? Format::sign : bits(0);
  if (number.magnitude == 0 && !number.has_rest) return sign;

  const int surplus = bit_length(number.magnitude) - Format::digits;
  const int underflow = Format::lowest - number.exponent;
  const int count = surplus > underflow ? surplus : underflow;
  const cut_word<Word> cut = cut_low_bits(number.magnitude, count, number.has_rest);
  auto kept = static_cast<std::uint64_t>(cut.kept);
  int exponent = number.exponent + count;
  if (rounds_away(mode, number.is_negative, kept & 1, cut.half, cut.below)) ++kept;
  if (kept >> Format::digits) {
    kept >>= 1;
    ++exponent;
  }
  if (exponent > Format::highest) {
    const bool to_infinity =
        mode == rounding::nearest || mode == (number.is_negative ? rounding::down : rounding::up);
    return bits(sign | (to_infinity ? Format::infinity : Format::largest));
  }
  const bool is_normal = (kept >> (Format::digits - 1)) != 0;
  const auto field = static_cast<bits>(is_normal ? exponent - Format::lowest + 1 : 0);
  return bits(sign | bits(field << (Format::digits - 1)) | bits(kept & Format::fraction_mask));
}

// The finite number with this bit pattern.
template <typename Word, typename Format>
inline exact_number<Word> decode(typename Format::bits pattern) {
  const bool is_negative = (pattern & Format::sign) != 0;
  const auto fraction = static_cast<Word>(pattern & Format::fraction_mask);
  const int field = static_cast<int>((pattern & ~Format::sign) >> (Format::digits - 1));
  if (field == 0) return {is_negative, fraction, Format::lowest, false};
  return {is_negative, Word(fraction | Word(1) << (Format::digits - 1)), Format::lowest + field - 1,
          false};
}

using wide_number = exact_number<wide_word>;

template <typename Float>
inline wide_number decode_wide(Float value) {
  using format = format_of<Float>;
  return decode<wide_word, format>(same_bits<typename format::bits>(value));
}

template <typename Float, typename Word>
inline Float round_to(const exact_number<Word>& number, rounding mode) {
  return same_bits<Float>(encode<format_of<Float>>(number, mode));
}

// Shifts the magnitude left until it uses 126 bits, leaving one bit for a carry and one for
// overflow.
inline wide_number left_aligned(wide_number number) {
  const int room = 126 - bit_length(number.magnitude);
  number.magnitude <<= room;
  number.exponent -= room;
  return number;
}

// The sum; as IEEE 754 requires, the sign of a zero sum depends on the rounding mode. Operands have
// no rest and at most 106 bits, so bits are lost only if the exponents differ by more than 20. Then
// at most one bit cancels.
inline wide_number add(wide_number a, wide_number b, rounding mode) {
  const bool zero_is_negative = mode == rounding::down;
  if (a.magnitude == 0 && b.magnitude == 0) {
    return {a.is_negative == b.is_negative ? a.is_negative : zero_is_negative, 0, 0, false};
  }
  if (a.magnitude == 0) return b;
  if (b.magnitude == 0) return a;
  a = left_aligned(a);
  b = left_aligned(b);
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.magnitude < b.magnitude)) {
    const wide_number smaller = a;
    a = b;
    b = smaller;
  }
  const cut_word<wide_word> aligned = cut_low_bits(b.magnitude, a.exponent - b.exponent, false);
  const bool has_rest = aligned.half || aligned.below;
  if (a.is_negative == b.is_negative) {
    return {a.is_negative, a.magnitude + aligned.kept, a.exponent, has_rest};
  }
  const wide_word difference = a.magnitude - aligned.kept - (has_rest ? 1 : 0);
  const bool is_zero = difference == 0 && !has_rest;
  return {is_zero ? zero_is_negative : a.is_negative, difference, a.exponent, has_rest};
}

inline wide_number multiply(const wide_number& a, const wide_number& b) {
  return {a.is_negative != b.is_negative, a.magnitude * b.magnitude, a.exponent + b.exponent,
          false};
}

// The quotient, to at least 73 bits, of two numbers of at most 53 bits; b is not zero.
inline wide_number divide(const wide_number& a, const wide_number& b) {
  const bool is_negative = a.is_negative != b.is_negative;
  if (a.magnitude == 0) return {is_negative, 0, 0, false};
  const wide_number dividend = left_aligned(a);
  return {is_negative, dividend.magnitude / b.magnitude, dividend.exponent - b.exponent,
          dividend.magnitude % b.magnitude != 0};
}

// The square root of a positive number, to 63 bits.
inline wide_number square_root(const wide_number& a) {
  wide_number square = left_aligned(a);
  if (square.exponent & 1) {
    square.magnitude >>= 1;  // its last 20 bits or more are zero
    ++square.exponent;
  }
  wide_word root = 0;
  for (int bit = 62; bit >= 0; --bit) {
    const wide_word longer = root | wide_word(1) << bit;
    if (longer * longer <= square.magnitude) root = longer;
  }
  return {false, root, square.exponent / 2, root * root != square.magnitude};
}

// The exact number of an integer.
template <typename Integer>
inline exact_number<std::uint64_t> decode_integer(Integer value) {
  const bool is_negative = value < Integer(0);
  const auto bits = static_cast<std::uint64_t>(value);
  return {is_negative, is_negative ? std::uint64_t(0) - bits : bits, 0, false};
}

}  // namespace cuda_on_host
