// What is specific to one finding: an index, a condition, a CUDA error.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace heddle_host {

struct array_index {
  std::int64_t index = 0;
  std::string array;  // its type, as the compiler writes it: 'float [5]'
};
struct alignment_rule {
  std::uint64_t multiple_of = 0;  // bytes; 0 if the size must be 4, 8 or 16
  std::uint64_t size = 0;         // of an asynchronous copy
};
struct failed_assertion {
  std::string condition;
};
struct raised_signal {
  int number = 0;
  std::uint64_t address = 0;
};
struct time_limit {
  double seconds = 0;
};
struct stack_limit {
  std::uint64_t bytes = 0;
};
// Of a race: the intended order of the two accesses is unknown. Otherwise the access in the second
// place should come first.
struct unknown_order {};
struct cuda_error {
  std::string name;  // such as cudaErrorInvalidValue
  std::string text;  // CUDA's text, such as: invalid argument
};
struct shift_distance {
  std::int32_t distance = 0;
  std::uint32_t width = 0;  // of the shifted value, in bits
};

// What is specific to this finding, besides its places and its memory.
using finding_fact =
    std::variant<std::monostate, array_index, alignment_rule, failed_assertion, raised_signal,
                 time_limit, stack_limit, unknown_order, cuda_error, shift_distance>;

}  // namespace heddle_host
