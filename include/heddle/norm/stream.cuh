// The kernel of row norms whose blocks stay: a row is in registers while the next one comes.
#pragma once
#include <heddle/norm/row_exchange.cuh>
#include <heddle/norm/row_work.cuh>

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::norm::detail {

inline constexpr int most_threads_of_stream = 1024;

// What a thread has in shared memory, in parts of `vectors` vectors: the row that comes, its
// residual, and so much of the factors of its columns as there is room for. Those are 12 vectors at
// most, which a block of 1024 threads has just room for on a multiprocessor of compute capability
// 9.0.
template <typename Statistics, bool adds_residual, int vectors>
struct stream_plan {
  static constexpr int most_parts = 12 / vectors;
  static constexpr int parts_of_rows = adds_residual ? 2 : 1;
  static_assert(parts_of_rows <= most_parts, "a stream has room for 12 vectors of a thread");
  static constexpr bool keeps_weights = Statistics::takes_weight && parts_of_rows < most_parts;
  static constexpr int parts_before_biases = parts_of_rows + (keeps_weights ? 1 : 0);
  static constexpr bool keeps_biases = Statistics::takes_bias && parts_before_biases < most_parts;
  static constexpr int bytes_of_thread =
      (parts_before_biases + (keeps_biases ? 1 : 0)) * vectors * vector_bytes;
};

// A part of the caller's in shared memory: vectors that no other thread looks at.
template <row_element T, int vectors>
struct thread_part {
  uint4* first;
  int step;

  __device__ thread_part(uint4* shared, int part)
      : first(shared + part * vectors * static_cast<int>(blockDim.x) + threadIdx.x),
        step(static_cast<int>(blockDim.x)) {}

  [[nodiscard]] __device__ uint4& at(int i) const { return first[i * step]; }
  // As row_share::forget_columns().
  __device__ void forget_places() { asm volatile("" : "+r"(step)); }
  [[nodiscard]] __device__ packed<T> read(int i) const {
    packed<T> value;
    std::memcpy(value.words, &at(i), vector_bytes);
    return value;
  }
};

// As column_factors, kept in shared memory from row to row.
template <row_element T, int vectors>
struct shared_factors {
  thread_part<T, vectors> part;
  bool is_given;

  __device__ shared_factors(uint4* shared, int number, const T* values,
                            const row_share<T, access::aligned, vectors>& place)
      : part(shared, number), is_given(values != nullptr) {
    if (!is_given) return;
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      if (place.column(i) >= place.columns) continue;
      const vector<T> whole = load_vector(values + place.column(i));
      std::memcpy(&part.at(i), static_cast<const void*>(&whole), vector_bytes);
    }
  }

  __device__ void forget_columns() { part.forget_places(); }

  [[nodiscard]] __device__ packed<T> get(int i, std::uint32_t fallback) const {
    if (is_given) return part.read(i);
    return {{fallback, fallback, fallback, fallback}};
  }
};

// The factors as a plan has them: in shared memory, or read again for each row.
template <bool is_taken, bool is_kept, row_element T, int vectors>
[[nodiscard]] __device__ auto factors_of_stream(
    uint4* shared, int number, const T* values,
    const row_share<T, access::aligned, vectors>& place) {
  if constexpr (is_kept) {
    return shared_factors<T, vectors>(shared, number, values, place);
  } else {
    return column_factors<is_taken, false, T, access::aligned, vectors>(values, place);
  }
}

// A thread's share of the row that comes next.
template <row_element T, bool adds_residual, int vectors>
class row_stream {
 public:
  using share = row_share<T, access::aligned, vectors>;

  __device__ row_stream(const row_arguments<T>& given, uint4* shared)
      : given_(given), input_(shared, 0), residual_(shared, adds_residual ? 1 : 0) {}

  __device__ void start(std::int64_t row, const share& place) {
    const rows_that_come coming(given_, row);
#pragma unroll
    for (int i = 0; i < vectors; ++i) fetch(coming, i, place);
  }

  // Waits for `row` and gives the thread's share of it, or of its sum with the residual, which is
  // then stored. Where a vector has come, the one of row `next` is sent for at once.
  __device__ void take(std::int64_t row, std::int64_t next, share& taken, float fill) {
    float values[packed<T>::length];
#pragma unroll
    for (int j = 0; j < packed<T>::length; ++j) values[j] = fill;
    packed<T> empty;
    empty.pack(values);
    share more = taken;
    const rows_that_come coming(given_, next);
    input_.forget_places();
    if constexpr (adds_residual) residual_.forget_places();
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      __pipeline_wait_prior(vectors - 1);
      if constexpr (vectors > 4) taken.forget_columns();
      taken.held[i] = empty;
      if constexpr (adds_residual) more.held[i] = empty;
      if (taken.column(i) < taken.columns) {
        taken.held[i] = input_.read(i);
        if constexpr (adds_residual) more.held[i] = residual_.read(i);
      }
      fetch(coming, i, taken);
    }
    if constexpr (adds_residual) {
      taken.add(more);
      taken.store(begin_of(given_.sum, row));
    }
  }

 private:
  struct rows_that_come {
    const T* input;
    const T* residual;
    int columns;  // none behind the last row

    __device__ rows_that_come(const row_arguments<T>& given, std::int64_t row)
        : input(begin_of(given.input, row)),
          residual(adds_residual ? begin_of(given.residual, row) : nullptr),
          columns(row < given.input.rows ? static_cast<int>(given.input.columns) : 0) {}
  };

  __device__ void fetch(const rows_that_come& coming, int i, const share& place) {
    const int column = place.column(i);
    if (column < coming.columns) {
      __pipeline_memcpy_async(&input_.at(i), coming.input + column, vector_bytes);
      if constexpr (adds_residual) {
        __pipeline_memcpy_async(&residual_.at(i), coming.residual + column, vector_bytes);
      }
    }
    __pipeline_commit();  // also of nothing: what is waited for is a number of commits
  }

  const row_arguments<T>& given_;
  thread_part<T, vectors> input_;
  thread_part<T, vectors> residual_;
};

// A row of aligned ones for every `blocks_of_row` blocks at a time. Memory is never idle: a thread
// sends for its vectors of the next row as soon as it has those of this one.
//   launch      as many blocks as run at once, of whole warps, in clusters of `blocks_of_row` if
//               that is not 1, which it is with more than 4 vectors; shared memory of
//               stream_plan::bytes_of_thread for every thread, and of row_exchange::slot_bytes()
//   drawn       see row_exchange
template <row_element T, typename Statistics, bool adds_residual, int vectors>
__global__ __launch_bounds__(most_threads_of_stream,
                             1) void norm_in_stream(const __grid_constant__ row_arguments<T> given,
                                                    int blocks_of_row, std::uint32_t* drawn) {
  using plan = stream_plan<Statistics, adds_residual, vectors>;
  extern __shared__ uint4 fetched[];
  __shared__ typename row_exchange<Statistics>::barriers barriers;
  const int threads = static_cast<int>(blockDim.x);
  const int columns = static_cast<int>(given.input.columns);
  const auto rows = static_cast<std::uint32_t>(given.input.rows);
  row_exchange<Statistics> exchange(barriers,
                                    fetched + threads * (plan::bytes_of_thread / vector_bytes),
                                    vectors > 4 ? 1 : blocks_of_row, rows, drawn);
  const row_team& team = exchange.team();
  row_share<T, access::aligned, vectors> share(team.rank * threads + static_cast<int>(threadIdx.x),
                                               team.blocks * threads, 0, columns);
  row_stream<T, adds_residual, vectors> stream(given, fetched);
  device::start_in_stream_order();
  stream.start(exchange.row(), share);
  auto weights = factors_of_stream<Statistics::takes_weight, plan::keeps_weights>(
      fetched, plan::parts_of_rows, given.weight, share);
  auto biases = factors_of_stream<Statistics::takes_bias, plan::keeps_biases>(
      fetched, plan::parts_before_biases, given.bias, share);
  exchange.start();
  while (exchange.row() < rows) {
    // With 8 vectors the registers of 1024 threads are full of the row itself.
    std::conditional_t<(vectors > 4), nothing_kept,
                       typename Statistics::template kept<vectors * packed<T>::length>>
        kept;
    const std::uint32_t row = exchange.row();
    share.forget_columns();
    stream.take(row, exchange.next_row(), share, Statistics::fill);
    const auto of_warp = Statistics::template of_tile<warp_size>(share, kept);
    share.forget_floats();
    const auto whole = exchange.combine(of_warp, columns);
    share.forget_columns();
    weights.forget_columns();
    biases.forget_columns();
    store_results(given, row, Statistics(whole, columns, given.epsilon), share, kept, weights,
                  biases);
  }
  exchange.leave();
}

}  // namespace heddle::norm::detail
