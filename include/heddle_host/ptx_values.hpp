// PTX's types, the modifiers of its instructions, and registers, which hold bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle_host::ptx {

using pred = bool;
using u8 = unsigned char;
using s8 = signed char;
using b8 = unsigned char;
using u16 = unsigned short;
using s16 = short;
using b16 = unsigned short;
using u32 = unsigned;
using s32 = int;
using b32 = unsigned;
using u64 = unsigned long long;
using s64 = long long;
using b64 = unsigned long long;
__extension__ typedef unsigned __int128 b128;
using f32 = float;
using f64 = double;
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
struct f16x2 {
  u32 bits;
};
struct bf16x2 {
  u32 bits;
};
struct f32x2 {
  u64 bits;
};
struct e4m3x2 {
  u16 bits;
};
struct e5m2x2 {
  u16 bits;
};

// The words of an opcode that change what an instruction computes, as a set.
namespace how {
enum set : std::uint64_t { none = 0 };
constexpr set operator|(set a, set b) { return static_cast<set>(std::uint64_t(a) | b); }
constexpr set bit(int index) { return static_cast<set>(std::uint64_t(1) << index); }
constexpr bool has(set all, set wanted) { return (std::uint64_t(all) & wanted) != 0; }
inline constexpr set rn = bit(0), rz = bit(1), rm = bit(2), rp = bit(3);
inline constexpr set rni = bit(4), rzi = bit(5), rmi = bit(6), rpi = bit(7);
inline constexpr set ftz = bit(8), sat = bit(9), relu = bit(10), satfinite = bit(11);
inline constexpr set NaN = bit(12), xorsign = bit(13), abs = bit(14);
inline constexpr set eq = bit(15), ne = bit(16), lt = bit(17), le = bit(18), gt = bit(19),
                     ge = bit(20), lo = bit(21), ls = bit(22), hi = bit(23), hs = bit(24);
inline constexpr set equ = bit(25), neu = bit(26), ltu = bit(27), leu = bit(28), gtu = bit(29),
                     geu = bit(30), num = bit(31), nan = bit(32);
inline constexpr set and_ = bit(33), or_ = bit(34), xor_ = bit(35);
inline constexpr set clamp = bit(36), wrap = bit(37), shiftamt = bit(38);
inline constexpr set f4e = bit(39), b4e = bit(40), rc8 = bit(41), ecl = bit(42), ecr = bit(43),
                     rc16 = bit(44);
inline constexpr set finite = bit(45), infinite = bit(46), number = bit(47), notanumber = bit(48),
                     normal = bit(49), subnormal = bit(50);
}  // namespace how

// A float may be stored as .b32 and read as .u32.
template <typename To, typename From>
inline To take(From from) {
  if constexpr (std::is_pointer_v<From>) {
    return static_cast<To>(reinterpret_cast<std::uintptr_t>(from));
  } else if constexpr (std::is_arithmetic_v<From> && std::is_arithmetic_v<To> &&
                       std::is_floating_point_v<From> == std::is_floating_point_v<To>) {
    return static_cast<To>(from);
  } else {
    static_assert(sizeof(To) == sizeof(From), "a PTX operand must have the instruction's size");
    To to;
    std::memcpy(static_cast<void*>(&to), &from, sizeof(to));
    return to;
  }
}

template <typename To, typename From>
inline void put(To& to, From from) {
  using value = std::remove_cv_t<To>;
  if constexpr (std::is_pointer_v<value>)
    to = reinterpret_cast<value>(static_cast<std::uintptr_t>(from));
  else
    to = take<value>(from);
}

// One of the equal parts of a register; part 0 has the lowest bits.
template <typename Part, typename Whole>
inline Part part(Whole whole, std::size_t index) {
  Part parts[sizeof(Whole) / sizeof(Part)];
  std::memcpy(parts, &whole, sizeof(whole));
  return parts[index];
}

template <typename Whole, typename... Parts>
inline Whole joined(Parts... parts) {
  static_assert((sizeof(Parts) + ...) == sizeof(Whole), "the parts must fill the register");
  const typename std::common_type<Parts...>::type all[]{parts...};
  Whole whole;
  std::memcpy(static_cast<void*>(&whole), all, sizeof(whole));
  return whole;
}

}  // namespace heddle_host::ptx
