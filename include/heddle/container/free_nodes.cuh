// The free nodes of a stack: a bit for each, and a count of those that are taken.
//   strategy    a place is reserved by one addition; bits of one word are taken by one update
//   needs       sm_75
#pragma once
#include <heddle/container/company.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

#include <cstdint>

namespace heddle::container::detail {

// Nodes have neighbours: those whose bits lie in one word.
inline constexpr std::uint32_t nodes_of_word = 32;

// Some nodes of one word, as one word of 64 bits where it lies in memory.
struct neighbours {
  std::uint32_t word, bits;

  __device__ static neighbours split(unsigned long long both) {
    return {static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)};
  }
  [[nodiscard]] __host__ __device__ unsigned long long joined() const {
    return static_cast<unsigned long long>(word) << 32 | bits;
  }
  // The node of the bit of that rank, counted from the lowest.
  [[nodiscard]] __device__ std::uint32_t node(int rank) const {
    return word * nodes_of_word + static_cast<std::uint32_t>(bit_of_rank(rank));
  }

 private:
  // Mostly they are the first ones of a word, or one alone, and there is no need to search.
  [[nodiscard]] __device__ int bit_of_rank(int rank) const {
    if ((bits & (bits + 1)) == 0) return rank;
    if ((bits & (bits - 1)) == 0) return last_lane(bits);
    return lane_of_rank(bits, rank);
  }
};
// The lowest of these bits, not more than `most`.
[[nodiscard]] __device__ inline std::uint32_t lowest(std::uint32_t bits, int most) {
  if (most <= 1) return most < 1 ? 0 : bits & (~bits + 1);
  return most >= count(bits) ? bits : bits & lanes_below(lane_of_rank(bits, most));
}

// A node that a lane of a company has, and the neighbours that others of it have: these follow each
// other, from the lane of rank `first` on.
struct held_node {
  std::uint32_t number, neighbour_bits;
  int first;

  [[nodiscard]] __device__ neighbours all() const {
    return {number / nodes_of_word, neighbour_bits};
  }
};

// Who has reserved a place finds a bit in the end: there are never fewer bits than places that are
// reserved and have none. Large stacks remember for each of many warps where it has found or left
// some, so that warps look at different words and need not search.
class free_nodes_view {
 public:
  free_nodes_view() = default;
  // `hints` are a power of 2, or none; they and `words` are to be laid out.
  __host__ __device__ free_nodes_view(std::uint32_t* taken, std::uint32_t* words,
                                      unsigned long long* hints, std::uint32_t hint_count,
                                      std::uint32_t capacity)
      : taken_(taken), words_(words), hints_(hints), hint_count_(hint_count), capacity_(capacity) {}

  // A node for each, or for the first of them, as far as there are any; how many get one.
  //   called by   all of `who`; the leader calls `meanwhile` while it would only wait
  //   order       who had the node before has done what it did with it
  //   cost        a load, an addition, an update and a fence, if it need not search
  template <bool is_alone, typename Meanwhile>
  [[nodiscard]] __device__ int take(const company<is_alone>& who, held_node& mine,
                                    const Meanwhile& meanwhile) const {
    who.sync();  // the leader asks for all: it must know what they know
    neighbours seen{};
    int granted = 0;
    if (who.leads()) {
      seen = guess<is_alone>();
      granted = reserve(who.size());
    }
    granted = who.of_leader(granted);
    if (granted == 0) return 0;
    if (who.leads()) meanwhile();
    for (int have = 0;;) {
      neighbours got{}, left{};
      if (who.leads()) {
        const std::uint32_t claimed = choose<is_alone>(seen.bits, granted - have);
        const std::uint32_t held = sync::bit_and(words_ + seen.word, ~claimed);
        got = {seen.word, held & claimed};
        left = {seen.word, held & ~claimed};
      }
      got = neighbours::split(who.of_leader(got.joined()));
      const int place = who.rank() - have, found = count(got.bits);
      if (place >= 0 && place < found) mine = {got.node(place), got.bits, have};
      have += found;
      if (have == granted) {
        if (who.leads()) {
          sync::fence();  // behind the fence of who gave them back
          remember<is_alone>(left);
        }
        break;
      }
      seen = neighbours::split(who.of_leader(left.joined()));
      if (seen.bits == 0) seen = search(who, seen.word, granted - have);
    }
    who.sync();  // and so are all
    return granted;
  }

  // The nodes of all of `who` are free again.
  template <bool is_alone>
  __device__ void give_back(const company<is_alone>& who, const held_node& mine) const {
    who.sync();  // all have done with theirs
    if (who.rank() == mine.first) {
      sync::fence();
      sync::bit_or(words_ + mine.all().word, mine.neighbour_bits);
    }
    who.sync();  // the bits come first: a place that is free has one
    if (who.leads()) {
      sync::add(taken_, 0u - static_cast<std::uint32_t>(who.size()));
      remember<is_alone>(mine.all());
    }
    who.sync();  // no lane goes on while the leader keeps its place
  }

  // Of one thread of many: the bits of a word are all there, and hints spread over the words.
  __device__ void lay_out_word(std::uint32_t word) const {
    const std::uint32_t left = capacity_ - word * nodes_of_word;
    words_[word] = left >= nodes_of_word ? ~std::uint32_t{0} : (std::uint32_t{1} << left) - 1;
    const std::uint32_t apart = hint_count_ == 0 ? 0 : word_count() / hint_count_;
    if (apart != 0 && word % apart == 0 && word / apart < hint_count_) {
      hints_[word / apart] = neighbours{word, words_[word]}.joined();
    }
  }
  [[nodiscard]] __host__ __device__ std::uint32_t word_count() const {
    return (capacity_ - 1) / nodes_of_word + 1;
  }

 private:
  // How many of `wanted` places were free.
  __device__ int reserve(int wanted) const {
    const std::uint32_t before = sync::add(taken_, static_cast<std::uint32_t>(wanted));
    const std::uint32_t room = before < capacity_ ? capacity_ - before : 0;
    if (room >= static_cast<std::uint32_t>(wanted)) return wanted;
    sync::add(taken_, room - static_cast<std::uint32_t>(wanted));
    return static_cast<int>(room);
  }

  // Warps that come together differ, and so do lanes that come alone.
  template <bool is_alone>
  __device__ static std::uint32_t asker() {
    const std::uint32_t thread =
        blockIdx.x * static_cast<unsigned>(block_size()) + static_cast<unsigned>(thread_rank());
    return is_alone ? thread : thread / warp_size;
  }
  template <bool is_alone>
  __device__ static std::uint32_t mixed() {
    return asker<is_alone>() * 0x9e3779b9u;  // of neighbours the highest bits differ most
  }
  // Lanes that come alone and know the same word want different bits of it.
  template <bool is_alone>
  __device__ std::uint32_t choose(std::uint32_t bits, int most) const {
    if constexpr (!is_alone) return lowest(bits, most);
    const std::uint32_t above = bits & ~lanes_below(static_cast<int>(mixed<is_alone>() >> 27));
    return lowest(above != 0 ? above : bits, 1);
  }
  // Where there may be some; not to be relied on.
  template <bool is_alone>
  __device__ neighbours guess() const {
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

  // A word behind `from` that has as many bits as are wanted, or any. There are some, but others
  // may take them first.
  template <bool is_alone>
  __device__ neighbours search(const company<is_alone>& who, std::uint32_t from, int wanted) const {
    constexpr int looks = is_alone ? 8 : 1;
    const auto step = static_cast<std::uint32_t>(looks * who.size());
    const std::uint32_t words = word_count();
    for (sync::backoff wait;; wait.pause()) {
      for (std::uint32_t passed = 0; passed < words; passed += step) {
        neighbours mine{};
        std::uint32_t seen[looks];
        const std::uint32_t at = from + 1 + passed + static_cast<std::uint32_t>(who.rank());
#pragma unroll
        for (int i = 0; i < looks; ++i) {
          seen[i] = sync::load(words_ + (at + static_cast<std::uint32_t>(i)) % words);
        }
#pragma unroll
        for (int i = looks - 1; i >= 0; --i) {
          if (seen[i] != 0) mine = {(at + static_cast<std::uint32_t>(i)) % words, seen[i]};
        }
        const lane_mask some = who.where(mine.bits != 0);
        if (some == 0) continue;
        const lane_mask enough = who.where(count(mine.bits) >= wanted);
        const int chosen = first_lane(enough != 0 ? enough : some);
        return neighbours::split(who.of_lane(mine.joined(), chosen));
      }
    }
  }

  std::uint32_t* taken_ = nullptr;
  std::uint32_t* words_ = nullptr;
  unsigned long long* hints_ = nullptr;
  std::uint32_t hint_count_ = 0, capacity_ = 0;
};

}  // namespace heddle::container::detail
