// Where the source declares a variable.
#pragma once

namespace heddle_host {

struct declaration_place {
  const char* file = nullptr;  // null if unknown
  int line = 0;
};

// The place that the frontend has written into the struct of declared variables, if any.
template <typename Slot>
constexpr auto declaration_of(int) -> decltype(Slot::heddle_declared()) {
  return Slot::heddle_declared();
}
template <typename Slot>
constexpr declaration_place declaration_of(long) {
  return {};
}

}  // namespace heddle_host
