// The nodes on a stack: the top, and for each node its neighbours and the node below them.
//   strategy    compare-and-swap of a node and a version in one word
//   needs       sm_75
#pragma once
#include <heddle/container/offers.cuh>

#include <cstdint>

namespace heddle::container::detail {

// Treiber's stack (1986) of neighbours. Nodes that share a word of bits and were pushed together
// are adjacent on the stack, the highest on top. The record of each names all of them and the node
// below them. So the top and one record name up to 32 nodes, and one exchange pushes or pops as
// many.
//
// The top is one word with a node and a version, which every change increments: an exchange that
// expects an old top fails even if the same node is back on top (ABA). Node i is stored as i + 1,
// none as 0. An operation that loses the race for the top looks for one of the opposite kind that
// lost too: see offers_view.
//   limits      if 2^32 other operations change the top while a lane is stopped inside an
//               operation, and it then finds the same node there, it misses the changes
class node_list_view {
 public:
  node_list_view() = default;
  __host__ __device__ node_list_view(unsigned long long* top, unsigned long long* records,
                                     offers_view offers)
      : top_(top), records_(records), offers_(offers) {}

  // Pushes the nodes of all of `who` in lane order: the last one ends up on top.
  //   called by   all of `who`
  //   seen        in the leader: the result of look()
  //   order       a lane that pops one of them sees what these lanes had written before
  template <bool is_alone>
  __device__ void push(const company<is_alone>& who, held_node mine,
                       unsigned long long seen) const {
    const int all = who.size(), rank = who.rank();
    const std::uint32_t highest = who.of_last(mine.number + 1);
    std::uint32_t inner = 0;  // the node below neighbours that are not the lowest
    if (who.of_last(mine.first) > 0) {
      inner = who.of_rank(mine.number + 1, mine.first > 0 ? mine.first - 1 : 0);
    }
    // Pops have taken the nodes of ranks below `done`; the next ones and their neighbours are the
    // lowest.
    int failures = 0;
    for (int done = 0;; ++failures) {
      const bool is_lowest = mine.first <= done;
      seen = who.of_leader(seen);
      if (rank >= done) {
        sync::store(records_ + mine.number,
                    join(is_lowest ? split(seen).node : inner, mine.neighbour_bits));
      }
      who.sync();  // the leader speaks for all
      unsigned long long held = 0;
      if (who.leads()) {
        sync::fence();
        held = exchange(seen, highest);
      }
      who.sync();  // no lane goes on before its node is on the stack
      held = who.of_leader(held);
      if (held == seen) return;
      const neighbours offered = neighbours::split(who.of_rank(mine.all().joined(), done));
      std::uint32_t left = 0;
      if (who.leads()) {
        const int looks = offers_view::looks_per_offer<is_alone>(failures);
        const bool has_waited =
            offers_.template offer<is_alone>(offered, random(split(seen).version), looks, left);
        seen = has_waited || looks > 1 ? look() : held;
      }
      left = who.of_leader(left);
      done += count(offered.bits) - count(left);
      if (done == all) return;
      if (is_lowest) mine.neighbour_bits = left;
    }
  }
  // The current top, for push().
  [[nodiscard]] __device__ unsigned long long look() const { return sync::load(top_); }

  // Pops a node for each lane, or for the first lanes if there are not enough. Returns how many got
  // one.
  //   called by   all of `who`
  //   expect      a lane calls it with a node that it may get, perhaps several times: what it reads
  //               from the last one by sync::load() is what was pushed
  //   order       the caller sees what the lanes that pushed the nodes had written before
  template <bool is_alone, typename Expect>
  [[nodiscard]] __device__ int pop(const company<is_alone>& who, held_node& mine,
                                   const Expect& expect) const {
    const int all = who.size();
    int have = 0;
    who.sync();  // the leader answers for all: it must know what they know
    sync::backoff wait(256);
    int failures = 0, looks = 0;  // before the next try at the top
    for (std::uint32_t tries = 0; have < all; ++tries) {
      // Prefer an offer to the contended top. Otherwise pops would win the top, and nearly all
      // pushes would wait.
      const neighbours got = offers_.take(who, offers_.look(who, random(tries)), all - have);
      if (got.bits != 0) {
        give_to(who, got, have, mine);
        who.sync();  // all see what its pushers have written, as the one that took it does
        if (who.rank() >= have && who.rank() < have + count(got.bits)) expect(mine.number);
        have += count(got.bits);
        continue;
      }
      if (looks > 0) {
        --looks;
        wait.pause();
        continue;
      }
      unsigned long long seen = 0;
      if (who.leads()) seen = sync::load_acquire(top_);
      who.sync();
      seen = who.of_leader(seen);
      if (split(seen).node == 0) break;
      held_node found = mine;
      const descent way = go_down(who, split(seen).node, have, found);
      if (way.is_consistent && who.rank() >= have && who.rank() < way.found) expect(found.number);
      // The exchange need not acquire: it succeeds only on the very top that was acquired.
      bool is_ours = false;
      if (who.leads() && way.is_consistent) is_ours = exchange(seen, way.next) == seen;
      if (who.of_leader(static_cast<int>(is_ours)) != 0) {
        mine = found;
        have = way.found;
        break;
      }
      looks = min(1 << min(failures++, 10), offers_view::longest_wait<is_alone>());
    }
    return have;
  }

 private:
  struct top {
    std::uint32_t node, version;
  };
  __device__ static top split(unsigned long long word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  __device__ static unsigned long long join(std::uint32_t low, std::uint32_t high) {
    return static_cast<unsigned long long>(high) << 32 | low;
  }
  // Returns the previous top: `seen` on success.
  __device__ unsigned long long exchange(unsigned long long seen, std::uint32_t node) const {
    return sync::compare_exchange(top_, seen, join(node, split(seen).version + 1));
  }
  // A number that differs for each lane and each `turn`.
  __device__ static std::uint32_t random(std::uint32_t turn) {
    const std::uint32_t thread =
        blockIdx.x * static_cast<unsigned>(block_size()) + static_cast<unsigned>(thread_rank());
    std::uint32_t bits = (thread ^ turn * 0x9e3779b9u) * 0x85ebca6bu;
    bits = (bits ^ bits >> 15) * 0xc2b2ae35u;
    return bits ^ bits >> 16;
  }

  // Gives these nodes to the lanes from rank `from` on, the highest first.
  template <bool is_alone>
  __device__ static void give_to(const company<is_alone>& who, neighbours nodes, int from,
                                 held_node& mine) {
    const int place = who.rank() - from, all = count(nodes.bits);
    if (place >= 0 && place < all) mine = {nodes.node(all - 1 - place), nodes.bits, from};
  }

  struct descent {
    std::uint32_t next;  // the top after this pop
    int found;           // lanes that have a node
    bool is_consistent;  // if not, records have changed, and so has the top
  };
  // Walks down from `next` until all lanes from rank `have` on have a node.
  template <bool is_alone>
  __device__ descent go_down(const company<is_alone>& who, std::uint32_t next, int have,
                             held_node& mine) const {
    const int all = who.size();
    while (next != 0 && have < all) {
      unsigned long long word = 0;
      if (who.leads()) word = sync::load(records_ + next - 1);
      word = who.of_leader(word);
      const int bit = static_cast<int>((next - 1) % nodes_of_word);
      const neighbours here{(next - 1) / nodes_of_word,
                            static_cast<std::uint32_t>(word >> 32) & lanes_below(bit + 1)};
      if (!contains(here.bits, bit)) return {next, have, false};
      const std::uint32_t kept = lowest(here.bits, max(count(here.bits) - (all - have), 0));
      const neighbours taken{here.word, here.bits & ~kept};
      give_to(who, taken, have, mine);
      have += count(taken.bits);
      next = kept != 0 ? neighbours{here.word, kept}.node(count(kept) - 1) + 1
                       : static_cast<std::uint32_t>(word);
    }
    return {next, have, true};
  }

  unsigned long long* top_ = nullptr;
  unsigned long long* records_ = nullptr;
  offers_view offers_;
};

}  // namespace heddle::container::detail
