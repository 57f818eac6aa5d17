// Finds kernels by the address of their function, to query and launch them.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <heddle_host/kernel.hpp>

namespace heddle_host {

struct parameter_layout {
  std::size_t bytes;
  std::size_t alignment;
};

// What a kernel's pointer loses when it becomes a `void*`: how to call it with its parameter types.
struct kernel_caller {
  // Passes the values that `arguments` points to, with the shape pushed before.
  void (*call)(const void* kernel, void** arguments);
  const kernel_image* (*inspect)(const void* kernel);
  std::size_t parameters;
  const parameter_layout* layouts;  // of each parameter
};

template <typename... Parameters>
void (*typed(const void* kernel))(Parameters...) {
  return reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel));
}

template <typename... Parameters, std::size_t... indices>
void call_with(void (*kernel)(Parameters...), void** arguments, std::index_sequence<indices...>) {
  (void)arguments;  // unused by a kernel without parameters
  kernel(*static_cast<Parameters*>(arguments[indices])...);
}

// The last element keeps the array from being empty.
template <typename... Parameters>
inline constexpr parameter_layout layouts_of[] = {{sizeof(Parameters), alignof(Parameters)}...,
                                                  {0, 1}};

template <typename... Parameters>
inline constexpr kernel_caller caller_for{
    [](const void* kernel, void** arguments) {
      call_with(typed<Parameters...>(kernel), arguments, std::index_sequence_for<Parameters...>());
    },
    [](const void* kernel) { return inspect(typed<Parameters...>(kernel)); }, sizeof...(Parameters),
    layouts_of<Parameters...>};

// Returns CUDA's codes: invalid device function for a null kernel, invalid handle for a null
// caller.
cudaError_t launch(const void* kernel, const kernel_caller* caller, const launch_shape& shape,
                   void** arguments);

template <typename... Parameters>
cudaError_t launch(void (*kernel)(Parameters...), const launch_shape& shape, void** arguments) {
  return launch(reinterpret_cast<const void*>(kernel), &caller_for<Parameters...>, shape,
                arguments);
}

void remember_kernel(const void* kernel, const kernel_caller& caller);

// Whether a call through the address can copy an argument of this type.
template <typename Parameter>
inline constexpr bool is_passed_by_copy = std::is_object_v<Parameter>&&
    std::is_copy_constructible_v<Parameter>&& std::is_move_constructible_v<Parameter>;

template <typename... Parameters>
bool make_known(void (*kernel)(Parameters...)) {
  if constexpr ((is_passed_by_copy<Parameters> && ...)) {
    remember_kernel(reinterpret_cast<const void*>(kernel), caller_for<Parameters...>);
  }
  return true;
}

// Every kernel's function refers to its own instance, so a kernel is known before main() starts; an
// instance of a template, as soon as the program takes its address.
template <auto kernel>
inline const bool is_known = make_known(kernel);

}  // namespace heddle_host
