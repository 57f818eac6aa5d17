// A value that stands in memory for one load, in place of the one that belongs there.
#pragma once
#include <cstdint>

namespace heddle_checker {

// The compiler's hook for a volatile load announces it and leaves it to the program. The load is
// the next thing that the lane does, and only one lane runs: nobody else sees the value if it is
// given back before the next access of any lane, and before the memory is used for something else.
class lent_value {
 public:
  void lend(std::uintptr_t address, unsigned bytes, std::uint64_t value) {
    address_ = address;
    bytes_ = bytes;
    owned_ = exchanged(value);
  }
  void give_back() {
    if (__builtin_expect(bytes_ == 0, 1)) return;
    exchanged(owned_);
    bytes_ = 0;
  }

 private:
  // Not by memcpy: the program's calls of that come to the checker.
  std::uint64_t exchanged(std::uint64_t value) const {
    switch (bytes_) {
      case 1:
        return put<std::uint8_t>(value);
      case 2:
        return put<std::uint16_t>(value);
      case 4:
        return put<std::uint32_t>(value);
      default:
        return put<std::uint64_t>(value);
    }
  }
  template <typename Word>
  std::uint64_t put(std::uint64_t value) const {
    auto& place = *reinterpret_cast<volatile Word*>(address_);
    const Word before = place;
    place = static_cast<Word>(value);
    return before;
  }

  std::uintptr_t address_ = 0;
  unsigned bytes_ = 0;  // 0: nothing is lent
  std::uint64_t owned_ = 0;
};

}  // namespace heddle_checker
