// One value per thread in, one value per block out.
#pragma once
#include <heddle/block/scratch.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

namespace heddle::block {

namespace detail {

using warp::detail::carried;
using warp::detail::combine_across;
using warp::detail::combine_where;
using warp::detail::combine_with;

// Combines the values of lanes 0 … lanes - 1, in order; the result is in lane 0. Before each step
// a lane holds the result of the `distance` lanes that begin with it, as far as there are any.
template <typename T, typename Op>
__device__ inline T reduce_first_lanes(lane_mask members, T value, int lanes, const Op& op) {
  const int lane = lane_id();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const bool later_exists = lane + distance < lanes;
    const T later = shuffle(members, value, later_exists ? lane + distance : lane);
    value = combine_where(later_exists, value, later, value, op);
  }
  return value;
}

// Combines the values of the caller's warp; the result is in lane 0.
template <typename T, typename Op>
__device__ inline T reduce_warp(const place& here, const T& value, const Op& op) {
  if (!here.has_whole_warp()) return reduce_first_lanes(here.members(), value, here.lanes, op);
  if constexpr (commutes<Op, T>) {
    return warp::reduce(value, op);
  } else {
    return warp::reduce_to_first(value, op);
  }
}

// Hands what reduce_warp() has found to every lane.
template <typename Op, typename T>
__device__ inline T spread_in_warp(const place& here, const T& value) {
  if (commutes<Op, T> && here.has_whole_warp()) return value;
  return shuffle(here.members(), value, 0);
}

// Four neighbouring slots, which are loaded together.
template <typename T>
inline constexpr int quad_alignment = alignof(T) > 16      ? alignof(T)
                                      : sizeof(T) % 4 == 0 ? 16
                                      : sizeof(T) % 2 == 0 ? 8
                                                           : 4;
template <typename T>
struct alignas(quad_alignment<T>) quad {
  T slots[4];
};

// What a lane takes of a row of partials: four of them where op has an identity to stand in for
// warps that are not there, else one.
template <typename T, typename Op>
using share = std::conditional_t<has_identity<Op, T>, quad<T>, T>;

// Called before the first barrier by the whole first warp: fills up the row where it would be read
// behind its end.
template <typename Op, typename T>
__device__ inline void fill_up(const place& here, T* partials) {
  if constexpr (has_identity<Op, T>) {
    const bool is_read_behind_its_end = here.warps < 4 || (here.warps & (here.warps - 1)) != 0;
    if (is_read_behind_its_end && here.warp == 0 && here.lane >= here.warps) {
      partials[here.lane] = identity<Op, T>();
    }
  }
}

// Lanes 0 … 7 get the quads of a whole row, or fewer lanes those of a row of fewer warps, and the
// lanes after them the same again.
template <typename Op, typename T>
__device__ inline share<T, Op> share_of(const T* partials, const place& here) {
  if constexpr (has_identity<Op, T>) {
    const int last_quad = here.warps > 16 ? 7 : here.warps > 8 ? 3 : here.warps > 4 ? 1 : 0;
    return reinterpret_cast<const quad<T>*>(partials)[here.lane & last_quad];
  } else {
    return partials[here.lane < here.warps ? here.lane : here.warps - 1];
  }
}

template <typename Op, typename T>
__device__ inline share<T, Op> share_without_meaning(const T& value) {
  if constexpr (has_identity<Op, T>) {
    return {{value, value, value, value}};
  } else {
    return value;
  }
}

// Combines, for every lane, what each group of lanes that holds a whole row has.
template <typename T, typename Op>
__device__ inline T combine_quads(T value, int warps, const Op& op) {
#pragma unroll
  for (int distance = 1; distance < most_warps / 4; distance *= 2) {
    if (warps <= 4 * distance) break;
    value = combine_across(all_lanes, value, distance, op);
  }
  return value;
}

// Called by a whole warp; the result is in every lane.
template <typename T, typename Op>
__device__ inline T combine_shares(const share<T, Op>& mine, int warps, const Op& op) {
  if constexpr (has_identity<Op, T>) {
    const T first_two = op(mine.slots[0], mine.slots[1]);
    const T last_two = op(mine.slots[2], mine.slots[3]);
    return combine_quads<T>(op(first_two, last_two), warps, op);
  } else {
    return shuffle(all_lanes, reduce_first_lanes(all_lanes, mine, warps, op), 0);
  }
}

// Combines what lane 0 of each warp brings; the result is in every thread.
template <typename T, typename Op>
__device__ inline T combine_warps(const place& here, const T& value, const Op& op, T* partials,
                                  T* results) {
  if (here.lane == 0) partials[here.warp] = value;
  fill_up<Op>(here, partials);
  __syncthreads();
  if (here.each_warp_combines()) {
    const share<T, Op> mine = share_of<Op>(partials, here);
    __syncthreads();
    return combine_shares<T>(mine, here.warps, op);
  }
  if (here.warp == 0) {
    const T combined = combine_shares<T>(share_of<Op>(partials, here), here.warps, op);
    if (here.lane == 0) results[0] = combined;
  }
  __syncthreads();
  return results[0];
}

// The whole reduction, in the type in which values are carried.
template <typename T, typename Op, typename U, int rows>
__device__ inline T reduce_carried(const T& value, const Op& op, scratch<U, rows>& shared) {
  const place here;
  const T of_warp = reduce_warp(here, value, op);
  if (here.is_alone()) return spread_in_warp<Op>(here, of_warp);
  return combine_warps(here, of_warp, op, partials_of<T>(shared), results_of<T>(shared));
}

// Reduces `count` values of a whole warp with fewer shuffles than one by one: in each step two
// lanes share out the rows that both hold, half of them to each, so that row_held() says what a
// lane has in the end.
template <int count, typename T, typename Op>
__device__ inline void reduce_rows_apart(T (&values)[count], const Op& op) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const int held = (count + distance - 1) / distance;
    const bool is_later = (lane_id() & distance) != 0;
#pragma unroll
    for (int pair = 0; pair < (count + 1) / 2; ++pair) {
      if (2 * pair + 1 < held) {
        const T sent = is_later ? values[2 * pair] : values[2 * pair + 1];
        const T kept = is_later ? values[2 * pair + 1] : values[2 * pair];
        const T other = shuffle_xor(all_lanes, sent, distance);
        values[pair] = combine_with(other, kept, is_later, op);
      } else if (2 * pair < held) {
        values[pair] = combine_across(all_lanes, values[2 * pair], distance, op);
      }
    }
  }
}

// The row whose result the caller has in values[index], or -1 where an earlier lane has it, too.
template <int count>
__device__ inline int row_held(int index) {
#pragma unroll
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const int held = (count + distance - 1) / distance;
    index = 2 * index + ((lane_id() & distance) != 0 ? 1 : 0);
    if (index >= held) return -1;
  }
  return index;
}

template <typename T, int count, typename Op, typename U, int rows>
__device__ inline void reduce_carried_rows(T (&values)[count], const Op& op,
                                           scratch<U, rows>& shared) {
  const place here;
  if (here.has_whole_warp() && !here.is_alone()) {
    reduce_rows_apart(values, op);
#pragma unroll
    for (int index = 0; index < (count + warp_size - 1) / warp_size; ++index) {
      const int row = row_held<count>(index);
      if (row >= 0) partials_of<T>(shared, row)[here.warp] = values[index];
    }
  } else {
    // One loop with shuffles and no branch in it: the compiler would take a branch on the lane out
    // of the loop, and the shuffles of lane 0 with it.
#pragma unroll
    for (T& value : values) {
      value = reduce_first_lanes(here.members(), value, here.lanes, op);
    }
    if (here.is_alone()) {
#pragma unroll
      for (T& value : values) value = shuffle(here.members(), value, 0);
      return;
    }
    if (here.lane == 0) {
#pragma unroll
      for (int row = 0; row < count; ++row) partials_of<T>(shared, row)[here.warp] = values[row];
    }
  }
  for (int row = 0; row < count; ++row) fill_up<Op>(here, partials_of<T>(shared, row));
  __syncthreads();
  // The whole warps share out the rows.
  T* const results = results_of<T>(shared);
  if (here.has_whole_warp()) {
    const int whole_warps = block_size() / warp_size;
    for (int row = here.warp; row < count; row += whole_warps) {
      const T combined =
          combine_shares<T>(share_of<Op>(partials_of<T>(shared, row), here), here.warps, op);
      if (here.lane == 0) results[row] = combined;
    }
  }
  __syncthreads();
#pragma unroll
  for (int row = 0; row < count; ++row) values[row] = results[row];
}

}  // namespace detail

// The contract of all functions here:
//   called by   every thread of the block, which may have any shape and size
//   op          associative; need not commute: values are combined in the order of thread_rank().
//               One with an identity is combined faster
//   scratch     may be passed again at once
//   order       a fixed tree for each block size: the same bits on every run. Sums and products of
//               half and bfloat16 are built in float and rounded once

// Combines the values of all threads of the block.
//   result in   every thread, bit for bit the same
//   cost        a warp::reduce, two barriers, and a shared load with up to two more shuffles for
//               every four bytes in each warp (up to 16 warps), or three in the first warp (above);
//               neither shared memory nor barriers if the block is one warp
template <exchangeable T, combines<T> Op, int rows>
[[nodiscard]] __device__ T reduce(T value, Op op, scratch<T, rows>& scratch) {
  using carried = detail::carried<T, Op>;
  return static_cast<T>(detail::reduce_carried(static_cast<carried>(value), op, scratch));
}

// The same with the result in the first thread only; other threads get something else.
//   result in   the thread of rank 0
//   cost        that of reduce(), but only the first warp goes on after the first barrier
template <exchangeable T, combines<T> Op, int rows>
[[nodiscard]] __device__ T reduce_to_first(T value, Op op, scratch<T, rows>& scratch) {
  using carried = detail::carried<T, Op>;
  using share = detail::share<carried, Op>;
  const detail::place here;
  const carried of_warp = detail::reduce_warp(here, static_cast<carried>(value), op);
  if (here.is_alone()) return static_cast<T>(of_warp);
  carried* const partials = detail::partials_of<carried>(scratch);
  if (here.lane == 0) partials[here.warp] = of_warp;
  detail::fill_up<Op>(here, partials);
  __syncthreads();
  // Only the first warp takes a share; the others let it take its time behind the second barrier.
  const share mine = here.warp == 0 ? detail::share_of<Op>(partials, here)
                                    : detail::share_without_meaning<Op>(of_warp);
  __syncthreads();
  if (here.warp != 0) return value;
  return static_cast<T>(detail::combine_shares<carried>(mine, here.warps, op));
}

// Reduces several values at once, each as reduce() does, with fewer shuffles and no more barriers.
//   result in   `values` of every thread, bit for bit the same
//   scratch     has a row for each value
//   cost        in each warp at most count + 4 shuffles for every four bytes (count <= 32); two
//               barriers, between which each row is combined by one of the warps
template <exchangeable T, int count, combines<T> Op, int rows>
__device__ void reduce_rows(T (&values)[count], Op op, scratch<T, rows>& scratch) {
  static_assert(count <= rows, "reduce_rows needs a scratch with a row for each value");
  using carried = detail::carried<T, Op>;
  if constexpr (std::is_same_v<carried, T>) {
    detail::reduce_carried_rows(values, op, scratch);
  } else {
    carried sums[count];
#pragma unroll
    for (int row = 0; row < count; ++row) sums[row] = static_cast<carried>(values[row]);
    detail::reduce_carried_rows(sums, op, scratch);
#pragma unroll
    for (int row = 0; row < count; ++row) values[row] = static_cast<T>(sums[row]);
  }
}

}  // namespace heddle::block
