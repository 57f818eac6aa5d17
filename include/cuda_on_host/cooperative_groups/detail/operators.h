// The operators of group reductions and scans: plus, less (the smaller), greater, bit_and, bit_or,
// bit_xor.
#pragma once

namespace cooperative_groups {

template <typename T>
struct plus {
  T operator()(T left, T right) const { return static_cast<T>(left + right); }
};
template <typename T>
struct less {
  T operator()(T left, T right) const { return right < left ? right : left; }
};
template <typename T>
struct greater {
  T operator()(T left, T right) const { return left < right ? right : left; }
};
template <typename T>
struct bit_and {
  T operator()(T left, T right) const { return static_cast<T>(left & right); }
};
template <typename T>
struct bit_or {
  T operator()(T left, T right) const { return static_cast<T>(left | right); }
};
template <typename T>
struct bit_xor {
  T operator()(T left, T right) const { return static_cast<T>(left ^ right); }
};

}  // namespace cooperative_groups
