// Where a push and a pop that both lost the race for the top of a stack find each other.
//   strategy    compare-and-swap of words that name the nodes on offer
//   needs       sm_75
#pragma once
#include <heddle/container/free_nodes.cuh>

#include <cstdint>

namespace heddle::container::detail {

// Elimination (Hendler, Shavit, Yerushalmi 2004): a push and a pop that overlap may take effect one
// right after the other, whatever is on the stack. A push puts its nodes into a slot, and after a
// while takes back those that nobody wanted. A pop takes the lowest of them, so that they come in
// lane order.
//
// A slot belongs to its pusher until the pusher has taken the rest back, even if nothing is left,
// so whatever it finds there is its own. A pop may take a later offer of the same nodes than the
// one it saw. That is harmless, since it takes what is there now, and versions make it rare.
class offers_view {
 public:
  offers_view() = default;
  // `count` is a power of 2; a slot of 0 is free.
  __host__ __device__ offers_view(unsigned long long* slots, std::uint32_t count)
      : slots_(slots), count_(count) {}

  // Offers nodes, if anyone may be looking for some, in the first free slot, until all are taken or
  // `looks` looks are used up. Returns false if nothing was offered; otherwise `left` are the nodes
  // that nobody has taken.
  //   called by   the leader of a company, after a fence
  template <bool is_alone>
  [[nodiscard]] __device__ bool offer(neighbours nodes, std::uint32_t random, int looks,
                                      std::uint32_t& left) const {
    left = nodes.bits;
    if (!has_use<is_alone>()) return false;
    sync::backoff wait(256);
    for (; looks > 0; --looks) {
      unsigned long long* const slot =
          slots_ + ((random + static_cast<std::uint32_t>(looks)) & (slots_in_use<is_alone>() - 1));
      const unsigned long long free = sync::load(slot);
      const unsigned long long next = (free + one_version_) & versions_;
      if ((free & in_use_) == 0 &&
          sync::compare_exchange(slot, free, in_use_ | next | nodes.joined()) == free) {
        for (; looks > 0; --looks) {
          wait.pause();
          if (neighbours::split(sync::load(slot)).bits == 0) break;
        }
        left = neighbours::split(sync::exchange(slot, next)).bits;
        return true;
      }
      wait.pause();
    }
    return false;
  }

  // How many looks an offer is worth after that many failures at the top: the more lanes there may
  // be, the longer the top takes.
  template <bool is_alone>
  [[nodiscard]] __device__ static int looks_per_offer(int failures) {
    const int few = min(last_lane(competitors<is_alone>()) / 2 + 1, most_looks_);
    return min(few << min(failures, 10), max(few, longest_wait<is_alone>()));
  }
  // The same for a pop, which looks for offers meanwhile: 0 in a small grid.
  template <bool is_alone>
  [[nodiscard]] __device__ static int longest_wait() {
    return static_cast<int>(min(competitors<is_alone>() / 32, 1024u));
  }

  // An offer that a lane has seen; `slot` is null if it saw none.
  struct sight {
    unsigned long long* slot;
    unsigned long long offered;
  };
  // Looks at some slots, each lane at different ones.
  //   called by   all of `who`
  template <bool is_alone>
  [[nodiscard]] __device__ sight look(const company<is_alone>& who, std::uint32_t random) const {
    sight seen{};
    if (!has_use<is_alone>()) return seen;
    constexpr int looks = is_alone ? 4 : 1;
    const std::uint32_t slots = slots_in_use<is_alone>();
    const std::uint32_t first = random + static_cast<std::uint32_t>(who.rank() * looks);
    unsigned long long offered[looks];
#pragma unroll
    for (int i = 0; i < looks; ++i) {
      offered[i] = sync::load(slots_ + ((first + static_cast<std::uint32_t>(i)) & (slots - 1)));
    }
#pragma unroll
    for (int i = 0; i < looks; ++i) {
      if (neighbours::split(offered[i]).bits == 0) continue;
      seen = {slots_ + ((first + static_cast<std::uint32_t>(i)) & (slots - 1)), offered[i]};
    }
    return seen;
  }
  // Takes at most `most` nodes of an offer that one of the lanes has seen; no bits if it is gone.
  //   called by   all of `who`
  //   order       one of the lanes sees what the pusher had written before; the others need a
  //               barrier
  template <bool is_alone>
  [[nodiscard]] __device__ neighbours take(const company<is_alone>& who, const sight& seen,
                                           int most) const {
    const lane_mask offering = who.where(seen.slot != nullptr);
    if (offering == 0) return {};
    const int chosen = first_lane(offering);
    neighbours got{};
    if (lane_id() == chosen) {
      const std::uint32_t bits = lowest(neighbours::split(seen.offered).bits, most);
      const unsigned long long rest = seen.offered & ~static_cast<unsigned long long>(bits);
      if (sync::compare_exchange(seen.slot, seen.offered, rest) == seen.offered) {
        sync::fence();  // the offer may be a later one than that which was seen
        got = {neighbours::split(seen.offered & ~(in_use_ | versions_)).word, bits};
      }
    }
    return neighbours::split(who.of_lane(got.joined(), chosen));
  }

  // Single lanes of one warp run in lockstep, so their pushes and pops do not overlap.
  template <bool is_alone>
  [[nodiscard]] __device__ static bool has_use() {
    return competitors<is_alone>() >= (is_alone ? warp_size + 1 : 2);
  }

 private:
  // Above the number of a word, which has 26 bits.
  static constexpr unsigned long long in_use_ = 1ull << 63;
  static constexpr unsigned long long one_version_ = 1ull << 58, versions_ = 31ull << 58;
  static constexpr int most_looks_ = 6;
  // How many lanes, or warps, may compete at a time.
  template <bool is_alone>
  __device__ static std::uint32_t competitors() {
    const std::uint32_t threads = gridDim.x * static_cast<std::uint32_t>(block_size());
    return is_alone ? threads : (threads - 1) / warp_size + 1;
  }
  // As many slots as those may need at a time; few enough that pushes and pops find each other.
  template <bool is_alone>
  __device__ std::uint32_t slots_in_use() const {
    const std::uint32_t wanted = competitors<is_alone>() / (is_alone ? 64 : 4);
    return wanted >= count_ ? count_ : wanted <= 1 ? 1u : 1u << last_lane(wanted);
  }

  unsigned long long* slots_ = nullptr;
  std::uint32_t count_ = 0;
};

}  // namespace heddle::container::detail
