// Defines the functions that -fsanitize-coverage=trace-cmp calls at comparisons.
#include <bit>
#include <cstdint>

#include "checker/hooks/hooks.hpp"

#define CALLER __builtin_return_address(0)

__thread unsigned heddle_checker::comparisons_left = heddle_checker::comparisons_per_turn;

namespace {

template <typename Value>
std::uint64_t bits_of(Value value) {
  if constexpr (sizeof(Value) == 4) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return static_cast<std::uint64_t>(value);
  }
}
template <>
std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

template <typename Value>
[[gnu::noinline]] void compare_in_turn(Value one, Value other, const void* code) {
  if (heddle_checker::is_lane_code()) {
    const heddle_checker::checker_section guard;
    heddle_checker::checker_in_force->checks().stalls.lane_compares(bits_of(one), bits_of(other),
                                                                    code);
  } else {
    heddle_checker::comparisons_left = heddle_checker::comparisons_per_turn;
  }
}

template <typename Value>
[[gnu::always_inline]] inline void compare(Value one, Value other, const void* code) {
  if (__builtin_expect(--heddle_checker::comparisons_left == 0, 0)) {
    compare_in_turn(one, other, code);
  }
}

}  // namespace

#define HOOKS(name, Value) \
  void __sanitizer_cov_trace_##name(Value one, Value other) { compare(one, other, CALLER); }

extern "C" {

HOOKS(cmp1, std::uint8_t)
HOOKS(cmp2, std::uint16_t)
HOOKS(cmp4, std::uint32_t)
HOOKS(cmp8, std::uint64_t)
HOOKS(const_cmp1, std::uint8_t)
HOOKS(const_cmp2, std::uint16_t)
HOOKS(const_cmp4, std::uint32_t)
HOOKS(const_cmp8, std::uint64_t)
HOOKS(cmpf, float)
HOOKS(cmpd, double)

void __sanitizer_cov_trace_switch(std::uint64_t value, const std::uint64_t*) {
  compare(value, value, CALLER);
}

}  // extern "C"
