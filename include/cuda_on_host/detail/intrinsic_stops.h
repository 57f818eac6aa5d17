// Declares the device functions of intrinsic_stops.inc.
#pragma once
#include <heddle_host/stop.hpp>

namespace cuda_on_host {

// Converts to any type that the caller expects; the function never returns.
struct no_result {
  template <typename T>
  operator T() const {
    __builtin_unreachable();
  }
};

}  // namespace cuda_on_host

#define HEDDLE_INTRINSIC(name)                                                                     \
  template <typename... Arguments>                                                                 \
  [[noreturn, gnu::noinline]] ::cuda_on_host::no_result name(const Arguments&...) {                \
    ::heddle_host::stop_at_call("the function `" #name "`", nullptr, __builtin_return_address(0)); \
  }
#include <detail/intrinsic_stops.inc>
#undef HEDDLE_INTRINSIC
