// Integer intrinsics against bit-by-bit definitions.
#include <bit_functions.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "random_bits.hpp"

namespace {

// Random words of all magnitudes, so that short ones are as likely as long ones.
class word_source {
 public:
  explicit word_source(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t operator()() {
    const std::uint64_t word = engine_(), choice = engine_();
    const std::uint64_t shifted = word >> (choice % 64);
    switch (choice >> 32 & 3) {
      case 0:
        return word;
      case 1:
        return shifted;
      case 2:
        return ~shifted;
      default:
        return std::uint64_t(1) << (choice % 64);
    }
  }

 private:
  std::mt19937_64 engine_;
};

bool bit(std::uint64_t word, int position) { return word >> position & 1; }

TEST(bit_functions, counting_and_reversing_agree_with_a_loop_over_the_bits) {
  SCOPED_TRACE(heddle_test::seed_text());
  word_source next(heddle_test::seed());
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t wide = i == 0 ? 0 : next();
    const auto narrow = static_cast<unsigned int>(wide);
    int count = 0, count_wide = 0, leading = 32, leading_wide = 64, first = 0, first_wide = 0;
    unsigned int reversed = 0;
    unsigned long long reversed_wide = 0;
    for (int position = 63; position >= 0; --position) {
      if (!bit(wide, position)) continue;
      ++count_wide;
      if (leading_wide == 64) leading_wide = 63 - position;
      first_wide = position + 1;
      reversed_wide |= 1ull << (63 - position);
      if (position >= 32) continue;
      ++count;
      if (leading == 32) leading = 31 - position;
      first = position + 1;
      reversed |= 1u << (31 - position);
    }
    ASSERT_EQ(__popc(narrow), count);
    ASSERT_EQ(__popcll(wide), count_wide);
    ASSERT_EQ(__clz(static_cast<int>(narrow)), leading);
    ASSERT_EQ(__clzll(static_cast<long long>(wide)), leading_wide);
    ASSERT_EQ(__ffs(static_cast<int>(narrow)), first);
    ASSERT_EQ(__ffsll(static_cast<long long>(wide)), first_wide);
    ASSERT_EQ(__brev(narrow), reversed);
    ASSERT_EQ(__brevll(wide), reversed_wide);
  }
}

TEST(bit_functions, bytes_are_reversed) {
  EXPECT_EQ(__nv_bswap16(0x1234), 0x3412);
  EXPECT_EQ(__nv_bswap32(0x12345678u), 0x78563412u);
  EXPECT_EQ(__nv_bswap64(0x123456789abcdef0ull), 0xf0debc9a78563412ull);
}

TEST(bit_functions, byte_perm_picks_bytes_and_signs) {
  SCOPED_TRACE(heddle_test::seed_text());
  word_source next(heddle_test::seed());
  for (unsigned int selector = 0; selector < 0x10000; ++selector) {
    const auto x = static_cast<unsigned int>(next()), y = static_cast<unsigned int>(next());
    const unsigned int all[] = {x & 0xff, x >> 8 & 0xff, x >> 16 & 0xff, x >> 24,
                                y & 0xff, y >> 8 & 0xff, y >> 16 & 0xff, y >> 24};
    unsigned int expected = 0;
    for (int byte = 3; byte >= 0; --byte) {
      const unsigned int nibble = selector / (1u << (4 * byte)) % 16;
      const unsigned int chosen = all[nibble % 8];
      expected = expected * 256 + (nibble < 8 ? chosen : chosen >= 128 ? 255 : 0);
    }
    ASSERT_EQ(__byte_perm(x, y, selector), expected) << std::hex << selector;
    ASSERT_EQ(__byte_perm(x, y, selector | 0xabcd0000u), expected);  // only 16 bits select
  }
}

TEST(bit_functions, funnel_shifts_wrap_or_clamp_the_distance) {
  SCOPED_TRACE(heddle_test::seed_text());
  word_source next(heddle_test::seed());
  for (int i = 0; i < 20000; ++i) {
    const auto low = static_cast<unsigned int>(next()), high = static_cast<unsigned int>(next());
    for (unsigned int distance : {0u, 1u, 7u, 31u, 32u, 33u, 63u, 64u, 100u, 0xffffffffu}) {
      const auto shifted = [&](int by, bool left) {
        unsigned int result = 0;
        for (int position = 0; position < 32; ++position) {
          // Bit `position` of the upper word after a left shift, of the lower after a right shift.
          const int source = left ? position + 32 - by : position + by;
          const bool is_set = source < 32 ? bit(low, source) : bit(high, source - 32);
          result |= static_cast<unsigned int>(is_set) << position;
        }
        return result;
      };
      const int wrapped = static_cast<int>(distance % 32);
      const int clamped = distance > 32 ? 32 : static_cast<int>(distance);
      ASSERT_EQ(__funnelshift_l(low, high, distance), shifted(wrapped, true));
      ASSERT_EQ(__funnelshift_r(low, high, distance), shifted(wrapped, false));
      ASSERT_EQ(__funnelshift_lc(low, high, distance),
                clamped == 32 ? low : shifted(clamped, true));
      ASSERT_EQ(__funnelshift_rc(low, high, distance),
                clamped == 32 ? high : shifted(clamped, false));
    }
  }
}

// The upper 64 bits of a product, by long multiplication with 32-bit digits.
std::uint64_t upper_product(std::uint64_t x, std::uint64_t y) {
  const std::uint64_t a = x >> 32, b = x & 0xffffffff, c = y >> 32, d = y & 0xffffffff;
  const std::uint64_t middle = a * d + (b * d >> 32);
  const std::uint64_t other = b * c + (middle & 0xffffffff);
  return a * c + (middle >> 32) + (other >> 32);
}

TEST(bit_functions, products_averages_and_distances_do_not_overflow) {
  SCOPED_TRACE(heddle_test::seed_text());
  word_source next(heddle_test::seed());
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t x = next(), y = next(), z = next();
    const auto a = static_cast<int>(x), b = static_cast<int>(y);
    const auto p = static_cast<unsigned int>(x), q = static_cast<unsigned int>(y);
    const auto s = static_cast<unsigned int>(z);
    const auto floor_half = [](long long sum) { return sum >= 0 ? sum / 2 : -((1 - sum) / 2); };
    const long long wide_a = a, wide_b = b;
    ASSERT_EQ(__mulhi(a, b), static_cast<int>((wide_a * wide_b) >> 32));
    ASSERT_EQ(__umulhi(p, q),
              static_cast<unsigned int>(upper_product(static_cast<std::uint64_t>(p) << 32, q)));
    ASSERT_EQ(__umul64hi(x, y), upper_product(x, y));
    const auto signed_x = static_cast<long long>(x), signed_y = static_cast<long long>(y);
    std::uint64_t expected = upper_product(x, y);
    expected -= signed_x < 0 ? y : 0;
    expected -= signed_y < 0 ? x : 0;
    ASSERT_EQ(static_cast<std::uint64_t>(__mul64hi(signed_x, signed_y)), expected);
    const auto cut = [](int v) { return ((v & 0xffffff) ^ 0x800000) - 0x800000; };
    ASSERT_EQ(__mul24(a, b), static_cast<int>(static_cast<long long>(cut(a)) * cut(b)));
    ASSERT_EQ(__umul24(p, q),
              static_cast<unsigned int>(std::uint64_t(p % 0x1000000) * (q % 0x1000000)));
    ASSERT_EQ(__hadd(a, b), floor_half(wide_a + wide_b));
    ASSERT_EQ(__rhadd(a, b), floor_half(wide_a + wide_b + 1));
    ASSERT_EQ(__uhadd(p, q), (std::uint64_t(p) + q) / 2);
    ASSERT_EQ(__urhadd(p, q), (std::uint64_t(p) + q + 1) / 2);
    const long long distance = wide_a > wide_b ? wide_a - wide_b : wide_b - wide_a;
    ASSERT_EQ(__sad(a, b, s), static_cast<unsigned int>(distance + s));
    ASSERT_EQ(__usad(p, q, s),
              static_cast<unsigned int>((p > q ? p - q : q - p) + std::uint64_t(s)));
  }
}

TEST(bit_functions, dot_products_add_up_their_parts) {
  SCOPED_TRACE(heddle_test::seed_text());
  word_source next(heddle_test::seed());
  for (int i = 0; i < 100000; ++i) {
    const auto a = static_cast<unsigned int>(next()), b = static_cast<unsigned int>(next()),
               c = static_cast<unsigned int>(next());
    const auto byte = [](unsigned int word, int k) {
      return static_cast<int>(word >> (8 * k) & 255);
    };
    const auto half = [](unsigned int word, int k) {
      return static_cast<int>(word >> (16 * k) & 65535);
    };
    const auto as_signed = [](int value, int range) {
      return value < range / 2 ? value : value - range;
    };
    long long four = static_cast<int>(c), low = four, high = four;
    unsigned long long four_u = c, low_u = c, high_u = c;
    for (int k = 0; k < 4; ++k) {
      four += as_signed(byte(a, k), 256) * as_signed(byte(b, k), 256);
      four_u += static_cast<unsigned>(byte(a, k) * byte(b, k));
    }
    for (int k = 0; k < 2; ++k) {
      low += as_signed(half(a, k), 65536) * as_signed(byte(b, k), 256);
      high += as_signed(half(a, k), 65536) * as_signed(byte(b, k + 2), 256);
      low_u += static_cast<unsigned>(half(a, k) * byte(b, k));
      high_u += static_cast<unsigned>(half(a, k) * byte(b, k + 2));
    }
    const auto x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(c);
    ASSERT_EQ(__dp4a(x, y, z), static_cast<int>(four));
    ASSERT_EQ(__dp4a(a, b, c), static_cast<unsigned int>(four_u));
    ASSERT_EQ(__dp2a_lo(x, y, z), static_cast<int>(low));
    ASSERT_EQ(__dp2a_hi(x, y, z), static_cast<int>(high));
    ASSERT_EQ(__dp2a_lo(a, b, c), static_cast<unsigned int>(low_u));
    ASSERT_EQ(__dp2a_hi(a, b, c), static_cast<unsigned int>(high_u));
    ASSERT_EQ(__dp4a(as_bits<char4>(a), as_bits<char4>(b), z), static_cast<int>(four));
    ASSERT_EQ(__dp4a(as_bits<uchar4>(a), as_bits<uchar4>(b), c), static_cast<unsigned int>(four_u));
    ASSERT_EQ(__dp2a_hi(as_bits<short2>(a), as_bits<char4>(b), z), static_cast<int>(high));
    ASSERT_EQ(__dp2a_lo(as_bits<ushort2>(a), as_bits<uchar4>(b), c),
              static_cast<unsigned int>(low_u));
  }
}

TEST(bit_functions, fns_finds_the_nth_set_bit_in_both_directions) {
  const unsigned int mask = 0x80000215u;  // bits 0, 2, 4, 9, 31
  EXPECT_EQ(__fns(mask, 0, 1), 0u);
  EXPECT_EQ(__fns(mask, 0, 3), 4u);
  EXPECT_EQ(__fns(mask, 3, 1), 4u);
  EXPECT_EQ(__fns(mask, 9, 1), 9u);
  EXPECT_EQ(__fns(mask, 10, 1), 31u);
  EXPECT_EQ(__fns(mask, 10, 2), 0xffffffffu);
  EXPECT_EQ(__fns(mask, 9, -2), 4u);
  EXPECT_EQ(__fns(mask, 31, -5), 0u);
  EXPECT_EQ(__fns(mask, 31, -6), 0xffffffffu);
  EXPECT_EQ(__fns(mask, 2, 0), 2u);
  EXPECT_EQ(__fns(mask, 3, 0), 0xffffffffu);
}

}  // namespace
