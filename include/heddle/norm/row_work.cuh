// What every row-norm kernel does with a thread's share of a row: load it, add the residual, store
// the result.
#pragma once
#include <heddle/norm/row_share.cuh>
#include <heddle/norm/statistics.cuh>

#include <cstdint>

namespace heddle::norm::detail {

// All arguments of a kernel.
template <row_element T>
struct row_arguments {
  matrix<const T> input;
  matrix<T> output;
  matrix<const T> residual;  // added to the input, if adds_residual
  matrix<T> sum;             // where the sum goes
  const T* weight = nullptr;
  const T* bias = nullptr;
  float epsilon = 0;
};

// How many elements after a multiple of 16 bytes a row begins.
template <access kind, row_element T>
[[nodiscard]] __device__ inline int head_of(const T* row) {
  if constexpr (kind == access::aligned) return 0;
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(row) % vector_bytes / sizeof(T));
}

// The address of a row. The empty asm stops the compiler from adding row and column offsets first,
// again for every vector.
template <typename T>
[[nodiscard]] __device__ inline T* begin_of(const matrix<T>& rows, std::int64_t row) {
  T* begin = rows.data + row * rows.stride;
  asm("" : "+l"(begin));
  return begin;
}

// Loads the caller's share of row `row`. With a residual, adds it and stores the sum.
template <bool adds_residual, caching hint, row_element T, typename Share>
__device__ inline void load_row(const row_arguments<T>& given, std::int64_t row, float fill,
                                Share& share) {
  share.template load<hint>(begin_of(given.input, row), fill);
  if constexpr (adds_residual) {
    Share more = share;
    more.template load<hint>(begin_of(given.residual, row), fill);
    share.add(more);
    share.store(begin_of(given.sum, row));
  }
}

// The weights or biases of a share's columns.
template <bool is_taken, bool is_early, row_element T, access kind, int vectors>
struct column_factors {
  row_share<T, kind, vectors> share;
  const T* data;

  // Early factors are loaded here, so that they arrive together with the row.
  __device__ column_factors(const T* values, const row_share<T, kind, vectors>& place)
      : share(place), data(is_taken ? values : nullptr) {
    if constexpr (is_taken && is_early) {
      if (data != nullptr) share.template load<caching::normal>(data, 0);
    }
  }

  __device__ void forget_columns() { share.forget_columns(); }

  // The factors of vector i, or `fallback` in every word if there are none. Late factors are loaded
  // here: they hit a cache, and registers are scarce.
  [[nodiscard]] __device__ packed<T> get(int i, std::uint32_t fallback) const {
    if constexpr (is_taken) {
      if (data != nullptr) {
        if constexpr (is_early) return share.held[i];
        return load_packed<kind, caching::normal>(data, share.column(i), share.columns, 0);
      }
    }
    return {{fallback, fallback, fallback, fallback}};
  }
};

// Normalises a share and stores it. To save registers, factors are loaded only when needed and
// values are unpacked again.
template <bool spares_registers, typename Statistics, typename Kept, row_element T, access kind,
          int vectors, typename Weights, typename Biases>
__device__ inline void store_results(const row_arguments<T>& given, std::int64_t row,
                                     const Statistics& found,
                                     const row_share<T, kind, vectors>& share, const Kept& kept,
                                     const Weights& weights, const Biases& biases) {
  constexpr int length = packed<T>::length;
  T* const output = begin_of(given.output, row);
  Statistics statistics = found;
  statistics.refer_to(kept);
  // Otherwise factors are loaded one vector ahead.
  constexpr int ahead = spares_registers ? 0 : 1;
  packed<T> weights_of[vectors], biases_of[vectors];
  const auto fetch = [&](int i) {
    weights_of[i] = weights.get(i, packed<T>::word_of_ones);
    biases_of[i] = biases.get(i, 0);
  };
  if constexpr (ahead > 0) fetch(0);
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    if (i + ahead < vectors) fetch(i + ahead);
    if (share.column(i) >= share.columns) continue;
    float values[length], weight[length], bias[length];
    if constexpr (spares_registers) {
      share.held[i].unpack_again(values);
    } else {
      share.held[i].unpack(values);
    }
    weights_of[i].unpack(weight);
    biases_of[i].unpack(bias);
#pragma unroll
    for (int j = 0; j < length; ++j) {
      values[j] = statistics.result(kept, i * length + j, values[j]);
      if constexpr (Statistics::takes_bias) {
        values[j] = fmaf(values[j], weight[j], bias[j]);
      } else if constexpr (Statistics::takes_weight) {
        values[j] *= weight[j];
      }
    }
    packed<T> results;
    results.pack(values);
    store_packed<kind>(output, share.column(i), share.columns, results);
  }
}

}  // namespace heddle::norm::detail
