// One access to memory, as a hook describes it.
#pragma once
#include <cstdint>

#include "checker/race/access.hpp"
#include "checker/race/past_stores.hpp"

namespace heddle_checker {

// Cold paths take it by value, so that the hot one can keep it in registers.
struct access {
  std::uintptr_t address;
  unsigned bytes;
  direction way;
  strength how;
  heddle_checker::scope reach;     // of accesses that are not plain
  heddle_checker::order ordering;  // of atomic accesses
  const void* code;
  late_value* late = nullptr;  // of accesses that are not plain, where loads may be late

  [[nodiscard]] bool may_order_memory() const {
    return how == strength::atomic || how == strength::relaxed_volatile;
  }
};

// An address by itself, for the description of memory in a finding.
inline access spot_at(std::uintptr_t address) {
  return {address, 0, direction::read, strength::plain, {}, {}, nullptr};
}

}  // namespace heddle_checker
