// Converts between addresses, places in the code and the race detector's terms.
#pragma once
#include <execinfo.h>

#include <cstdint>
#include <vector>

#include <heddle_host/finding.hpp>
#include <heddle_host/lane.hpp>

#include "checker/race/access.hpp"

namespace heddle_checker {

inline std::uintptr_t number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

// The call stack of the calling thread, innermost call first.
inline std::vector<const void*> calls_of_host() {
  constexpr int most_calls = 16;
  void* calls[most_calls];
  const int count = backtrace(calls, most_calls);
  return std::vector<const void*>(calls, calls + count);
}

// A place in host code, given by a return address.
inline heddle_host::lane_place host_place(const void* call, heddle_host::activity doing) {
  return {{}, {}, 0, 0, doing, call, true, 0, nullptr, heddle_host::actor::host};
}

// Converts the runtime's memory scope to the race detector's.
inline scope reach_of(heddle_host::memory_scope whom) {
  switch (whom) {
    case heddle_host::memory_scope::block:
      return scope::block;
    case heddle_host::memory_scope::cluster:
      return scope::cluster;
    case heddle_host::memory_scope::device:
      return scope::device;
    case heddle_host::memory_scope::system:
      break;
  }
  return scope::system;
}

inline heddle_host::activity doing(direction way) {
  using heddle_host::activity;
  return way == direction::read    ? activity::reading
         : way == direction::write ? activity::writing
                                   : activity::updating;
}

}  // namespace heddle_checker
