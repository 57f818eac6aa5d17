// PTX's instructions on bits and integers against definitions that go bit by bit.
#include <cuda_runtime.h>
#include <detail/inline_ptx.h>
#include <gtest/gtest.h>

#include "random_bits.hpp"

namespace {

namespace ptx = heddle_host::ptx;
namespace how = heddle_host::ptx::how;
using ptx::s32;
using ptx::s64;
using ptx::u32;
using ptx::u64;
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

constexpr int rounds = 20000;

class words {
 public:
  words() : engine_(heddle_test::seed()) {}
  // Of every length, so that short numbers are as likely as long ones.
  u64 operator()() {
    const u64 word = engine_();
    const u64 shifted = word >> engine_() % 64;
    return engine_() % 2 ? shifted : ~shifted;
  }
  // Below, at and above the limits of positions and distances.
  u32 distance() { return engine_() % 8 == 0 ? static_cast<u32>(engine_()) : engine_() % 70; }

 private:
  std::mt19937_64 engine_;
};

bool bit(u64 word, unsigned position) { return word >> position & 1; }

// The PTX manual's loop for bfe.
u64 extracted(u64 a, u32 position, u32 length, unsigned bits, bool is_signed) {
  position &= 0xff;
  length &= 0xff;
  const u32 last = bits - 1;
  const u32 sign_position = position + length - 1 < last ? position + length - 1 : last;
  const bool sign = is_signed && length != 0 && bit(a, sign_position);
  u64 result = 0;
  for (u32 i = 0; i <= last; ++i) {
    const bool one = i < length && position + i <= last ? bit(a, position + i) : sign;
    result |= static_cast<u64>(one) << i;
  }
  return result;
}

TEST(ptx_bits, fields_are_extracted_and_inserted_as_in_the_manual) {
  SCOPED_TRACE(heddle_test::seed_text());
  words next;
  for (int round = 0; round < rounds; ++round) {
    const u64 a = next(), b = next();
    const u32 position = next.distance(), length = next.distance();
    const auto narrow = static_cast<u32>(a);
    ASSERT_EQ(ptx::bfe<u32>(narrow, position, length),
              extracted(narrow, position, length, 32, false));
    ASSERT_EQ(static_cast<u32>(ptx::bfe<s32>(static_cast<s32>(narrow), position, length)),
              extracted(narrow, position, length, 32, true))
        << narrow << ' ' << position << ' ' << length;
    ASSERT_EQ(ptx::bfe<u64>(a, position, length), extracted(a, position, length, 64, false));
    ASSERT_EQ(static_cast<u64>(ptx::bfe<s64>(static_cast<s64>(a), position, length)),
              extracted(a, position, length, 64, true));
    u64 inserted = b;
    for (u32 i = 0; i < (length & 0xff) && (position & 0xff) + i < 64; ++i) {
      const u64 place = u64(1) << ((position & 0xff) + i);
      inserted = bit(a, i) ? inserted | place : inserted & ~place;
    }
    ASSERT_EQ(ptx::bfi<u64>(a, b, position, length), inserted);
    u32 narrow_inserted = static_cast<u32>(b);
    for (u32 i = 0; i < (length & 0xff) && (position & 0xff) + i < 32; ++i) {
      const u32 place = 1u << ((position & 0xff) + i);
      narrow_inserted = bit(a, i) ? narrow_inserted | place : narrow_inserted & ~place;
    }
    ASSERT_EQ(ptx::bfi<u32>(narrow, static_cast<u32>(b), position, length), narrow_inserted);
  }
}

TEST(ptx_bits, masks_and_extensions_clamp_or_wrap) {
  for (u32 position = 0; position < 70; ++position) {
    for (u32 width = 0; width < 70; ++width) {
      u32 wrapped = 0, clamped = 0;
      for (u32 i = 0; i < 32; ++i) {
        if (i >= position % 32 && i < position % 32 + width % 32) wrapped |= 1u << i;
        if (i >= position && i < position + width) clamped |= 1u << i;
      }
      ASSERT_EQ((ptx::bmsk<u32, how::wrap>(position, width)), wrapped) << position << ' ' << width;
      ASSERT_EQ((ptx::bmsk<u32, how::clamp>(position, width)), clamped) << position << ' ' << width;
    }
  }
  words next;
  for (int round = 0; round < rounds; ++round) {
    const auto a = static_cast<u32>(next());
    const u32 width = next.distance();
    const u32 bits = width % 32;
    u32 zeros = 0, signs = 0;
    for (u32 i = 0; i < 32; ++i) {
      zeros |= static_cast<u32>(i < bits && bit(a, i)) << i;
      signs |= static_cast<u32>(bits != 0 && bit(a, i < bits ? i : bits - 1)) << i;
    }
    ASSERT_EQ((ptx::szext<u32, how::wrap>(a, width)), zeros);
    ASSERT_EQ(static_cast<u32>(ptx::szext<s32, how::wrap>(static_cast<s32>(a), width)), signs);
    ASSERT_EQ((ptx::szext<u32, how::clamp>(a, width)), width >= 32 ? a : zeros);
  }
}

TEST(ptx_bits, shifts_by_all_bits_or_more_leave_zeros_or_signs) {
  SCOPED_TRACE(heddle_test::seed_text());
  words next;
  for (int round = 0; round < rounds; ++round) {
    const u64 a = next();
    const u32 distance = next.distance();
    u64 left = a, right = a;
    s64 signed_right = static_cast<s64>(a);
    u32 left_32 = static_cast<u32>(a);
    s32 signed_32 = static_cast<s32>(a);
    ptx::u16 left_16 = static_cast<ptx::u16>(a);
    for (u32 i = 0; i < distance && i < 100; ++i) {
      left *= 2;
      left_32 *= 2;
      left_16 = static_cast<ptx::u16>(left_16 * 2);
      right /= 2;
      signed_right = signed_right / 2 - (signed_right < 0 && signed_right % 2 != 0);
      signed_32 = signed_32 / 2 - (signed_32 < 0 && signed_32 % 2 != 0);
    }
    ASSERT_EQ(ptx::shl<u64>(a, distance), left);
    ASSERT_EQ(ptx::shl<u32>(static_cast<u32>(a), distance), left_32);
    ASSERT_EQ(ptx::shl<ptx::u16>(static_cast<ptx::u16>(a), distance), left_16);
    ASSERT_EQ(ptx::shr<u64>(a, distance), right);
    ASSERT_EQ(ptx::shr<s64>(static_cast<s64>(a), distance), signed_right);
    ASSERT_EQ(ptx::shr<s32>(static_cast<s32>(a), distance), signed_32);
  }
}

TEST(ptx_bits, every_table_of_lop3_gives_its_function) {
  words next;
  for (u32 table = 0; table < 256; ++table) {
    const auto a = static_cast<u32>(next()), b = static_cast<u32>(next()),
               c = static_cast<u32>(next());
    u32 expected = 0;
    for (u32 i = 0; i < 32; ++i)
      expected |= (table >> (4 * bit(a, i) + 2 * bit(b, i) + bit(c, i)) & 1) << i;
    ASSERT_EQ(ptx::lop3<u32>(a, b, c, table), expected) << table;
  }
}

// The manual's tables: for each mode and selector, the bytes that the result has, lowest first.
TEST(ptx_bits, permutations_follow_the_tables_of_their_mode) {
  const u32 a = 0x33221100, b = 0x77665544;
  const u32 f4e[]{0x33221100, 0x44332211, 0x55443322, 0x66554433};
  const u32 b4e[]{0x55667700, 0x66770011, 0x77001122, 0x00112233};
  const u32 rc8[]{0x00000000, 0x11111111, 0x22222222, 0x33333333};
  const u32 ecl[]{0x33221100, 0x33221111, 0x33222222, 0x33333333};
  const u32 ecr[]{0x00000000, 0x11111100, 0x22221100, 0x33221100};
  const u32 rc16[]{0x11001100, 0x33223322, 0x11001100, 0x33223322};
  for (u32 n = 0; n < 4; ++n) {
    EXPECT_EQ((ptx::prmt<u32, how::f4e>(a, b, n)), f4e[n]) << n;
    EXPECT_EQ((ptx::prmt<u32, how::b4e>(a, b, n)), b4e[n]) << n;
    EXPECT_EQ((ptx::prmt<u32, how::rc8>(a, b, n)), rc8[n]) << n;
    EXPECT_EQ((ptx::prmt<u32, how::ecl>(a, b, n)), ecl[n]) << n;
    EXPECT_EQ((ptx::prmt<u32, how::ecr>(a, b, n)), ecr[n]) << n;
    EXPECT_EQ((ptx::prmt<u32, how::rc16>(a, b, n)), rc16[n]) << n;
  }
  EXPECT_EQ((ptx::prmt<u32, how::none>(0x80, 0, 0x8880)), 0xffffff80u);
}

TEST(ptx_bits, the_highest_bit_that_differs_from_the_sign_is_found) {
  words next;
  for (int round = 0; round < rounds; ++round) {
    const u64 a = round == 0 ? 0 : round == 1 ? ~u64(0) : next();
    u32 found = ~0u, signed_found = ~0u;
    for (u32 i = 0; i < 64; ++i) {
      if (bit(a, i)) found = i;
      if (bit(a, i) != bit(a, 63)) signed_found = i;
    }
    ASSERT_EQ((ptx::bfind<u64, how::none>(a)), found);
    ASSERT_EQ((ptx::bfind<s64, how::none>(static_cast<s64>(a))), signed_found);
    ASSERT_EQ((ptx::bfind<u64, how::shiftamt>(a)), found == ~0u ? found : 63 - found);
  }
}

TEST(ptx_integers, sums_and_products_agree_with_wider_arithmetic) {
  SCOPED_TRACE(heddle_test::seed_text());
  words next;
  for (int round = 0; round < rounds; ++round) {
    const auto a = static_cast<s64>(next()), b = static_cast<s64>(next()),
               c = static_cast<s64>(next());
    const auto x = static_cast<s32>(a), y = static_cast<s32>(b), z = static_cast<s32>(c);
    const auto clamped = [](s64 value) {
      return static_cast<s32>(value > 0x7fffffff      ? 0x7fffffff
                              : value < -0x80000000ll ? -0x80000000ll
                                                      : value);
    };
    const auto low_24 = [](s32 value, bool is_signed) {
      const s64 low = value & 0xffffff;
      return is_signed && low >= 0x800000 ? low - 0x1000000 : low;
    };
    ASSERT_EQ((ptx::add<s32, how::sat>(x, y)), clamped(s64(x) + y));
    ASSERT_EQ((ptx::sub<s32, how::sat>(x, y)), clamped(s64(x) - y));
    ASSERT_EQ((ptx::add<s64, how::none>(a, b)), static_cast<s64>(u64(a) + u64(b)));
    ASSERT_EQ(ptx::mul_hi<s64>(a, b), static_cast<s64>((wide(a) * b) >> 64));
    ASSERT_EQ(ptx::mul_hi<u64>(u64(a), u64(b)),
              static_cast<u64>((unsigned_wide(u64(a)) * u64(b)) >> 64));
    ASSERT_EQ(ptx::mul_lo<s32>(x, y), static_cast<s32>(wide(x) * y));
    ASSERT_EQ((ptx::mad_hi<s32, how::sat>(x, y, z)), clamped(((s64(x) * y) >> 32) + z));
    ASSERT_EQ(ptx::mad_wide<s32>(x, y, c), static_cast<s64>(wide(x) * y + c));
    ASSERT_EQ(ptx::mul_wide<ptx::u16>(static_cast<ptx::u16>(x), static_cast<ptx::u16>(y)),
              (u64(x) & 0xffff) * (u64(y) & 0xffff));
    ASSERT_EQ(ptx::mul24_lo<s32>(x, y), static_cast<s32>(low_24(x, true) * low_24(y, true)));
    ASSERT_EQ(ptx::mul24_hi<s32>(x, y),
              static_cast<s32>((low_24(x, true) * low_24(y, true)) >> 16));
    ASSERT_EQ(ptx::mul24_hi<u32>(u32(x), u32(y)),
              static_cast<u32>((low_24(x, false) * low_24(y, false)) >> 16));
    ASSERT_EQ(ptx::sad<s32>(x, y, z), static_cast<s32>((x > y ? s64(x) - y : s64(y) - x) + z));
    ASSERT_EQ((ptx::abs<s32, how::none>(x)), static_cast<s32>(x < 0 ? -s64(x) : x));
  }
}

TEST(ptx_integers, quotients_that_are_not_defined_do_not_end_the_program) {
  const s32 lowest = -0x7fffffff - 1;
  EXPECT_EQ(ptx::div<s32>(lowest, -1), lowest);
  EXPECT_EQ(ptx::rem<s32>(lowest, -1), 0);
  EXPECT_EQ(ptx::div<s32>(-7, 2), -3);
  EXPECT_EQ(ptx::rem<s32>(-7, 2), -1);
  EXPECT_EQ(ptx::div<u32>(7, 0), ~0u);
  EXPECT_EQ(ptx::rem<u32>(7, 0), 7u);
}

TEST(ptx_integers, carries_make_128_bit_arithmetic) {
  SCOPED_TRACE(heddle_test::seed_text());
  words next;
  for (int round = 0; round < rounds; ++round) {
    const u64 a[2]{next(), next()}, b[2]{next(), round % 3 == 0 ? a[1] : next()};
    const unsigned_wide left = unsigned_wide(a[1]) << 64 | a[0];
    const unsigned_wide right = unsigned_wide(b[1]) << 64 | b[0];
    const auto joined = [](u64 low, u64 high) { return unsigned_wide(high) << 64 | low; };
    bool carry = false;
    const u64 sum = ptx::addc<u64>(a[0], b[0], carry);
    const u64 sum_high = ptx::addc<u64>(a[1], b[1], carry);
    ASSERT_TRUE(joined(sum, sum_high) == left + right);
    ASSERT_EQ(carry, left + right < left);
    const u64 difference = ptx::subc<u64>(a[0], b[0], carry = false);
    const u64 difference_high = ptx::subc<u64>(a[1], b[1], carry);
    ASSERT_TRUE(joined(difference, difference_high) == left - right);
    ASSERT_EQ(carry, left < right);
    const u64 product = ptx::madc_lo<u64>(a[0], b[0], a[1], carry = false);
    const u64 product_high = ptx::madc_hi<u64>(a[0], b[0], b[1], carry);
    ASSERT_TRUE(joined(product, product_high) == unsigned_wide(a[0]) * b[0] + joined(a[1], b[1]));
  }
}

TEST(ptx_integers, dot_products_take_each_factor_by_its_type) {
  SCOPED_TRACE(heddle_test::seed_text());
  words next;
  const auto part = [](u32 word, unsigned bits, unsigned index, bool is_signed) {
    const s64 value = word >> (bits * index) & ((1u << bits) - 1);
    return is_signed && value >= (1 << (bits - 1)) ? value - (1 << bits) : value;
  };
  for (int round = 0; round < rounds; ++round) {
    const auto a = static_cast<u32>(next()), b = static_cast<u32>(next()),
               c = static_cast<u32>(next());
    s64 mixed = c, halves = c;
    for (unsigned i = 0; i < 4; ++i) mixed += part(a, 8, i, true) * part(b, 8, i, false);
    for (unsigned i = 0; i < 2; ++i) halves += part(a, 16, i, false) * part(b, 8, i + 2, true);
    ASSERT_EQ((ptx::dp4a<s32, u32>(static_cast<s32>(a), b, c)), static_cast<u32>(mixed));
    ASSERT_EQ((ptx::dp2a_hi<u32, s32>(a, static_cast<s32>(b), c)), static_cast<u32>(halves));
  }
}

TEST(ptx_integers, distances_of_bytes_take_each_byte_by_its_type) {
  SCOPED_TRACE(heddle_test::seed_text());
  words next;
  for (int round = 0; round < rounds; ++round) {
    const auto a = static_cast<u32>(next()), b = static_cast<u32>(next()),
               c = static_cast<u32>(next());
    EXPECT_EQ((ptx::vabsdiff4<u32, u32, u32>(a, b, c)), __vabsdiffu4(a, b));
    EXPECT_EQ((ptx::vabsdiff4_add<u32, u32, u32>(a, b, c)), c + __vsadu4(a, b));
    EXPECT_EQ((ptx::vabsdiff4_add<u32, s32, s32>(static_cast<s32>(a), b, c)), c + __vsads4(a, b));
  }
}

TEST(ptx_values, registers_hold_bits) {
  EXPECT_EQ(ptx::take<u32>(1.0f), 0x3f800000u);
  EXPECT_EQ(ptx::take<float>(0x3f800000u), 1.0f);
  EXPECT_EQ(ptx::take<ptx::u8>(0x1ffu), 0xffu);
  float to = 0;
  ptx::put(to, 0x40000000u);
  EXPECT_EQ(to, 2.0f);
  long long wide_to = 0;
  ptx::put(wide_to, static_cast<ptx::s8>(-3));
  EXPECT_EQ(wide_to, -3);
  EXPECT_EQ((ptx::joined<u64>(u32(1), u32(2))), 0x200000001ull);
  EXPECT_EQ(ptx::part<ptx::b16>(0x20001u, 1), 2u);
}

}  // namespace
