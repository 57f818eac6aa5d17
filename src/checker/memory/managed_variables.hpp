// Variables outside the arena that the host and the lanes share.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include <heddle_host/arena.hpp>

namespace heddle_checker {

class managed_variables {
 public:
  void add(std::uintptr_t begin, std::size_t bytes) {
    bytes_[begin] = bytes;
    const std::uintptr_t first = bytes_.begin()->first;
    around_ = {first, bytes_.rbegin()->first + bytes_.rbegin()->second - first};
  }
  // Called at each access of the host; the range around all variables answers most calls.
  [[nodiscard]] bool hold(std::uintptr_t address) const {
    if (__builtin_expect(!around_.contains(address), 1)) return false;
    const auto next = bytes_.upper_bound(address);
    return next != bytes_.begin() && address - std::prev(next)->first < std::prev(next)->second;
  }

 private:
  std::map<std::uintptr_t, std::size_t> bytes_;
  heddle_host::address_range around_{0, 0};
};

}  // namespace heddle_checker
