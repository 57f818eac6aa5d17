// The free nodes of a pool, one bit for each.
//   strategy    one atomic update takes several bits of a word; hints say where free bits may be
//   needs       sm_75
#pragma once
#include <heddle/container/company.cuh>
#include <heddle/sync/access.cuh>

#include <cstdint>

namespace heddle::container::detail {

// Nodes whose bits share a word are neighbours.
inline constexpr std::uint32_t nodes_of_word = 32;

// Some nodes of one word, stored in memory as one 64-bit word.
struct neighbours {
  std::uint32_t word, bits;

  __device__ static neighbours split(unsigned long long both) {
    return {static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)};
  }
  [[nodiscard]] __host__ __device__ unsigned long long joined() const {
    return static_cast<unsigned long long>(word) << 32 | bits;
  }
  // The node of the rank-th set bit, counted from the lowest.
  [[nodiscard]] __device__ std::uint32_t node(int rank) const {
    return word * nodes_of_word + static_cast<std::uint32_t>(bit_of_rank(rank));
  }

 private:
  // Usually the bits are the lowest ones of the word, or a single one: then no search is needed.
  [[nodiscard]] __device__ int bit_of_rank(int rank) const {
    if ((bits & (bits + 1)) == 0) return rank;
    if ((bits & (bits - 1)) == 0) return last_lane(bits);
    return lane_of_rank(bits, rank);
  }
};
// The lowest `most` of these bits.
[[nodiscard]] __device__ inline std::uint32_t lowest(std::uint32_t bits, int most) {
  if (most <= 1) return most < 1 ? 0 : bits & (~bits + 1);
  return most >= count(bits) ? bits : bits & lanes_below(lane_of_rank(bits, most));
}

// Large pools have hints. Each warp, or each lane that comes alone, records where it last found or
// left free nodes. So different callers try different words and rarely need to search.
class free_bits_view {
 public:
  free_bits_view() = default;
  // `hint_count` is a power of 2, or 0; hints and words are set up by lay_out_part().
  __host__ __device__ free_bits_view(std::uint32_t* words, unsigned long long* hints,
                                     std::uint32_t hint_count, std::uint32_t nodes)
      : words_(words), hints_(hints), hint_count_(hint_count), nodes_(nodes) {}

  // Takes a node for a single lane; false if no word showed a free one.
  //   order       the node's previous owner has finished with it
  //   cost        a load, an update and a fence, if no search is needed
  [[nodiscard]] __device__ bool take_one(std::uint32_t& node) const {
    const company<true> who(lane_mask{1} << lane_id());
    for (neighbours seen = guess<true>();;) {
      const claim one = take<true>(seen, 1);
      if (one.got.bits != 0) {
        sync::fence();  // pairs with the fence of the lane that gave it back
        remember<true>(one.left);
        node = one.got.node(0);
        return true;
      }
      seen = one.left;
      if (seen.bits == 0 && !look_through(who, 1, seen)) return false;
    }
  }
  __device__ void give_back_one(std::uint32_t node) const {
    const neighbours one{node / nodes_of_word, std::uint32_t{1} << node % nodes_of_word};
    sync::fence();
    give_back(one);
    remember<true>(one);
  }

  // The nodes taken from a word, and those left there.
  struct claim {
    neighbours got, left;
  };
  // Takes at most `most` of the nodes in `seen`, if they are still free.
  template <bool is_alone>
  [[nodiscard]] __device__ claim take(const neighbours& seen, int most) const {
    const std::uint32_t claimed = choose<is_alone>(seen.bits, most);
    const std::uint32_t held = sync::bit_and(words_ + seen.word, ~claimed);
    return {{seen.word, held & claimed}, {seen.word, held & ~claimed}};
  }
  __device__ void give_back(const neighbours& nodes) const {
    sync::bit_or(words_ + nodes.word, nodes.bits);
  }

  // A guess at where free nodes are; it may be stale.
  template <bool is_alone>
  [[nodiscard]] __device__ neighbours guess() const {
    if (hint_count_ != 0) {
      return neighbours::split(sync::load(hints_ + (asker<is_alone>() & (hint_count_ - 1))));
    }
    const auto word = static_cast<std::uint32_t>(
        static_cast<unsigned long long>(mixed<is_alone>()) * word_count() >> 32);
    return {word, sync::load(words_ + word)};
  }
  template <bool is_alone>
  __device__ void remember(neighbours left) const {
    if (hint_count_ == 0) return;
    if (left.bits == 0) left = {left.word + 1 < word_count() ? left.word + 1 : 0, ~0u};
    sync::store(hints_ + (asker<is_alone>() & (hint_count_ - 1)), left.joined());
  }

  // Goes through all words once, starting after that of `seen`, for a word with as many bits as
  // wanted, or with any. Returns false and leaves `seen` unchanged if it finds none.
  //   called by   all of `who`
  template <bool is_alone>
  [[nodiscard]] __device__ bool look_through(const company<is_alone>& who, int wanted,
                                             neighbours& seen) const {
    constexpr int looks = is_alone ? 8 : 1;
    const auto step = static_cast<std::uint32_t>(looks * who.size());
    const std::uint32_t words = word_count();
    for (std::uint32_t passed = 0; passed < words; passed += step) {
      neighbours mine{};
      std::uint32_t bits[looks];
      const std::uint32_t at = seen.word + 1 + passed + static_cast<std::uint32_t>(who.rank());
#pragma unroll
      for (int i = 0; i < looks; ++i) {
        bits[i] = sync::load(words_ + (at + static_cast<std::uint32_t>(i)) % words);
      }
#pragma unroll
      for (int i = looks - 1; i >= 0; --i) {
        if (bits[i] != 0) mine = {(at + static_cast<std::uint32_t>(i)) % words, bits[i]};
      }
      const lane_mask some = who.where(mine.bits != 0);
      if (some == 0) continue;
      const lane_mask enough = who.where(count(mine.bits) >= wanted);
      const int chosen = first_lane(enough != 0 ? enough : some);
      seen = neighbours::split(who.of_lane(mine.joined(), chosen));
      return true;
    }
    return false;
  }

  // Called by one thread for each part: nodes from `first_free` on are free; hints are spread over
  // them.
  __device__ void lay_out_part(std::uint32_t part, std::uint32_t first_free) const {
    if (part < word_count()) words_[part] = bits_from(part, first_free);
    if (part >= hint_count_) return;
    const std::uint32_t first = first_free / nodes_of_word;
    const auto word = first + static_cast<std::uint32_t>(static_cast<unsigned long long>(part) *
                                                         (word_count() - first) / hint_count_);
    hints_[part] = neighbours{word, bits_from(word, first_free)}.joined();
  }
  [[nodiscard]] __host__ __device__ std::uint32_t part_count() const {
    return word_count() > hint_count_ ? word_count() : hint_count_;
  }
  [[nodiscard]] __host__ __device__ std::uint32_t word_count() const {
    return (nodes_ - 1) / nodes_of_word + 1;
  }

 private:
  // A number that differs between warps, or between lanes that come alone.
  template <bool is_alone>
  __device__ static std::uint32_t asker() {
    const std::uint32_t thread =
        blockIdx.x * static_cast<unsigned>(block_size()) + static_cast<unsigned>(thread_rank());
    return is_alone ? thread : thread / warp_size;
  }
  template <bool is_alone>
  __device__ static std::uint32_t mixed() {
    return asker<is_alone>() * 0x9e3779b9u;  // the highest bits differ most between neighbours
  }
  // Lanes that come alone and see the same word try different bits of it.
  template <bool is_alone>
  __device__ static std::uint32_t choose(std::uint32_t bits, int most) {
    if constexpr (!is_alone) return lowest(bits, most);
    const std::uint32_t above = bits & ~lanes_below(static_cast<int>(mixed<is_alone>() >> 27));
    return lowest(above != 0 ? above : bits, 1);
  }
  // The initial bits of a word.
  __device__ std::uint32_t bits_from(std::uint32_t word, std::uint32_t first_free) const {
    const std::uint32_t begin = word * nodes_of_word;
    const std::uint32_t taken = first_free > begin ? first_free - begin : 0;
    const std::uint32_t there = nodes_ - begin;
    constexpr std::uint32_t all = nodes_of_word;
    const auto below = [](std::uint32_t bit) {
      return lanes_below(static_cast<int>(bit < all ? bit : all));
    };
    return below(there) & ~below(taken);
  }

  std::uint32_t* words_ = nullptr;
  unsigned long long* hints_ = nullptr;
  std::uint32_t hint_count_ = 0, nodes_ = 0;
};

}  // namespace heddle::container::detail
