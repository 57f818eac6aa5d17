// coalesced_group: any set of lanes of one warp; its members are numbered by rank, not by lane.
#pragma once
#include <cooperative_groups/detail/lane.h>
#include <cooperative_groups/detail/shuffle.h>
#include <cooperative_groups/detail/thread_group.h>

namespace cooperative_groups {

class coalesced_group : public thread_group {
 public:
  unsigned num_threads() const { return detail::count(mask()); }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const { return detail::count(mask() & detail::lanes_below()); }
  unsigned meta_group_rank() const { return members.meta_rank; }
  unsigned meta_group_size() const { return members.meta_size; }
  void sync() const { __syncwarp(mask()); }

  // The value of the member with this rank, which must exist.
  template <typename T>
  detail::plain<T> shfl(T&& value, int source_rank) const {
    return from_lane(value, detail::lane_of_rank(mask(), static_cast<unsigned>(source_rank)));
  }
  // The value of the member `distance` ranks after or before; the caller's own value if there is
  // none.
  template <typename T>
  detail::plain<T> shfl_down(T&& value, unsigned distance) const {
    return from_lane(value, lane_or_own(distance < 32 ? thread_rank() + distance : 32));
  }
  template <typename T>
  detail::plain<T> shfl_up(T&& value, int distance) const {
    return from_lane(value, lane_or_own(thread_rank() - static_cast<unsigned>(distance)));
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
  unsigned get_mask() const { return mask(); }  // as in CUDA's class, for derived classes

 private:
  friend struct detail::group_access;
  explicit coalesced_group(detail::warp_members lanes) : thread_group(lanes) {}

  unsigned mask() const { return members.mask; }
  unsigned ranks(unsigned lanes) const { return detail::ranks_of_lanes(mask(), lanes); }
  unsigned lane_or_own(unsigned rank) const {
    const unsigned lane = detail::lane_of_rank(mask(), rank);
    return lane < 32 ? lane : detail::lane_id();
  }
  template <typename T>
  T from_lane(const T& value, unsigned lane) const {
    return detail::shuffle(mask(), value, static_cast<int>(lane), 32);
  }
};

// The lanes of the warp that are converged with the caller. Always inlined, because the call site
// decides which lanes these are.
__attribute__((always_inline)) inline coalesced_group coalesced_threads() {
  return detail::group_access::make<coalesced_group>(detail::warp_members{__activemask(), 0, 1});
}

}  // namespace cooperative_groups
