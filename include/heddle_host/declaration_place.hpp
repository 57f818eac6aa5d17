// Where the source declares a variable.
#pragma once

namespace heddle_host {

struct declaration_place {
  const char* file = nullptr;  // null: not known
  int line = 0;
};

// What the frontend has written into the struct that holds declared variables, if anything.
template <typename Slot>
constexpr auto declaration_of(int) -> decltype(Slot::heddle_declared()) {
  return Slot::heddle_declared();
}
template <typename Slot>
constexpr declaration_place declaration_of(long) {
  return {};
}

}  // namespace heddle_host
