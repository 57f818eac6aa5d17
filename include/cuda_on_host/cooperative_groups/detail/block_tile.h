// The operations of a tile of several warps (64 … 1024 threads), whatever its parent.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <cooperative_groups/detail/shuffle.h>
#include <cooperative_groups/detail/thread_block.h>
#include <heddle_host/barrier.hpp>

namespace cooperative_groups {
namespace detail {

template <unsigned Size>
class block_tile {
  static_assert(Size >= 64 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024 threads");

 public:
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static void sync() { ::heddle_host::tile_barrier(first_thread(), Size); }

  template <typename T>
  T shfl(T value, unsigned source_rank) const {
    return from_slot<T>(gather(value)[source_rank % Size]);
  }
  int any(int predicate) const {
    const int in_warp = __any_sync(0xffffffffu, predicate);
    const std::uint64_t* of_thread = gather(in_warp);
    bool some = false;
    for (unsigned warp = 0; warp < warps(); ++warp) {
      some = some || from_slot<int>(of_thread[warp * 32]) != 0;
    }
    return some;
  }
  int all(int predicate) const { return !any(!predicate); }

  // For the collectives: the value of each thread, by rank, and the number of warps.
  template <typename T>
  static const std::uint64_t* gather(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                  "tiles of more than 32 threads exchange trivially copyable types of at most 8 "
                  "bytes");
    std::uint64_t slot = 0;
    std::memcpy(&slot, &value, sizeof(T));
    return ::heddle_host::tile_gather(first_thread(), Size, slot);
  }
  template <typename T>
  static T from_slot(const std::uint64_t& slot) {
    alignas(T) unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &slot, sizeof(T));
    return *reinterpret_cast<T*>(bytes);
  }
  static unsigned warps() {
    const unsigned left = thread_block::size() - first_thread();
    return ((left < Size ? left : Size) + 31) / 32;
  }

 private:
  static unsigned first_thread() { return thread_block::thread_rank() / Size * Size; }
};

}  // namespace detail
}  // namespace cooperative_groups
