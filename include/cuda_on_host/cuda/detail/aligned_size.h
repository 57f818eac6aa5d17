// The types that memcpy_async of libcu++ takes and returns.
#pragma once
#include <cstddef>

namespace cuda {

// A size in bytes that is a multiple of `alignment`; both addresses are, too.
template <::std::size_t alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = alignment;
  ::std::size_t value;
  explicit constexpr aligned_size_t(::std::size_t size) : value(size) {}
  constexpr operator ::std::size_t() const { return value; }
};

enum async_contract_fulfillment { none, async };

}  // namespace cuda
