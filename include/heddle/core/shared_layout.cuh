// A layout of several threads' items in shared memory that avoids bank conflicts.
#pragma once
#include <heddle/core/config.cuh>

#include <cstring>

namespace heddle::detail {

// The static shared memory that a block may have. With a scratch that needs more, ptxas would
// refuse the kernel, with its mangled name.
inline constexpr int most_static_bytes = 48 * 1024;

// The widest access, up to 16 bytes, that `bytes` is a multiple of.
constexpr int access_size(int bytes) {
  return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

// `count` items for each of `owners` threads. Two access patterns have no bank conflicts: each lane
// reads all items of one owner, or each lane reads one item and neighbouring lanes read
// neighbouring items.
//
// An owner's items are contiguous, in units of the widest possible access. If the number of units
// per owner is even, owners that are accessed together would conflict. So one unit of padding
// follows each group of owners that do not conflict among themselves. A group has a power of two of
// owners, and consecutive items that a whole warp reads never span two groups.
template <int item_size, int owners, int count>
struct shared_layout {
  static constexpr int bytes_of_all_banks = 128;
  static constexpr int item_bytes = item_size;
  static constexpr int item_unit = access_size(item_bytes);
  static constexpr int owner_bytes = count * item_bytes;
  static constexpr int owner_unit = access_size(owner_bytes);
  static constexpr int units = owner_bytes / owner_unit;
  static constexpr int units_of_all_banks = bytes_of_all_banks / owner_unit;
  static constexpr int even_part =
      (units & -units) < units_of_all_banks ? units & -units : units_of_all_banks;
  static constexpr bool is_padded = owner_unit >= 4 && even_part > 1;
  static constexpr int owners_of_group = units_of_all_banks / even_part;
  static constexpr int padding = is_padded ? (owners - 1) / owners_of_group * owner_unit : 0;
  static constexpr int bytes = owners * owner_bytes + padding;

  // The byte offset of an owner's first item, and of one item, numbered across all owners.
  [[nodiscard]] __host__ __device__ static constexpr unsigned of_owner(unsigned owner) {
    unsigned place = owner * owner_bytes;
    if constexpr (is_padded) place += owner / owners_of_group * owner_unit;
    return place;
  }
  [[nodiscard]] __host__ __device__ static constexpr unsigned of_item(unsigned item) {
    unsigned place = item * item_bytes;
    if constexpr (is_padded) place += item / (owners_of_group * count) * owner_unit;
    return place;
  }
};

// Copies `size` bytes in accesses of `unit` bytes; `shared` is aligned to `unit`.
template <int size, int unit>
__device__ inline void copy_to_shared(unsigned char* shared, const void* from) {
#pragma unroll
  for (int i = 0; i < size; i += unit) {
    std::memcpy(__builtin_assume_aligned(shared + i, unit),
                static_cast<const unsigned char*>(from) + i, unit);
  }
}
template <int size, int unit>
__device__ inline void copy_from_shared(void* to, const unsigned char* shared) {
#pragma unroll
  for (int i = 0; i < size; i += unit) {
    std::memcpy(static_cast<unsigned char*>(to) + i, __builtin_assume_aligned(shared + i, unit),
                unit);
  }
}

}  // namespace heddle::detail
