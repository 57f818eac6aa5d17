// Finds floating-point products that are added to something, in machine code: what nvcc could fuse.
#pragma once
#include <cstdint>
#include <vector>

#include "report/check/instructions.hpp"

namespace heddle_report {

// What an instruction does with floating-point numbers, as far as it matters for fused products.
enum class float_step : unsigned char { none, product, sum, move, other };

// A vector register, or a place in the stack frame, which can hold values across calls.
using float_place = std::int64_t;
inline constexpr float_place elsewhere = -1;
inline constexpr float_place first_of_stack = std::int64_t{1} << 40;  // plus or minus the offset

struct float_operation {
  float_step what = float_step::none;
  float_place to = elsewhere;
  float_place left = elsewhere;
  float_place right = elsewhere;
};
float_operation read_float_operation(const code_bytes& code, std::uint64_t address,
                                     instruction_set set);

// A product, and a sum that reads it.
struct product_and_sum {
  std::uint64_t product = 0;  // addresses of the instructions
  std::uint64_t sum = 0;
};

// The sums in the straight-line code [begin, end) that read a product computed in it.
std::vector<product_and_sum> sums_of_products(const code_bytes& code, std::uint64_t begin,
                                              std::uint64_t end, instruction_set set);

}  // namespace heddle_report
