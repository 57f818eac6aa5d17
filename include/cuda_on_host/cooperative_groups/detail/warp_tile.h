// The operations of a tile of 1, 2, 4, 8, 16 or 32 threads, whatever its parent.
#pragma once
#include <cooperative_groups/detail/lane.h>
#include <cooperative_groups/detail/shuffle.h>
#include <cooperative_groups/detail/thread_block.h>

namespace cooperative_groups {
namespace detail {

template <unsigned Size>
class warp_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024 threads");

 public:
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static void sync() { __syncwarp(mask()); }

  // shfl takes the rank modulo the tile size; at the tile's edges, up, down and xor return the
  // lane's own value.
  template <typename T>
  plain<T> shfl(T&& value, int source_rank) const {
    return shuffle<plain<T>>(mask(), value, source_rank, Size);
  }
  template <typename T>
  plain<T> shfl_down(T&& value, unsigned distance) const {
    return shuffle_down<plain<T>>(mask(), value, distance, Size);
  }
  template <typename T>
  plain<T> shfl_up(T&& value, unsigned distance) const {
    return shuffle_up<plain<T>>(mask(), value, distance, Size);
  }
  template <typename T>
  plain<T> shfl_xor(T&& value, unsigned lane_mask) const {
    return shuffle_xor<plain<T>>(mask(), value, static_cast<int>(lane_mask), Size);
  }

  int any(int predicate) const { return __ballot_sync(mask(), predicate) != 0; }
  int all(int predicate) const { return __ballot_sync(mask(), predicate) == mask(); }
  unsigned ballot(int predicate) const { return ranks(__ballot_sync(mask(), predicate)); }
  template <typename T>
  unsigned match_any(T value) const {
    static_assert(std::is_arithmetic_v<T>, "match_any compares numbers");
    return ranks(__match_any_sync(mask(), value));
  }
  template <typename T>
  unsigned match_all(T value, int& all_match) const {
    static_assert(std::is_arithmetic_v<T>, "match_all compares numbers");
    return ranks(__match_all_sync(mask(), value, &all_match));
  }

 protected:
  friend struct group_access;
  static unsigned first_lane() { return lane_id() & ~(Size - 1); }
  static unsigned mask() { return (0xffffffffu >> (32 - Size)) << first_lane(); }
  static unsigned ranks(unsigned lanes) { return lanes >> first_lane(); }
};

}  // namespace detail
}  // namespace cooperative_groups
