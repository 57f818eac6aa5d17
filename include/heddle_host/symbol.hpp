// Device variables that the host accesses by name.
#pragma once
#include <cstddef>

#include <driver_types.h>

namespace heddle_host {

// A variable in static storage; `bytes` is 0 if its size is unknown.
struct symbol {
  const void* address;
  std::size_t bytes;
};

// From now on, copies by pointer treat the variable as device memory.
cudaError_t address_of_symbol(void** address, symbol of);

// With a null `stream` and `is_asynchronous` false, the call returns when the copy is done.
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
