// Lanes that call a hash table with equal keys: one of them does the operation for all.
#pragma once
#include <heddle/container/hash_key.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/warp/match.cuh>

namespace heddle::container::detail {

// The lanes that hold the caller's key, and the one that acts for them: the first or the last.
struct same_key {
  lane_mask peers;
  int leader;

  template <typename Bits>
  __device__ static same_key among(lane_mask lanes, Bits key, bool last_leads) {
    const lane_mask peers = warp::match_any(key, lanes);
    return {peers, last_leads ? last_lane(peers) : first_lane(peers)};
  }
  [[nodiscard]] __device__ bool leads() const { return lane_id() == leader; }
  // Each lane's own answer, from the leader's, as if they had come in lane order: the first lane
  // inserts, and the others find the key present (and replace its value if they assign).
  [[nodiscard]] __device__ insertion answer_from_leader(insertion answer) const {
    const auto of_leader =
        static_cast<insertion>(__shfl_sync(peers, static_cast<int>(answer), leader));
    const bool comes_behind = of_leader == insertion::inserted && lane_id() != first_lane(peers);
    return comes_behind ? insertion::present : of_leader;
  }
};

// One key of one lane. A reserved key is refused and never present.
template <typename Table, typename Value>
[[nodiscard]] __device__ insertion insert_one(const Table& table, typename Table::bits key,
                                              const Value& value, bool assigns) {
  if (table.is_reserved(key)) return insertion::refused;
  const typename Table::bits keys[1] = {key};
  const Value values[1] = {value};
  const bool wanted[1] = {true};
  insertion answers[1] = {insertion::full};
  table.insert(keys, values, wanted, assigns, answers);
  return answers[0];
}
template <typename Table, typename Value>
[[nodiscard]] __device__ bool find_one(const Table& table, typename Table::bits key, Value& value) {
  if (table.is_reserved(key)) return false;
  const typename Table::bits keys[1] = {key};
  const bool wanted[1] = {true};
  Value values[1] = {};
  bool found[1] = {false};
  table.find(keys, wanted, values, found);
  if (found[0]) value = values[0];
  return found[0];
}
template <typename Table>
[[nodiscard]] __device__ bool erase_one(const Table& table, typename Table::bits key) {
  return !table.is_reserved(key) && table.erase(key);
}

// One key of each lane that wants it; every lane of `members` calls. Other lanes get `refused`.
template <typename Table, typename Value>
[[nodiscard]] __device__ insertion insert_together(const Table& table, typename Table::bits key,
                                                   const Value& value, bool assigns, bool wants,
                                                   lane_mask members) {
  const lane_mask lanes = __ballot_sync(members, wants);
  if (!wants) return insertion::refused;
  const same_key group = same_key::among(lanes, key, assigns);
  __syncwarp(group.peers);  // the leader answers for all: it must know what they know
  insertion answer = insertion::refused;
  if (group.leads()) answer = insert_one(table, key, value, assigns);
  __syncwarp(group.peers);  // and what it has done is done when they go on
  return group.answer_from_leader(answer);
}
template <typename Table>
[[nodiscard]] __device__ bool erase_together(const Table& table, typename Table::bits key,
                                             bool wants, lane_mask members) {
  const lane_mask lanes = __ballot_sync(members, wants);
  if (!wants) return false;
  const same_key group = same_key::among(lanes, key, false);
  __syncwarp(group.peers);
  const bool is_gone = group.leads() && erase_one(table, key);
  __syncwarp(group.peers);
  return is_gone;
}

}  // namespace heddle::container::detail
