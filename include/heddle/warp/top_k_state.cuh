// The first k keys of a stream that a warp reads 32 at a time, each with its value.
//   strategy    a sorted list across the lanes; a vote skips keys that do not qualify, others are
//               inserted or merged
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/ordering.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/bitonic.cuh>
#include <heddle/warp/top_k.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::warp {

// The value type of keys without values.
struct no_value {};

// The first k of all keys so far by `Before`, each with its value; by default the largest keys.
// Every lane has one such object; each member function is
//   called by   all 32 lanes of the warp, with the warp's own state
// `Before` decides the order of NaN and ±0: descending and ascending put NaN last.
template <int k, exchangeable Key, exchangeable Value = no_value, orders<Key> Before = descending>
class top_k_state {
  static_assert(1 <= k && k <= warp_size, "a warp keeps 1 to 32 keys");

 public:
  // Starts with no keys.
  __device__ explicit top_k_state(Before before = {}) : before_(before) {}

  // Adds one key from each lane for which `is_there` is true.
  //   order       of equal keys, the earlier one is kept and comes first: by call, then by lane
  //   cost        a comparison and a vote if no key qualifies. Otherwise 2 shuffles for every four
  //               bytes of key and value for each key that does; if these are many, the steps of
  //               stable_top_k() and 1 + log2(k) more
  __device__ void merge(const Key& key, const Value& value, bool is_there = true) {
    const bool comes_in = is_there && (held_ < k || before_(key, last_));
    lane_mask newcomers = __ballot_sync(all_lanes, comes_in);
    if (newcomers == 0) return;
    const int newcomer_count = heddle::count(newcomers);
    if (newcomer_count <= most_insertions) {
      for (; newcomers != 0; newcomers &= newcomers - 1) {
        const int lane = first_lane(newcomers);
        insert(shuffle(all_lanes, key, lane), moved(value, lane, warp_size));
      }
    } else {
      merge_network(key, value, comes_in);
      held_ = min(k, held_ + newcomer_count);
    }
    last_ = shuffle(all_lanes, key_, k - 1);
  }
  __device__ void merge(const Key& key,
                        bool is_there = true) requires std::is_same_v<Value, no_value> {
    merge(key, no_value{}, is_there);
  }

  // The number of keys held: k, or all keys so far if those are fewer.
  //   result in   every lane
  [[nodiscard]] __device__ int count() const { return held_; }

  // The key whose rank is the lane's number, and its value.
  //   result in   lanes 0 … count() - 1
  [[nodiscard]] __device__ const Key& key() const { return key_; }
  [[nodiscard]] __device__ const Value& value() const { return value_; }

 private:
  // Every aligned block of `width` lanes holds the same list.
  static constexpr int width = detail::tile_for<k>;
  using form = detail::keyed<Key, Before, detail::by_key_and_load_if_there<Before>>;

  // An insertion takes about as long as two steps of the network, which has 6, 11, 15, 18, 20 and
  // 21 steps for 1, 2, 4, 8, 16 and 32 lanes.
  static constexpr int most_insertions = width == 1   ? 3
                                         : width == 2 ? 5
                                         : width == 4 ? 7
                                         : width == 8 ? 9
                                                      : 10;

  __device__ static Value moved(const Value& value, int source, int section) {
    if constexpr (std::is_same_v<Value, no_value>) {
      return value;
    } else {
      return shuffle(all_lanes, value, source, section);
    }
  }

  // Inserts one key, the same in all lanes, after all keys that come before it or are equal to it.
  __device__ void insert(const Key& key, const Value& value) {
    const int place = lane_id() % width;
    const Key previous_key = shuffle_up(all_lanes, key_, 1, width);
    const bool stays = place < held_ && !before_(key, key_);
    const bool previous_stays = place == 0 || (place <= held_ && !before_(key, previous_key));
    if constexpr (!std::is_same_v<Value, no_value>) {
      const Value previous_value = shuffle_up(all_lanes, value_, 1, width);
      const Value& moves_up = previous_stays ? value : previous_value;
      if (!stays) value_ = moves_up;
    }
    const Key& moves_up = previous_stays ? key : previous_key;
    if (!stays) key_ = moves_up;
    held_ = min(k, held_ + 1);
  }

  // Sorts the newcomers and merges them with the list. Loads 0 … 31 are places in the list, 32 … 63
  // the lanes of newcomers, so that values can be fetched at the end.
  __device__ void merge_network(const Key& key, const Value& value, bool comes_in) {
    const int place = lane_id() % width;
    const auto order = form::order(before_);
    const auto mine = comes_in ? form::make(key, static_cast<std::uint32_t>(warp_size + lane_id()))
                               : form::make_missing(key);
    const auto newcomer = detail::first_items<width, warp_size>(mine, all_lanes, order);
    const auto old = place < held_ ? form::make(key_, static_cast<std::uint32_t>(place))
                                   : form::make_missing(key);
    const auto backwards = detail::from_partner(all_lanes, newcomer, width - 1);
    const auto item = detail::keep_first<width>(old, backwards, all_lanes, order);
    key_ = form::key(item);
    const auto source = static_cast<int>(form::load(item));
    const Value from_old = moved(value_, source, width);
    const Value from_newcomers = moved(value, source, warp_size);
    value_ = source < warp_size ? from_old : from_newcomers;
  }

  Before before_;
  int held_ = 0;
  Key key_{};
  Key last_{};  // the key of rank k - 1, if the list is full
  Value value_{};
};

}  // namespace heddle::warp
