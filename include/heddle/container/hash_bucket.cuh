// Loads the buckets of a hash table whose slots are single words.
//   strategy    16 bytes at a time, by each lane alone or by two lanes for each other
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::container::detail {

// The bucket of a finished search.
inline constexpr std::uint32_t no_bucket = ~std::uint32_t{0};

// A snapshot of a bucket; its words need not be from the same moment.
template <int bucket_slots>
struct word_bucket {
  static_assert(bucket_slots >= 2 && (bucket_slots & (bucket_slots - 1)) == 0,
                "a bucket has 2, 4, 8 … slots");
  using word = unsigned long long;
  word words[bucket_slots];

  __host__ __device__ static std::size_t first_slot(std::uint32_t bucket) {
    return std::size_t{bucket} * bucket_slots;
  }

  __device__ static word_bucket load(const word* slots, std::uint32_t bucket) {
    word_bucket loaded;
#pragma unroll
    for (int i = 0; i < bucket_slots; i += 2) loaded.load_two(slots, bucket, i);
    return loaded;
  }

  // Loads the buckets of the caller's searches, all in flight at once. Those of finished searches
  // are unspecified.
  //   called by   single lanes
  template <int count>
  __device__ static void load(const word* slots, const std::uint32_t (&at)[count],
                              word_bucket (&seen)[count]) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (at[i] != no_bucket) seen[i] = load(slots, at[i]);
    }
  }

  // The same with fewer requests. A lane alone needs two requests for a 32-byte sector. Two
  // neighbouring lanes load each of their buckets together, half each, with one request.
  //   called by   all lanes of a warp
  //   cost        five more shuffles for a bucket of four slots
  template <int count>
  __device__ static void load_in_pairs(const word* slots, const std::uint32_t (&at)[count],
                                       word_bucket (&seen)[count]) {
    if constexpr (bucket_slots == 2) {
      load(slots, at, seen);  // 16 bytes: one request
    } else {
      const bool is_odd = lane_id() % 2 != 0;
      word_bucket of_even[count], of_odd[count];
      // Without this, a lane that has seen a change could get an older value from its neighbour.
      __syncwarp();
#pragma unroll
      for (int i = 0; i < count; ++i) {
        const std::uint32_t others = __shfl_xor_sync(all_lanes, at[i], 1);
        of_even[i] = load_half(slots, is_odd ? others : at[i], is_odd);
        of_odd[i] = load_half(slots, is_odd ? at[i] : others, is_odd);
      }
#pragma unroll
      for (int i = 0; i < count; ++i) seen[i] = put_together(of_even[i], of_odd[i], is_odd);
    }
  }

 private:
  __device__ void load_two(const word* slots, std::uint32_t bucket, int first) {
    asm volatile("ld.relaxed.gpu.v2.b64 {%0, %1}, [%2];"
                 : "=l"(words[first]), "=l"(words[first + 1])
                 : "l"(slots + first_slot(bucket) + first)
                 : "memory");
  }

  // The first or last two of each four slots, stored where the first two belong.
  __device__ static word_bucket load_half(const word* slots, std::uint32_t bucket, bool is_last) {
    word_bucket half{};
    if (bucket == no_bucket) return half;
    const word* const from = slots + (is_last ? 2 : 0);
#pragma unroll
    for (int i = 0; i < bucket_slots; i += 4) half.load_two(from, bucket, i);
    return half;
  }

  // Even lanes hold the first halves of both lanes' buckets, odd lanes the second halves.
  __device__ static word_bucket put_together(const word_bucket& of_even, const word_bucket& of_odd,
                                             bool is_odd) {
    word_bucket whole;
#pragma unroll
    for (int i = 0; i < bucket_slots; ++i) {
      if (i % 4 >= 2) continue;
      const word kept = is_odd ? of_odd.words[i] : of_even.words[i];
      const word sent = is_odd ? of_even.words[i] : of_odd.words[i];
      const word received = __shfl_xor_sync(all_lanes, sent, 1);
      whole.words[i] = is_odd ? received : kept;
      whole.words[i + 2] = is_odd ? kept : received;
    }
    return whole;
  }
};

}  // namespace heddle::container::detail
