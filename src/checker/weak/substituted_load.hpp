// Puts another value into memory for the duration of one load.
#pragma once
#include <cstdint>

#include "checker/memory/plain_word.hpp"

namespace heddle_checker {

// The compiler's hook announces a volatile load and leaves the load to the program. The load is the
// lane's next action, and only one lane runs. So no other lane sees the value if it is restored
// before the next access of any lane and before the memory is reused.
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
  unsigned bytes_ = 0;  // 0: nothing is substituted
  std::uint64_t original_ = 0;
};

}  // namespace heddle_checker
