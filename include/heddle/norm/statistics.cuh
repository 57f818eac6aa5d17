// What a norm computes from a row, how partial results merge, and how it maps a value.
#pragma once
#include <heddle/core/compensated.cuh>
#include <heddle/norm/row_share.cuh>
#include <heddle/warp/reduce.cuh>

#include <limits>

namespace heddle::norm::detail {

// A norm is a struct with
//   partial           the result for part of a row; trivially copyable
//   merge             an operator that merges two partials
//   nothing()         the partial of no values
//   of_tile<width>()  the partial of the values that the lanes of a tile hold, in every lane of it;
//                     leaves intermediate values in `kept` if that saves computing them again
//   of_slots<width>() the partial of a row, in every lane, from one partial in each lane of a tile;
//   `first` is one of them, or a part of one
//   fill              stands in for values outside the row
//   a constructor     from the whole row's partial
//   operator()        maps a value, before weight and bias
//   refer_to(kept)    and result(kept, i): the same, from what was kept for value i

inline constexpr float greatest_finite = std::numeric_limits<float>::max();

// The maximum of each tile; no value is NaN.
template <int width>
[[nodiscard]] __device__ inline float greatest_of_lanes(float value) {
  if constexpr (width == warp_size) {
    // Mapped to integers of the same order, for which one instruction reduces a warp.
    const auto turned = [](int bits) { return bits ^ (bits >> 31 & 0x7fffffff); };
    return __int_as_float(turned(warp::reduce(turned(__float_as_int(value)), maximum{})));
  } else {
    return warp::reduce<width>(value, maximum{});
  }
}

// 1 / count, or 0 for a count of 0, with the hardware's division. An exact division contains a
// branch, and the compiler moves nothing across it; this one can run before the row arrives.
[[nodiscard]] __device__ inline float inverse_of(float count) {
  return count > 0 ? __fdividef(1.0f, count) : 0.0f;
}

// 1 / sqrt(squares / columns + epsilon) by the hardware's division and root.
[[nodiscard]] __device__ inline float inverse_root_of_mean(float squares, int columns,
                                                           float epsilon) {
  return rsqrtf(fmaf(squares, inverse_of(static_cast<float>(columns)), epsilon));
}

// Nothing is kept; results are computed from the values themselves.
struct nothing_kept {};

template <typename Statistics>
struct results_of_values {
  template <int count>
  using kept = nothing_kept;
  __device__ void refer_to(const nothing_kept&) {}
  __device__ float result(const nothing_kept&, int, float value) const {
    return static_cast<const Statistics&>(*this)(value);
  }
};

struct rms_statistics : results_of_values<rms_statistics> {
  using partial = float;  // the sum of squares
  using merge = plus;
  static constexpr float fill = 0;
  static constexpr bool takes_weight = true;
  static constexpr bool takes_bias = false;
  float scale;

  static __device__ partial nothing() { return 0; }

  template <int width, typename Share, typename Kept>
  static __device__ partial of_tile(Share& share, Kept&) {
    float squares = 0;
    share.each([&](float value) { squares = fmaf(value, value, squares); });
    return warp::reduce<width>(squares);
  }

  template <int width>
  static __device__ partial of_slots(partial of_lane, partial /*first*/, int /*columns*/) {
    return warp::reduce<width>(of_lane);
  }

  __device__ rms_statistics(partial squares, int columns, float epsilon)
      : scale(inverse_root_of_mean(squares, columns, epsilon)) {}

  __device__ float operator()(float value) const { return value * scale; }
};

// A lane sums distances from the first of its values. Partials merge by the distances of their
// means from the first one's mean. The term subtracted at the end is at most the squares of as many
// values as a lane has. So cancellation costs a few bits if the first value is far from all others,
// and never more.
//
// A mean is two floats: one would be wrong by up to half a unit in its last place, and so would be
// every distance from it.
struct layer_statistics : results_of_values<layer_statistics> {
  struct alignas(16) partial {
    float count;
    float squares;  // of the distances from the mean
    float mean;
    float mean_rest;  // what rounding the mean has lost
  };
  struct merge {
    __device__ partial operator()(const partial& a, const partial& b) const {
      // An empty side contributes no distance, even where its square would be infinite.
      const float count = a.count + b.count;
      const float share = count > 0 ? __fdividef(b.count, count) : 0.0f;
      const float mean = a.count > 0 ? a.mean : b.mean;
      const float rest = a.count > 0 ? a.mean_rest : b.mean_rest;
      const float distance = (b.mean - mean) + (b.mean_rest - rest);
      return about(mean, rest, distance * share, count,
                   fmaf(distance * (a.count * share), distance, a.squares + b.squares));
    }
  };
  static constexpr float fill = 0;
  static constexpr bool takes_weight = true;
  static constexpr bool takes_bias = true;
  float mean;
  float scale;
  float rest;  // the rest of the mean, scaled and negated

  static __device__ partial nothing() { return {0, 0, 0, 0}; }

  // The partial whose mean is `reference + rest + shift`.
  static __device__ partial about(float reference, float rest, float shift, float count,
                                  float squares) {
    compensated<float> mean{reference, rest};
    mean.add(shift);
    return {count, squares, mean.sum, mean.correction};
  }

  template <int width, typename Share, typename Kept>
  static __device__ partial of_tile(Share& share, Kept&) {
    const auto count = static_cast<float>(share.present(0, 1));
    const float reference = share.first_value();
    float sum = 0, squares = 0;
    share.each_distance(reference, [&](float distance) {
      sum += distance;
      squares = fmaf(distance, distance, squares);
    });
    const float shift = sum * inverse_of(count);
    const partial of_lane = about(reference, 0, shift, count, without(squares, sum * shift));
    if constexpr (width == 1) {
      return of_lane;
    } else {
      return of_lanes<width>(of_lane, shuffle(all_lanes, of_lane.mean, 0, width),
                             share.present(lane_id() & (width - 1), width));
    }
  }

  template <int width>
  static __device__ partial of_slots(const partial& of_lane, const partial& first, int columns) {
    return of_lanes<width>(of_lane, first.mean, columns);
  }

  // Merges the partials of a tile's lanes, which hold `values` values together. The first lane
  // holds some if any lane does, and `reference` is its mean, rounded. Both sums use distances from
  // `reference` and are reduced together. The first lane's distance is next to 0, so the term
  // subtracted at the end is at most the others' share of the squares. If all lanes hold equally
  // many values, cancellation costs at most 5 bits, when only the first lane is far from the rest.
  template <int width>
  static __device__ partial of_lanes(const partial& of_lane, float reference, int values) {
    const auto count = static_cast<float>(values);
    const float distance = (of_lane.mean - reference) + of_lane.mean_rest;
    // An empty lane has no distance, whatever its mean.
    const float counted = of_lane.count * distance;
    float sums[]{counted, fmaf(counted, distance, of_lane.squares)};
    warp::reduce_rows<width>(sums);
    const float shift = sums[0] * inverse_of(count);
    return about(reference, 0, shift, count, without(sums[1], sums[0] * shift));
  }

  // Infinite squares stay infinite.
  static __device__ float without(float squares, float excess) {
    return squares - fminf(excess, greatest_finite);
  }

  __device__ layer_statistics(const partial& whole, int columns, float epsilon)
      : mean(whole.mean),
        scale(inverse_root_of_mean(whole.squares, columns, epsilon)),
        rest(-whole.mean_rest * scale) {}

  __device__ float operator()(float value) const { return fmaf(value - mean, scale, rest); }
};

// e^exponent, with a relative error of at most a few times 2^-24 times the exponent's magnitude;
// short floats use the hardware's instruction.
template <row_element T>
[[nodiscard]] __device__ inline float exponential(float exponent) {
  if constexpr (std::is_same_v<T, float>) {
    return expf(exponent);
  } else {
    return __expf(exponent);
  }
}

// The natural logarithm, likewise.
template <row_element T>
[[nodiscard]] __device__ inline float logarithm(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return logf(value);
  } else {
    return __logf(value);
  }
}

// Powers are relative to the maximum of the part, so none overflows. A part that holds only -inf
// has sum 0.
template <row_element T, bool takes_logarithm>
struct softmax_statistics {
  // The powers, relative to the maximum of the thread's tile.
  template <int count>
  struct powers {
    float values[count];
    float greatest;
  };
  template <int count>
  using kept = std::conditional_t<takes_logarithm, nothing_kept, powers<count>>;

  struct partial {
    float greatest;
    float sum;  // of the powers, relative to `greatest`
  };
  // What a part's values are relative to: 0 if the maximum is -inf, because -inf - -inf is NaN.
  static __device__ float reference(float greatest) { return greatest == fill ? 0.0f : greatest; }
  struct merge {
    __device__ partial operator()(const partial& a, const partial& b) const {
      const float greatest = fmaxf(a.greatest, b.greatest);
      const float zero = reference(greatest);
      return {greatest, a.sum * exponential<T>(a.greatest - zero) +
                            b.sum * exponential<T>(b.greatest - zero)};
    }
  };
  static constexpr float fill = heddle::detail::lower_end<float>;
  static constexpr bool takes_weight = false;
  static constexpr bool takes_bias = false;
  float greatest;
  float factor;  // 1 / sum, or log(sum)

  static __device__ partial nothing() { return {fill, 0}; }

  template <int width, typename Share, typename Kept>
  static __device__ partial of_tile(Share& share, Kept& kept_powers) {
    const float greatest_of_tile = greatest_of_lanes<width>(share.greatest(fill));
    const float zero = reference(greatest_of_tile);
    float sum = 0;
    int index = 0;
    share.each([&](float value) {
      const float power = exponential<T>(value - zero);
      if constexpr (!std::is_same_v<Kept, nothing_kept>) kept_powers.values[index++] = power;
      sum += power;
    });
    if constexpr (!std::is_same_v<Kept, nothing_kept>) kept_powers.greatest = greatest_of_tile;
    return {greatest_of_tile, warp::reduce<width>(sum)};
  }

  template <int width>
  static __device__ partial of_slots(const partial& of_lane, const partial& /*first*/,
                                     int /*columns*/) {
    // Narrower tiles use the full-warp instruction too: every tile holds the same values.
    const float greatest_of_row = greatest_of_lanes<warp_size>(of_lane.greatest);
    const float power = exponential<T>(of_lane.greatest - reference(greatest_of_row));
    return {greatest_of_row, warp::reduce<width>(of_lane.sum * power)};
  }

  __device__ softmax_statistics(const partial& whole, int, float)
      : greatest(whole.greatest),
        factor(takes_logarithm ? logarithm<T>(whole.sum) : __fdividef(1.0f, whole.sum)) {}

  __device__ float operator()(float value) const {
    if constexpr (takes_logarithm) {
      return (value - greatest) - factor;
    } else {
      return exponential<T>(value - greatest) * factor;
    }
  }

  __device__ void refer_to(const nothing_kept&) {}
  __device__ float result(const nothing_kept&, int, float value) const { return (*this)(value); }
  template <int count>
  __device__ void refer_to(const powers<count>& tile) {
    factor *= exponential<T>(tile.greatest - greatest);
  }
  template <int count>
  __device__ float result(const powers<count>& tile, int index, float) const {
    return tile.values[index] * factor;
  }
};

}  // namespace heddle::norm::detail
