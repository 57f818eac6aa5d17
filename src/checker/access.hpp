// One memory access, as a hook describes it.
#pragma once
#include <cstdint>

#include "checker/race/access.hpp"
#include "checker/race/past_stores.hpp"

namespace heddle_checker {

// Cold paths take it by value so that the hot path can keep it in registers.
struct access {
  std::uintptr_t address;
  unsigned bytes;
  direction way;
  strength how;
  heddle_checker::scope reach;     // if the access is not plain
  heddle_checker::order ordering;  // if the access is atomic
  const void* code;
  late_value* late = nullptr;  // not for plain accesses: the value under `weak`

  [[nodiscard]] bool may_order_memory() const {
    return how == strength::atomic || how == strength::relaxed_volatile;
  }
};

// Just an address, to describe memory in a finding.
inline access spot_at(std::uintptr_t address) {
  return {address, 0, direction::read, strength::plain, {}, {}, nullptr};
}

}  // namespace heddle_checker
