// Transposes matrices held in the registers of a tile, without shared memory.
//   strategy    log2(N) stages; each exchanges half of the registers with a partner lane by xor
//               shuffles
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/core/words.cuh>

namespace heddle::warp {

namespace detail {

using heddle::detail::words_of;

// As many values as fit in one shuffle.
template <typename T, int count>
struct bundle {
  T values[count];
};

[[nodiscard]] constexpr int smaller_of(int a, int b) { return a < b ? a : b; }

// Values smaller than four bytes share a shuffle, up to the number of values that a lane exchanges.
template <typename T, int size>
inline constexpr int values_per_shuffle = sizeof(T) == 1   ? smaller_of(4, size / 2)
                                          : sizeof(T) == 2 ? smaller_of(2, size / 2)
                                                           : 1;

// The second value if `takes_second` is 1, the first if it is 0: one instruction for every four
// bytes. Not `?:`, because nvcc turns many selects on one condition into branches and duplicates
// the shuffles between them in both branches.
template <typename T>
__device__ inline T choose(const T& first, const T& second, unsigned takes_second) {
  words_of<T> chosen(first);
  const words_of<T> other(second);
  const unsigned bytes = 0x3210u + 0x4444u * takes_second;
#pragma unroll
  for (int i = 0; i < words_of<T>::count; ++i) {
    chosen.words[i] = __byte_perm(chosen.words[i], other.words[i], bytes);
  }
  return chosen.value();
}

// Between lanes whose numbers differ in bit `distance`, swaps the upper right and lower left of the
// 2 × 2 blocks of `distance` rows and columns.
template <int distance, typename T, int size>
__device__ inline void exchange_blocks(lane_mask members, T (&row)[size]) {
  constexpr int together = values_per_shuffle<T, size>;
  using bundle_of_values = bundle<T, together>;
  const unsigned is_upper_lane = static_cast<unsigned>(lane_id()) / distance % 2;
#pragma unroll
  for (int first = 0; first < size / 2; first += together) {
    bundle_of_values low, high;
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int column = ((first + i) & ~(distance - 1)) * 2 + ((first + i) & (distance - 1));
      low.values[i] = row[column];
      high.values[i] = row[column + distance];
    }
    // A lane sends the columns that belong to its partner and puts what it receives in their place.
    const bundle_of_values sent = choose(high, low, is_upper_lane);
    const bundle_of_values received = shuffle_xor(members, sent, distance);
    low = choose(low, received, is_upper_lane);
    high = choose(received, high, is_upper_lane);
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int column = ((first + i) & ~(distance - 1)) * 2 + ((first + i) & (distance - 1));
      row[column] = low.values[i];
      row[column + distance] = high.values[i];
    }
  }
}

// Rotates the values in a lane's own registers: downwards, so that register i gets the value of
// register i + distance modulo `count`, or upwards. Goes in powers of two, because registers cannot
// be indexed at run time.
//   distance    0 … highest; `highest` is less than `count`
enum class direction { downwards, upwards };
template <direction where, int highest, typename T, int count>
__device__ inline void rotate_registers(T (&values)[count], int distance) {
#pragma unroll
  for (int step = 1; step <= highest; step *= 2) {
    const unsigned moves = static_cast<unsigned>(distance) / step % 2;
    const int offset = where == direction::downwards ? step : count - step;
    T before[count];
#pragma unroll
    for (int i = 0; i < count; ++i) before[i] = values[i];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      values[i] = choose(before[i], before[(i + offset) % count], moves);
    }
  }
}

// The inverse of `a` modulo `modulus`; the two have no common factor.
template <int a, int modulus>
[[nodiscard]] constexpr int find_inverse() {
  for (int candidate = 0; candidate < modulus; ++candidate) {
    if (a * candidate % modulus == 1 % modulus) return candidate;
  }
  return 0;
}
template <int a, int modulus>
inline constexpr int inverse = find_inverse<a, modulus>();

// Maps items 0 … width * count - 1 between two layouts. Blocked: item g is in lane g / count,
// register g % count. Striped: item g is in lane g % width, register g / width. Item g moves in
// shuffle number (g + g / lcm(width, count)) mod count, so each lane sends one item and receives
// one item per shuffle. On the blocked side that number is the register number rotated by `turn`.
// On the striped side it is the register number, after a fixed permutation, rotated by the lane's
// number.
template <int width, int count>
struct route {
  // The greatest common divisor: width and count & -count are both powers of two.
  static constexpr int common = smaller_of(width, count & -count);
  static constexpr int lanes_per_turn = width / common;

  // The rotation of the blocked side: 0 … common - 1.
  [[nodiscard]] __device__ static int turn(int lane) { return lane / lanes_per_turn; }

  // The striped register whose item is at position `turned` before the rotation by the lane's
  // number.
  [[nodiscard]] __device__ static constexpr int striped_register(int turned) {
    constexpr int group = count / common;
    return turned % common * group +
           turned / common * inverse<width / common % group, group> % group;
  }

  // The striped lane of the item that blocked lane `lane` moves in shuffle `number`.
  [[nodiscard]] __device__ static int striped_lane(int lane, int number) {
    return lane * count + unturned(number, turn(lane));  // modulo width
  }

  // The blocked lane of the item that striped lane `lane` moves in shuffle `number`.
  [[nodiscard]] __device__ static int blocked_lane(int lane, int number) {
    if constexpr (common == 1) {
      return (lane - number) * inverse<count % width, width>;  // modulo width
    } else {
      const int turn = (number - lane) & (common - 1);
      const int multiple = lane - unturned(number, turn);  // of `common`, possibly negative
      constexpr int factor = inverse<count / common % lanes_per_turn, lanes_per_turn>;
      return turn * lanes_per_turn +
             (static_cast<int>(static_cast<unsigned>(multiple) / common) * factor &
              (lanes_per_turn - 1));
    }
  }

 private:
  // (number - turn) mod count.
  [[nodiscard]] __device__ static int unturned(int number, int turn) {
    return number >= turn ? number - turn : number - turn + count;
  }
};

}  // namespace detail

// Transposes an N × N matrix. Each lane of a tile of N lanes holds one row; afterwards lane i holds
// column i. N is 1, 2, 4, 8, 16 or 32.
//   called by   every lane of `members`, which holds whole tiles of N lanes
//   result in   `row` of every caller
//   cost        log2(N) stages of N / 2 shuffles for every four bytes of T; values of one or two
//               bytes share a shuffle, four or two at a time; no shared memory
template <exchangeable T, int size>
__device__ void transpose(T (&row)[size], lane_mask members = all_lanes) {
  static_assert(is_tile_width<size>, "a matrix has 1, 2, 4, 8, 16 or 32 rows, one for each lane");
  HEDDLE_EXPECTS_TILE(size, members, "warp::transpose");
  // After the stage of `distance`, each aligned block of 2 * distance rows and columns is
  // transposed.
  if constexpr (size > 1) detail::exchange_blocks<1>(members, row);
  if constexpr (size > 2) detail::exchange_blocks<2>(members, row);
  if constexpr (size > 4) detail::exchange_blocks<4>(members, row);
  if constexpr (size > 8) detail::exchange_blocks<8>(members, row);
  if constexpr (size > 16) detail::exchange_blocks<16>(members, row);
}

// From blocked to striped: lane i of a tile holds items i * K … i * K + K - 1 before the call and
// items i, i + width, i + 2 * width, … after it. K is 1 … 32.
//   called by   every lane of `members`, which holds whole tiles of `width` lanes
//   result in   `values` of every caller
//   cost        K shuffles for every four bytes of T and K * (log2(K) + log2(gcd(K, width)))
//               selections, log2(K) rounded up; no shared memory
template <int width = warp_size, exchangeable T, int count>
__device__ void blocked_to_striped(T (&values)[count], lane_mask members = all_lanes) {
  static_assert(count <= warp_size, "a lane holds 1 to 32 values");
  HEDDLE_EXPECTS_TILE(width, members, "blocked_to_striped");
  if constexpr (count == width) {
    transpose(values, members);
  } else if constexpr (count > 1 && width > 1) {
    using route = detail::route<width, count>;
    const int lane = lane_id() & (width - 1);
    // Moves the item that travels in shuffle `number` to register `number`.
    detail::rotate_registers<detail::direction::upwards, route::common - 1>(values,
                                                                            route::turn(lane));
#pragma unroll
    for (int number = 0; number < count; ++number) {
      values[number] = shuffle(members, values[number], route::blocked_lane(lane, number), width);
    }
    detail::rotate_registers<detail::direction::downwards, count - 1>(values, lane % count);
    T turned[count];
#pragma unroll
    for (int i = 0; i < count; ++i) turned[i] = values[i];
#pragma unroll
    for (int i = 0; i < count; ++i) values[route::striped_register(i)] = turned[i];
  }
}

// From striped to blocked: lane i of a tile holds items i, i + width, i + 2 * width, … before the
// call and items i * K … i * K + K - 1 after it. K is 1 … 32.
//   called by   every lane of `members`, which holds whole tiles of `width` lanes
//   result in   `values` of every caller
//   cost        as blocked_to_striped()
template <int width = warp_size, exchangeable T, int count>
__device__ void striped_to_blocked(T (&values)[count], lane_mask members = all_lanes) {
  static_assert(count <= warp_size, "a lane holds 1 to 32 values");
  HEDDLE_EXPECTS_TILE(width, members, "striped_to_blocked");
  if constexpr (count == width) {
    transpose(values, members);
  } else if constexpr (count > 1 && width > 1) {
    using route = detail::route<width, count>;
    const int lane = lane_id() & (width - 1);
    T striped[count];
#pragma unroll
    for (int i = 0; i < count; ++i) striped[i] = values[i];
#pragma unroll
    for (int i = 0; i < count; ++i) values[i] = striped[route::striped_register(i)];
    // Moves the item that travels in shuffle `number` to register `number`.
    detail::rotate_registers<detail::direction::upwards, count - 1>(values, lane % count);
#pragma unroll
    for (int number = 0; number < count; ++number) {
      values[number] = shuffle(members, values[number], route::striped_lane(lane, number), width);
    }
    detail::rotate_registers<detail::direction::downwards, route::common - 1>(values,
                                                                              route::turn(lane));
  }
}

}  // namespace heddle::warp
