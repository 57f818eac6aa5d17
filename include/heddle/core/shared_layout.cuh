// Where the items of several owners lie in shared memory, so that no two lanes meet in a bank.
#pragma once
#include <heddle/core/config.cuh>

#include <cstring>

namespace heddle {

// The most bytes, up to 16, that one instruction moves of so many.
constexpr int access_size(int bytes) {
  return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

// `count` items of each of `owners` threads, reached in two ways without bank conflicts: by lanes
// that each read all items of one owner, and by lanes that read one item each, in a row.
//
// An owner's items lie together, in units as large as one access can be. Owners that are accessed
// together would meet in the same banks if the units of an owner are even in number: then a unit is
// left out before each next group of owners that fills the banks in its own way. A group is a power
// of two, and items in a row that a whole warp reads never cross from one group to the next.
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

  // The offset at which the items of an owner begin, and that of one item, counted through all.
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

// Copies `size` bytes by accesses of `unit` bytes, to which `shared` is aligned.
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

}  // namespace heddle
