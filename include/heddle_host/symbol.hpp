// Variables of the device that the host reaches by name.
#pragma once
#include <cstddef>

#include <driver_types.h>

namespace heddle_host {

// A variable in static storage; `bytes` is 0 if the caller does not know its size.
struct symbol {
  const void* address;
  std::size_t bytes;
};

// From now on the variable counts as device memory for copies by pointer.
cudaError_t address_of_symbol(void** address, symbol of);

// `stream` null with `is_asynchronous` false: the call returns when the copy is done.
struct symbol_copy {
  std::size_t bytes;
  std::size_t offset;
  cudaMemcpyKind kind;
  bool is_asynchronous;
  cudaStream_t stream;
};
cudaError_t copy_to_symbol(symbol to, const void* source, const symbol_copy& how);
cudaError_t copy_from_symbol(void* destination, symbol from, const symbol_copy& how);

}  // namespace heddle_host
