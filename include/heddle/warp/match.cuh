// Finds the lanes that hold the same value.
//   strategy    the hardware's match; match_all() of a tile or of large values uses shuffles and a
//               vote
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/core/words.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::warp {

namespace detail {

using heddle::detail::words_of;

// Words 2 * part and 2 * part + 1 as one number; the last word may have no partner.
template <typename T>
__device__ inline std::uint64_t eight_bytes(const words_of<T>& bits, int part) {
  const std::uint64_t low = bits.words[2 * part];
  const int second = 2 * part + 1;
  return second < words_of<T>::count ? std::uint64_t{bits.words[second]} << 32 | low : low;
}

}  // namespace detail

// Values are compared bit for bit: -0 and +0 differ, a NaN equals itself, and the padding of a
// struct counts, so clear it with memset (T{} does not).

// The lanes of the caller's tile that hold the caller's value, the caller included.
//   called by   every lane of `members`: any set of lanes; lanes in the same tile of `width` lanes
//               are compared, and lanes that are not members match no one
//   result in   every caller: the same set in all lanes of the set
//   cost        one match for every eight bytes; one vote for bool
template <int width = warp_size, exchangeable T>
[[nodiscard]] __device__ lane_mask match_any(T value, lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  HEDDLE_EXPECTS(contains(members, lane_id()), "match_any needs its caller among its members");
  lane_mask peers;
  if constexpr (std::is_same_v<T, bool>) {
    const lane_mask holding_true = __ballot_sync(members, value);
    peers = value ? holding_true : members & ~holding_true;
  } else {
    const detail::words_of<T> bits(value);
    if constexpr (detail::words_of<T>::count == 1) {
      peers = __match_any_sync(members, bits.words[0]);
    } else {
      // Peers agree in every part.
      peers = all_lanes;
      constexpr int parts = detail::words_of<T>::count / 2;
#pragma unroll
      for (int part = 0; part < parts; ++part) {
        peers &= __match_any_sync(members,
                                  static_cast<unsigned long long>(detail::eight_bytes(bits, part)));
      }
      if constexpr (detail::words_of<T>::count % 2 != 0) {
        peers &= __match_any_sync(members, bits.words[detail::words_of<T>::count - 1]);
      }
    }
  }
  if constexpr (width == warp_size) {
    return peers;
  } else {
    return peers & tile_of<width>(lane_id());
  }
}

// All members of the caller's tile if they all hold the same value, else the empty mask.
//   called by   every lane of `members`: any set of lanes; lanes in the same tile of `width` lanes
//               are compared
//   result in   every caller: the same set in all members of the tile
//   cost        whole warps and values of up to 8 bytes: one match. Otherwise one shuffle for every
//               four bytes, one vote and about eight instructions
template <int width = warp_size, exchangeable T>
[[nodiscard]] __device__ lane_mask match_all(T value, lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  HEDDLE_EXPECTS(contains(members, lane_id()), "match_all needs its caller among its members");
  const detail::words_of<T> bits(value);
  if constexpr (width == warp_size && detail::words_of<T>::count <= 2) {
    int all_agree;
    if constexpr (detail::words_of<T>::count == 1) {
      return __match_all_sync(members, bits.words[0], &all_agree);
    } else {
      return __match_all_sync(
          members, static_cast<unsigned long long>(detail::eight_bytes(bits, 0)), &all_agree);
    }
  } else {
    // Each lane compares itself with the first member of its tile.
    const lane_mask tile = members & tile_of<width>(lane_id());
    const detail::words_of<T> first = shuffle(members, bits, first_lane(tile));
    bool differs = false;
#pragma unroll
    for (int i = 0; i < detail::words_of<T>::count; ++i) differs |= first.words[i] != bits.words[i];
    return (__ballot_sync(members, differs) & tile) == 0 ? tile : 0;
  }
}

}  // namespace heddle::warp
