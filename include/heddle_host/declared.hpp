// Declares the variables of a checked or profiled program; the frontend writes this next to their
// declarations.
#pragma once
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include <heddle_host/declaration_place.hpp>

namespace heddle_host {

struct variable_declaration {
  const char* name;
  const volatile void* address;
  std::size_t bytes;
  std::vector<std::size_t> extents;  // of an array, outermost first
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
    variable_declaration declared{name, std::addressof(it), sizeof(T), {}, where, is_constant};
    add_extents<T>(declared.extents);
    declare_variable(declared);
  }

 private:
  template <typename T>
  static void add_extents(std::vector<std::size_t>& to) {
    if constexpr (std::is_array_v<T>) {
      to.push_back(std::extent_v<T>);
      add_extents<std::remove_extent_t<T>>(to);
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
