// The 8-bit, 6-bit and 4-bit floating-point formats: encoding and decoding.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "exact_rounding.h"
#include "narrow_float.h"

namespace cuda_on_host {

// `infinity` is the code of a number out of range. Only e5m2 has an infinity. In e4m3 it is the
// only NaN; the 6-bit and 4-bit formats saturate.
struct e5m2_format : float_format<8, 3, -16, 13, std::uint8_t> {};
struct e4m3_format : float_format<8, 4, -9, 5, std::uint8_t> {
  static constexpr std::uint8_t infinity = 0x7f;
  static constexpr std::uint8_t largest = 0x7e;
};
struct e3m2_format : float_format<6, 3, -4, 2, std::uint8_t> {
  static constexpr std::uint8_t infinity = 0x1f;
  static constexpr std::uint8_t largest = 0x1f;
};
struct e2m3_format : float_format<6, 4, -3, -1, std::uint8_t> {
  static constexpr std::uint8_t infinity = 0x1f;
  static constexpr std::uint8_t largest = 0x1f;
};
struct e2m1_format : float_format<4, 2, -1, 1, std::uint8_t> {
  static constexpr std::uint8_t infinity = 0x7;
  static constexpr std::uint8_t largest = 0x7;
};

// All bits of a code except its sign.
template <typename Format>
constexpr std::uint8_t magnitude_mask = Format::sign - 1;

// The value of a code. Bits above the format's own are ignored.
template <typename Format>
inline float tiny_to_float(std::uint8_t code) {
  const std::uint8_t sign = code & Format::sign;
  const std::uint8_t magnitude = code & magnitude_mask<Format>;
  if (magnitude <= Format::largest) {
    return static_cast<float>(widen_number<Format>(sign | magnitude));
  }
  if (std::is_same<Format, e5m2_format>::value && magnitude == Format::infinity) {
    return sign ? -HUGE_VALF : HUGE_VALF;
  }
  return same_bits<float>(std::uint32_t(0x7fffffff));  // the NaN that the GPU returns
}

// As half, which represents every number of these formats exactly.
template <typename Format>
inline std::uint16_t tiny_to_half(std::uint8_t code) {
  return narrow<half_format>(tiny_to_float<Format>(code));
}

// Codecs encode wider numbers, by default in the mode that constructors use, and decode codes.
// `width` is the distance between the codes of a pair, in bits.
template <typename Format>
struct tiny_codec_base {
  static float decode(std::uint8_t code) { return tiny_to_float<Format>(code); }
  static bool is_not_zero(std::uint8_t code) { return (code & magnitude_mask<Format>) != 0; }
};

// e4m3 and e5m2.
template <typename Format>
struct fp8_codec : tiny_codec_base<Format> {
  static constexpr int width = 8;

  static std::uint8_t encode(float value, bool saturates = true) {
    return value == value ? encode_number(value, saturates) : 0x7f;
  }
  // The NaN of a double, unlike that of a float, keeps its sign, and in e5m2 also the top two bits
  // of its payload.
  static std::uint8_t encode(double value, bool saturates = true) {
    if (value == value) return encode_number(value, saturates);
    const auto wide = same_bits<std::uint64_t>(value);
    const std::uint8_t sign = wide & double_format::sign ? Format::sign : std::uint8_t(0);
    constexpr bool has_payload = std::is_same<Format, e5m2_format>::value;
    return static_cast<std::uint8_t>(sign | (has_payload ? 0x7e | (wide >> 50 & 3) : 0x7f));
  }
  template <typename Integer>
  static std::uint8_t encode_integer(Integer value) {
    return encode(static_cast<float>(value));
  }

 private:
  static std::uint8_t encode_number(double value, bool saturates) {
    const std::uint8_t rounded = narrow_to<Format>(value, rounding::nearest, 0x7f);
    if (!saturates || (rounded & magnitude_mask<Format>) <= Format::largest) return rounded;
    return (rounded & Format::sign) | Format::largest;
  }
};

// The formats that have neither NaN nor infinity. NaN becomes the largest number.
template <typename Format>
struct finite_codec : tiny_codec_base<Format> {
  static constexpr int width = Format::width == 4 ? 4 : 8;

  static std::uint8_t encode(double value, rounding mode = rounding::nearest) {
    return narrow_to<Format>(value, mode, Format::largest);
  }
  template <typename Integer>
  static std::uint8_t encode_integer(Integer value) {
    return encode(static_cast<double>(static_cast<float>(value)));
  }
};

// e8m0, a scale factor: code c means 2^(c - 127), and 0xff means NaN. There is no sign, and zero
// becomes the smallest power of two.
struct e8m0_codec {
  static constexpr int width = 8;
  static constexpr std::uint8_t nan = 0xff;
  static constexpr std::uint8_t largest = 0xfe;

  // `mode` is up or zero.
  static std::uint8_t encode(double value, bool saturates = true, rounding mode = rounding::up) {
    if (value != value) return nan;
    const std::uint8_t beyond = saturates ? largest : nan;
    if (std::isinf(value)) return beyond;
    const double magnitude = std::fabs(value);
    if (magnitude <= 0x1p-127) return 0;
    int exponent;  // 2^(exponent - 1) <= magnitude < 2^exponent
    const bool is_power = std::frexp(magnitude, &exponent) == 0.5;
    const int below = exponent - 1 + 127;
    if (mode == rounding::zero) return static_cast<std::uint8_t>(below < largest ? below : largest);
    const int code = is_power ? below : below + 1;
    return code <= largest ? static_cast<std::uint8_t>(code) : beyond;
  }
  template <typename Integer>
  static std::uint8_t encode_integer(Integer value) {
    const std::uint64_t magnitude = decode_integer(value).magnitude;
    if (magnitude == 0) return 0;
    return static_cast<std::uint8_t>(127 + bit_length(magnitude - 1));
  }
  static std::uint16_t to_bfloat16(std::uint8_t code) {
    if (code == nan) return canonical_nan;
    return code == 0 ? 0x0040 : static_cast<std::uint16_t>(code << 7);
  }
  static float decode(std::uint8_t code) {
    return widen_to_single<bfloat16_format>(to_bfloat16(code));
  }
  static bool is_not_zero(std::uint8_t) { return true; }
};

// The codes of two numbers, the first in the low bits.
template <typename Codec, typename Word, typename Float>
inline Word encode_pair(Float low, Float high) {
  return static_cast<Word>(Codec::encode(low) | Codec::encode(high) << Codec::width);
}
template <typename Codec, typename Word, typename Float>
inline Word encode_four(Float x, Float y, Float z, Float w) {
  const Word low = encode_pair<Codec, Word>(x, y), high = encode_pair<Codec, Word>(z, w);
  return static_cast<Word>(low | high << 2 * Codec::width);
}
template <typename Codec, typename Word>
inline float decode_at(Word word, int index) {
  return Codec::decode(static_cast<std::uint8_t>(word >> index * Codec::width));
}

}  // namespace cuda_on_host
