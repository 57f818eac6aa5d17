// The probe sequence of a key: which buckets of a hash table it may be in, in search order.
#pragma once
#include <heddle/core/config.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::container {

// Where a search continues after a full bucket: at the next one, by a step that depends on the key,
// or at the bucket's neighbour and then, if both are full, by such a step to another pair.
// Key-dependent steps avoid clustering: at load 0.9 a miss probes 4 buckets of 4 slots instead of
// 13. Neighbours are fetched from memory together: the same miss probes 5 buckets, but waits for
// memory 2.9 times instead of 4.1; at load 0.5, 1.06 times instead of 1.19.
enum class probing { linear, by_own_step, neighbour_first };

namespace detail {

// Two pseudo-random numbers for a key; the high bits of each matter.
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

// Maps a hash to 0 … range - 1 without a division.
__host__ __device__ inline std::uint32_t scaled(std::uint32_t hashed, std::uint32_t range) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(hashed) * range >> 32);
}

// The unit of a step: a bucket, or a pair of them.
template <probing how>
inline constexpr std::uint32_t buckets_of_step = how == probing::neighbour_first ? 2 : 1;

// The number of such units in a table is prime, so a probe sequence visits each bucket once.
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
    const std::uint32_t next = from + step;  // fewer than 2^31 buckets: no overflow
    return next >= buckets ? next - buckets : next;
  }
  // Calls visit(bucket) for those before `last`, which is in the sequence, until it returns true.
  template <typename Visit>
  __device__ void any_before(std::uint32_t last, std::uint32_t buckets, const Visit& visit) const {
    for (std::uint32_t at = bucket; at != last; at = after(at, buckets)) {
      if (visit(at)) return;
    }
  }
};

// A bit for each bucket of a table: whether the probe sequence of a present key goes past it.
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

// The smallest prime that is at least `least` and at least 2.
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

// The number of buckets that such probe sequences need, at least `least` and at least 2.
template <probing how>
[[nodiscard]] std::size_t next_bucket_count(std::size_t least) {
  if (how != probing::neighbour_first) return next_prime(least);
  return least <= 2 ? 2 : 2 * next_prime((least + 1) / 2);
}

}  // namespace detail
}  // namespace heddle::container
