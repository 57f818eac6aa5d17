// Which buckets of a hash table a key may lie in, and in what order they are looked at.
#pragma once
#include <heddle/core/config.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::container {

// How a search goes on from a full bucket: to the next one, by a step of the key's own, or to the
// neighbour and then, with both of them full, by a step to two others. Steps keep ways apart: at
// load 0.9 a miss looks at 4 buckets of 4 slots instead of 13. Neighbours come from memory
// together: the same miss looks at 5 buckets, and waits for memory 2.9 times instead of 4.1; at
// load 0.5 1.06 times instead of 1.19.
enum class probing { linear, by_own_step, neighbour_first };

namespace detail {

// Numbers for a key that look random: the high bits of each count.
struct hashes {
  std::uint32_t home, step;
};
// The finalisers of MurmurHash3 and of splitmix64.
__host__ __device__ inline hashes hash(std::uint32_t key) {
  key = (key ^ key >> 16) * 0x85ebca6bu;
  key = (key ^ key >> 13) * 0xc2b2ae35u;
  key ^= key >> 16;
  return {key, key * 0x9e3779b1u};
}
__host__ __device__ inline hashes hash(unsigned long long key) {
  key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ull;
  key = (key ^ key >> 27) * 0x94d049bb133111ebull;
  key ^= key >> 31;
  return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)};
}

// A hash brought to 0 … range - 1 without a division.
__host__ __device__ inline std::uint32_t scaled(std::uint32_t hashed, std::uint32_t range) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(hashed) * range >> 32);
}

// What the steps go over: buckets, or twos of them.
template <probing how>
inline constexpr std::uint32_t buckets_of_step = how == probing::neighbour_first ? 2 : 1;

// The number of steps around the table is prime, so that a way comes to each bucket once.
template <probing how>
struct bucket_way {
  std::uint32_t bucket, step;

  template <typename Bits>
  __device__ static bucket_way of(Bits key, std::uint32_t buckets) {
    const hashes numbers = hash(key);
    if constexpr (how == probing::linear) return {scaled(numbers.home, buckets), 1};
    constexpr std::uint32_t each = buckets_of_step<how>;
    return {scaled(numbers.home, buckets), each + each * scaled(numbers.step, buckets / each - 1)};
  }
  [[nodiscard]] __device__ std::uint32_t after(std::uint32_t from, std::uint32_t buckets) const {
    if constexpr (how == probing::neighbour_first) {
      const bool is_first_of_two = from % 2 == bucket % 2;
      from ^= 1;
      if (is_first_of_two) return from;
    }
    const std::uint32_t next = from + step;  // of less than 2^31 buckets: no overflow
    return next >= buckets ? next - buckets : next;
  }
  // Calls visit(bucket) for those that come before `last`, which is on the way, until one is true.
  template <typename Visit>
  __device__ void any_before(std::uint32_t last, std::uint32_t buckets, const Visit& visit) const {
    for (std::uint32_t at = bucket; at != last; at = after(at, buckets)) {
      if (visit(at)) return;
    }
  }
};

// A bit for each bucket of a table, in its memory: whether a key that is there lies behind it.
class passed_buckets {
 public:
  passed_buckets() = default;
  explicit passed_buckets(std::byte* memory) : words_(reinterpret_cast<std::uint32_t*>(memory)) {}
  static std::size_t bytes(std::size_t buckets) { return (buckets + 31) / 32 * 4; }

  __device__ void forget(std::uint32_t bucket) const {
    if (bucket % 32 == 0) words_[bucket / 32] = 0;
  }
  __device__ void mark(std::uint32_t bucket) const {
    atomicOr(words_ + bucket / 32, 1u << bucket % 32);
  }
  [[nodiscard]] __device__ bool contain(std::uint32_t bucket) const {
    return (words_[bucket / 32] >> bucket % 32 & 1) != 0;
  }

 private:
  std::uint32_t* words_ = nullptr;
};

// The smallest prime from `least` on; 2 at least.
[[nodiscard]] inline std::size_t next_prime(std::size_t least) {
  const auto is_prime = [](std::size_t number) {
    for (std::size_t divisor = 2; divisor * divisor <= number; ++divisor) {
      if (number % divisor == 0) return false;
    }
    return true;
  };
  std::size_t number = least < 2 ? 2 : least;
  while (!is_prime(number)) ++number;
  return number;
}

// As many buckets as such ways need; 2 at least.
template <probing how>
[[nodiscard]] std::size_t next_bucket_count(std::size_t least) {
  if (how != probing::neighbour_first) return next_prime(least);
  return least <= 2 ? 2 : 2 * next_prime((least + 1) / 2);
}

}  // namespace detail
}  // namespace heddle::container
