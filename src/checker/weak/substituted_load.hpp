// A value that stands in memory for one load, in place of the one that belongs there.
#pragma once
#include <cstdint>

#include "checker/memory/plain_word.hpp"

namespace heddle_checker {

// The compiler's hook for a volatile load announces it and leaves it to the program. The load is
// the next thing that the lane does, and only one lane runs: nobody else sees the value if it is
// given back before the next access of any lane, and before the memory is used for something else.
class substituted_load {
 public:
  void substitute(std::uintptr_t address, unsigned bytes, std::uint64_t value) {
    address_ = address;
    bytes_ = bytes;
    original_ = load_word(address, bytes);
    store_word(address, bytes, value);
  }
  void restore() {
    if (__builtin_expect(bytes_ == 0, 1)) return;
    store_word(address_, bytes_, original_);
    bytes_ = 0;
  }

 private:
  std::uintptr_t address_ = 0;
  unsigned bytes_ = 0;  // 0: nothing is lent
  std::uint64_t original_ = 0;
};

}  // namespace heddle_checker
