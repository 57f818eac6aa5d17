// Declares the variables of a checked or profiled program; the frontend writes this next to their
// declarations.
#pragma once
#include <cstddef>
#include <type_traits>

#include <heddle_host/declaration_place.hpp>

namespace heddle_host {

struct variable_declaration {
  const char* name;
  const volatile void* address;
  std::size_t bytes;
  const std::size_t* extents;  // of an array, outermost first
  std::size_t dimensions;      // how many extents there are
  declaration_place declared;
  bool is_constant = false;  // kernels must not write it
};
void declare_variable(const variable_declaration& what);

// A `__device__` or `__managed__` variable in static storage.
class device_variable {
 public:
  template <typename T>
  device_variable(const char* name, const volatile T& it, declaration_place where,
                  bool is_constant = false) {
    std::size_t extents[std::rank_v<T> + 1];
    store_extents<T>(extents);
    declare_variable(
        {name, __builtin_addressof(it), sizeof(T), extents, std::rank_v<T>, where, is_constant});
  }

 private:
  template <typename T>
  static void store_extents(std::size_t* to) {
    if constexpr (std::is_array_v<T>) {
      *to = std::extent_v<T>;
      store_extents<std::remove_extent_t<T>>(to + 1);
    }
  }

  // Compilers lay out variables in declaration order, so this padding follows the variable: a
  // kernel's write into it is reported and does no harm.
  [[maybe_unused]] std::byte room_[64] = {};
};

// A `__constant__` variable.
class constant_variable : public device_variable {
 public:
  template <typename T>
  constant_variable(const char* name, const volatile T& it, declaration_place where)
      : device_variable(name, it, where, true) {}
};

}  // namespace heddle_host
