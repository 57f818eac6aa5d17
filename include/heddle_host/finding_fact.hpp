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
enum class launch_limit : unsigned char {
  none,
  empty,  // a dimension of the grid or the block is 0
  block_threads,
  block_depth,  // threads in z
  grid_width,   // blocks in x
  grid_height,
  grid_depth,
  launch_bounds,  // the kernel's own limit for a block's threads
  shared_memory,
  chosen_shared_memory,  // the kernel may have more, if the program asks for it
  resident_blocks        // of a cooperative launch
};
// Why a launch is refused.
struct exceeded_limit {
  launch_limit which = launch_limit::none;
  std::uint64_t asked = 0;
  std::uint64_t allowed = 0;
};
struct cuda_error {
  std::string name;      // such as cudaErrorInvalidValue
  std::string text;      // CUDA's text, such as: invalid argument
  exceeded_limit limit;  // if the call launches a kernel
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
