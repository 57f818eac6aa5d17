// thread_block_tile: a part of a block or of a larger tile, with a size known at compile time.
#pragma once
#include <cooperative_groups/detail/block_tile.h>
#include <cooperative_groups/detail/warp_tile.h>

namespace cooperative_groups {

template <unsigned int Size, typename Parent = void>
class thread_block_tile;

namespace detail {

template <unsigned Size>
using tile_of_size = std::conditional_t<(Size <= 32), warp_tile<Size <= 32 ? Size : 32>,
                                        block_tile<(Size > 32) ? Size : 64>>;

// A tile that no longer knows its parent's type records which part of its parent it is. A one-warp
// tile is then also a thread_group.
template <unsigned Size, bool is_in_one_warp = (Size <= 32)>
class orphaned_tile : public warp_tile<Size>, public thread_group {
 public:
  using warp_tile<Size>::num_threads;
  using warp_tile<Size>::size;
  using warp_tile<Size>::sync;
  using warp_tile<Size>::thread_rank;
  unsigned meta_group_rank() const { return this->members.meta_rank; }
  unsigned meta_group_size() const { return this->members.meta_size; }

 protected:
  friend struct group_access;
  using warp_tile<Size>::mask;
  orphaned_tile(unsigned meta_rank, unsigned meta_size)
      : thread_group(warp_members{warp_tile<Size>::mask(), meta_rank, meta_size}) {}
};

template <unsigned Size>
class orphaned_tile<Size, false> : public block_tile<Size> {
 public:
  unsigned meta_group_rank() const { return rank; }
  unsigned meta_group_size() const { return count; }

 protected:
  orphaned_tile(unsigned meta_rank, unsigned meta_size) : rank(meta_rank), count(meta_size) {}

 private:
  unsigned rank, count;
};

}  // namespace detail

template <unsigned int Size, typename Parent>
class thread_block_tile : public detail::tile_of_size<Size> {
 public:
  static unsigned meta_group_rank() { return Parent::thread_rank() / Size; }
  static unsigned meta_group_size() { return (Parent::size() + Size - 1) / Size; }

  operator thread_block_tile<Size, void>() const {
    return detail::group_access::make<thread_block_tile<Size, void>>(meta_group_rank(),
                                                                     meta_group_size());
  }

 private:
  friend struct detail::group_access;
  thread_block_tile() = default;
};

template <unsigned int Size>
class thread_block_tile<Size, void> : public detail::orphaned_tile<Size> {
 public:
  template <typename Parent>
  thread_block_tile(const thread_block_tile<Size, Parent>& tile)
      : detail::orphaned_tile<Size>(tile.meta_group_rank(), tile.meta_group_size()) {}

 private:
  friend struct detail::group_access;
  thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : detail::orphaned_tile<Size>(meta_rank, meta_size) {}
};

inline thread_block_tile<1> this_thread() {
  return detail::group_access::make<thread_block_tile<1>>(0u, 1u);
}

}  // namespace cooperative_groups
