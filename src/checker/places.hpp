// Small words of the checker for places in the code and in memory.
#pragma once
#include <execinfo.h>

#include <cstdint>
#include <vector>

#include <heddle_host/finding.hpp>

#include "checker/race/access.hpp"

namespace heddle_checker {

inline std::uintptr_t number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

// The calls of the running thread, innermost first.
inline std::vector<const void*> calls_of_host() {
  constexpr int most_calls = 16;
  void* calls[most_calls];
  const int count = backtrace(calls, most_calls);
  return std::vector<const void*>(calls, calls + count);
}

// A place in the host's code that a call returns to.
inline heddle_host::lane_place host_place(const void* call, heddle_host::activity doing) {
  return {{}, {}, 0, 0, doing, call, true, 0, nullptr, heddle_host::actor::host};
}

inline heddle_host::activity doing(direction way) {
  using heddle_host::activity;
  return way == direction::read    ? activity::reading
         : way == direction::write ? activity::writing
                                   : activity::updating;
}

}  // namespace heddle_checker
