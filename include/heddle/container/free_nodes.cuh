// The free nodes of a stack: one bit for each, and a count of those taken.
//   strategy    a look and an addition reserve places; one atomic update takes several bits of a
//               word
//   needs       sm_75
#pragma once
#include <heddle/container/free_bits.cuh>
#include <heddle/sync/backoff.cuh>

#include <cstdint>

namespace heddle::container::detail {

// A node that a lane of a company holds, and the neighbours of it that other lanes of the company
// hold. Consecutive lanes hold these, starting with the lane of rank `first`.
struct held_node {
  std::uint32_t number, neighbour_bits;
  int first;

  [[nodiscard]] __device__ neighbours all() const {
    return {number / nodes_of_word, neighbour_bits};
  }
};

// A lane that has reserved a place eventually finds a node: there are always at least as many free
// bits as reserved places still without a node.
class free_nodes_view {
 public:
  free_nodes_view() = default;
  // `taken` starts at 0, with all bits set.
  __host__ __device__ free_nodes_view(std::uint32_t* taken, free_bits_view bits,
                                      std::uint32_t capacity)
      : taken_(taken), bits_(bits), capacity_(capacity) {}

  // Takes a node for each lane, or for the first lanes if there are not enough. Returns how many
  // got one.
  //   called by   all of `who`; the leader calls `meanwhile` while it would otherwise only wait
  //   order       the node's previous owner has finished with it
  //   cost        two loads, an addition, an update and a fence, if no search is needed
  template <bool is_alone, typename Meanwhile>
  [[nodiscard]] __device__ int take(const company<is_alone>& who, held_node& mine,
                                    const Meanwhile& meanwhile) const {
    who.sync();  // the leader asks for all: it must know what they know
    neighbours seen{};
    int granted = 0;
    if (who.leads()) {
      seen = bits_.guess<is_alone>();
      granted = reserve(who.size());
    }
    granted = who.of_leader(granted);
    if (granted == 0) return 0;
    if (who.leads()) meanwhile();
    for (int have = 0;;) {
      neighbours got{}, left{};
      if (who.leads()) {
        const auto found = bits_.take<is_alone>(seen, granted - have);
        got = found.got;
        left = found.left;
      }
      got = neighbours::split(who.of_leader(got.joined()));
      const int place = who.rank() - have, found = count(got.bits);
      if (place >= 0 && place < found) mine = {got.node(place), got.bits, have};
      have += found;
      if (have == granted) {
        if (who.leads()) {
          sync::fence();  // pairs with the fence of the lane that gave them back
          bits_.remember<is_alone>(left);
        }
        break;
      }
      seen = neighbours::split(who.of_leader(left.joined()));
      if (seen.bits == 0) search(who, granted - have, seen);
    }
    who.sync();  // and so are all
    return granted;
  }

  // Frees the nodes of all of `who`.
  template <bool is_alone>
  __device__ void give_back(const company<is_alone>& who, const held_node& mine) const {
    who.sync();  // all have done with theirs
    if (who.rank() == mine.first) {
      sync::fence();
      bits_.give_back(mine.all());
    }
    who.sync();  // bits first: every free place must have one
    if (who.leads()) {
      sync::add(taken_, 0u - static_cast<std::uint32_t>(who.size()));
      bits_.remember<is_alone>(mine.all());
    }
    who.sync();  // no lane goes on while the leader keeps its place
  }

  [[nodiscard]] __host__ __device__ const free_bits_view& bits() const { return bits_; }

 private:
  // How many of the `wanted` places were free; those are now reserved. It looks first and asks for
  // no more than it sees: an addition that fails makes the stack look full to all others until it
  // is taken back.
  __device__ int reserve(int wanted) const {
    auto asked = static_cast<std::uint32_t>(wanted);
    if (room_beside(sync::load(taken_)) < asked) {
      // Only an update may answer `full`: a load may miss places that were given back before.
      asked = min(asked, room_beside(sync::add(taken_, 0u)));
      if (asked == 0) return 0;
    }
    const std::uint32_t room = room_beside(sync::add(taken_, asked));
    if (room >= asked) return static_cast<int>(asked);
    sync::add(taken_, room - asked);
    return static_cast<int>(room);
  }
  [[nodiscard]] __device__ std::uint32_t room_beside(std::uint32_t taken) const {
    return taken < capacity_ ? capacity_ - taken : 0;
  }

  // Finds a word with as many bits as wanted, or with any. Free bits exist, but others may take
  // them first.
  template <bool is_alone>
  __device__ void search(const company<is_alone>& who, int wanted, neighbours& seen) const {
    for (sync::backoff wait; !bits_.look_through(who, wanted, seen);) wait.pause();
  }

  std::uint32_t* taken_ = nullptr;
  free_bits_view bits_;
  std::uint32_t capacity_ = 0;
};

}  // namespace heddle::container::detail
