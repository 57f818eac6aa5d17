// The host API of device variables.
#include <heddle_host/symbol.hpp>

#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/transfer.hpp"
#include "memory/registry.hpp"

namespace heddle_host {
namespace {

// From now on, copies treat the variable as device memory.
void make_known(symbol which) {
  const auto known = memory::find(which.address);
  const bool is_part = known && known->base != which.address;
  if (known && (is_part || known->bytes >= which.bytes)) return;
  memory::allocation variable;
  variable.base = static_cast<char*>(const_cast<void*>(which.address));
  variable.bytes = which.bytes;
  variable.from = memory::origin::symbol;
  memory::add(variable);
}

// Checks the variable and the range within it.
cudaError_t check(symbol which, const symbol_copy& how, bool is_written) {
  if (which.address == nullptr || !memory::is_static_storage(which.address, is_written)) {
    return cudaErrorInvalidSymbol;
  }
  const std::size_t last = how.offset + how.bytes;
  if (last < how.offset || (which.bytes != 0 && last > which.bytes)) {
    return api::refuse(cudaErrorInvalidValue, which.address);
  }
  make_known({which.address, which.bytes != 0 ? which.bytes : last});
  return cudaSuccess;
}

cudaError_t send(const memory::copy& what, const symbol_copy& how) {
  return how.is_asynchronous ? api::transfer_in_stream(what, how.kind, how.stream)
                             : api::transfer(what, how.kind);
}

}  // namespace

cudaError_t address_of_symbol(void** address, symbol of) {
  return api::device_call([&] {
    if (address == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = check(of, {of.bytes, 0, cudaMemcpyDefault, false, nullptr}, false);
    if (error == cudaSuccess) *address = const_cast<void*>(of.address);
    return error;
  });
}

cudaError_t copy_to_symbol(symbol to, const void* source, const symbol_copy& how) {
  return api::device_call([&] {
    if (how.kind == cudaMemcpyDeviceToHost || how.kind == cudaMemcpyHostToHost) {
      return cudaErrorInvalidMemcpyDirection;
    }
    if (const cudaError_t error = check(to, how, true); error != cudaSuccess) return error;
    char* const begin = static_cast<char*>(const_cast<void*>(to.address)) + how.offset;
    return send(memory::flat_copy(begin, source, how.bytes), how);
  });
}

cudaError_t copy_from_symbol(void* destination, symbol from, const symbol_copy& how) {
  return api::device_call([&] {
    if (how.kind == cudaMemcpyHostToDevice || how.kind == cudaMemcpyHostToHost) {
      return cudaErrorInvalidMemcpyDirection;
    }
    if (const cudaError_t error = check(from, how, false); error != cudaSuccess) return error;
    const char* const begin = static_cast<const char*>(from.address) + how.offset;
    return send(memory::flat_copy(destination, begin, how.bytes), how);
  });
}

}  // namespace heddle_host

using namespace heddle_host;

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return copy_to_symbol({symbol, 0}, source, {bytes, offset, kind, false, nullptr});
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_symbol({symbol, 0}, source, {bytes, offset, kind, true, stream});
}

cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_from_symbol(destination, {symbol, 0}, {bytes, offset, kind, false, nullptr});
}

cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t bytes,
                                      size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_from_symbol(destination, {symbol, 0}, {bytes, offset, kind, true, stream});
}
