// A stack of node numbers linked through an array; the scheduler's batches are on such stacks.
//   strategy    compare-and-swap of a node and a version in one word
//   needs       sm_75
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

#include <cstdint>

namespace heddle::container::detail {

// Treiber's stack (1986). The top is one word with a node and a version, which every change
// increments: an exchange that expects an old top fails even if the same node is back on top (ABA).
// Lanes that come together change the top once: the first of them exchanges it for all.
//
// Node i is stored as i + 1, so zeroed memory is an empty stack. Several stacks may share the
// links, but a node may be on only one of them at a time.
//   limits      at most 2^32 - 1 nodes; if 2^32 other operations change the top while a lane is
//               stopped inside an operation, and it then finds the same node there, it misses the
//               changes
class index_stack_view {
 public:
  index_stack_view() = default;
  __host__ __device__ index_stack_view(unsigned long long* top, std::uint32_t* links)
      : top_(top), links_(links) {}

  // Pushes the nodes of the lanes with `wants`, in lane order: the last one ends up on top.
  //   called by   every lane of `members`
  //   order       a lane that pops one of them sees what these lanes had written before
  //   cost        two shuffles, two warp barriers, a fence and an exchange
  __device__ void push(std::uint32_t node, bool wants, lane_mask members) const {
    const lane_mask lanes = __ballot_sync(members, wants);
    if (!wants) return;
    const int first = first_lane(lanes);
    const int before = previous_lane(lanes, lane_id());
    const std::uint32_t below = __shfl_sync(lanes, node + 1, before < 0 ? first : before);
    const std::uint32_t highest = __shfl_sync(lanes, node + 1, last_lane(lanes));
    if (before >= 0) sync::store(links_ + node, below);
    __syncwarp(lanes);  // the first lane speaks for all
    if (lane_id() == first) {
      for (sync::backoff wait;; wait.pause()) {
        const top seen = split(sync::load(top_));
        sync::store(links_ + node, seen.node);
        sync::fence();
        if (exchange(seen, highest)) break;
      }
    }
    __syncwarp(lanes);  // no lane goes on before its node is on the stack
  }

  // Pops a node for each lane with `wants`, as far as there are any.
  //   called by   every lane of `members`
  //   result in   those lanes: false where there was none; the first lanes get the topmost nodes
  //   order       the caller sees what the lanes that pushed the nodes had written before
  //   cost        an exchange, an acquire and two shuffles for all, a load for each
  [[nodiscard]] __device__ bool pop(std::uint32_t& node, bool wants, lane_mask members) const {
    const lane_mask lanes = __ballot_sync(members, wants);
    if (!wants) return false;
    const int first = first_lane(lanes);
    __syncwarp(lanes);  // the first lane answers for all: it must know what they know
    for (sync::backoff wait;; wait.pause()) {
      const top seen = look(lanes, first);
      if (seen.node == 0) return false;
      // All lanes walk down together. If another lane changes the links meanwhile, the top has
      // changed too, and the exchange fails.
      std::uint32_t next = seen.node, mine = 0;
      for (int i = 0; i < count(lanes) && next != 0; ++i) {
        if (i == rank(lanes)) mine = next;
        next = sync::load(links_ + next - 1);
      }
      // The exchange need not acquire: it succeeds only on the very top that look() has acquired.
      bool is_ours = false;
      if (lane_id() == first) is_ours = exchange(seen, next);
      __syncwarp(lanes);  // all have read the links before one of these lanes changes them
      if (__shfl_sync(lanes, is_ours, first) != 0) {
        node = mine - 1;
        return mine != 0;
      }
    }
  }

  // True if the stack was empty at the moment of the call.
  [[nodiscard]] __device__ bool is_empty() const { return split(sync::load(top_)).node == 0; }

 private:
  struct top {
    std::uint32_t node, version;
  };
  __device__ static top split(unsigned long long word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  __device__ static unsigned long long join(std::uint32_t node, std::uint32_t version) {
    return static_cast<unsigned long long>(version) << 32 | node;
  }
  // The top as the first lane sees it. The barrier makes all lanes see what was written before it
  // was pushed; a shuffle alone does not.
  __device__ top look(lane_mask lanes, int first) const {
    unsigned long long word = 0;
    if (lane_id() == first) word = sync::load_acquire(top_);
    __syncwarp(lanes);
    return split(__shfl_sync(lanes, word, first));
  }
  __device__ bool exchange(const top& seen, std::uint32_t node) const {
    const unsigned long long old = join(seen.node, seen.version);
    return sync::compare_exchange(top_, old, join(node, seen.version + 1)) == old;
  }

  unsigned long long* top_ = nullptr;
  std::uint32_t* links_ = nullptr;
};

}  // namespace heddle::container::detail
