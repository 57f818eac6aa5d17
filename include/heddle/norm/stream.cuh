// The row-norm kernel with persistent blocks: one row is in registers while the next is in flight.
#pragma once
#include <heddle/norm/row_exchange.cuh>
#include <heddle/norm/row_work.cuh>

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::norm::detail {

inline constexpr int most_threads_of_stream = 1024;

// A thread's shared memory, in vectors: what it fetches of the row and the residual, and as many
// weights and biases of its columns as fit.
template <typename Statistics, bool adds_residual, int vectors>
struct stream_plan {
  // What a block of 1024 threads can afford on compute capability 9.0, besides the slots of one
  // block or, with up to 4 vectors, of a cluster.
  static constexpr int room = vectors > 4 ? 14 : 12;
  static constexpr int matrices = adds_residual ? 2 : 1;
  // In flight per matrix: a whole row, or one vector less with 8 vectors and a residual.
  static constexpr int ahead = std::min(vectors, room / matrices);
  static constexpr int rest = room - matrices * ahead;
  static constexpr int weights =
      Statistics::takes_weight ? std::min(vectors, Statistics::takes_bias ? rest / 2 : rest) : 0;
  static constexpr int biases = Statistics::takes_bias ? std::min(vectors, rest - weights) : 0;
  static constexpr int before_weights = matrices * ahead;
  static constexpr int before_biases = before_weights + weights;
  static constexpr int bytes_of_thread = (before_biases + biases) * vector_bytes;
};

// Vectors in shared memory that belong to the calling thread alone.
template <row_element T>
struct thread_part {
  uint4* first;
  int step;

  __device__ thread_part(uint4* shared, int vectors_before)
      : first(shared + vectors_before * static_cast<int>(blockDim.x) + threadIdx.x),
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

// As column_factors, but the first `kept` vectors stay in shared memory from row to row.
template <bool is_taken, int kept, row_element T, int vectors>
struct stream_factors {
  using factors = column_factors<is_taken, false, T, access::aligned, vectors>;
  thread_part<T> part;
  factors others;

  __device__ stream_factors(uint4* shared, int vectors_before, const T* values,
                            const row_share<T, access::aligned, vectors>& place)
      : part(shared, vectors_before), others(values, place) {
    if (others.data == nullptr) return;
#pragma unroll
    for (int i = 0; i < kept; ++i) {
      if (place.column(i) >= place.columns) continue;
      const vector<T> whole = load_vector(values + place.column(i));
      std::memcpy(&part.at(i), static_cast<const void*>(&whole), vector_bytes);
    }
  }

  __device__ void forget_columns() {
    if constexpr (kept > 0) part.forget_places();
    if constexpr (kept < vectors) others.forget_columns();
  }

  [[nodiscard]] __device__ packed<T> get(int i, std::uint32_t fallback) const {
    if (i >= kept) return others.get(i, fallback);
    if (others.data != nullptr) return part.read(i);
    return {{fallback, fallback, fallback, fallback}};
  }
};

// A thread's share of the coming rows. Its vectors are numbered across rows: vector n sits in place
// n % ahead until it is taken; then the fetch of vector n + ahead starts.
template <row_element T, bool adds_residual, int vectors, int ahead>
class row_stream {
 public:
  using share = row_share<T, access::aligned, vectors>;
  static_assert(ahead <= vectors, "what is sent for is of this row or of the next");

  __device__ row_stream(const row_arguments<T>& given, uint4* shared)
      : given_(given), input_(shared, 0), residual_(shared, adds_residual ? ahead : 0) {}

  __device__ void start(std::int64_t row, const share& place) {
    const rows_that_come coming(given_, row);
#pragma unroll
    for (int i = 0; i < ahead; ++i) fetch(coming, i, place, i);
  }

  // Waits for `row` and returns the thread's share of it; with a residual, adds that and stores the
  // sum. As soon as a vector has arrived, the fetch of a later one, usually of row `next`, starts.
  __device__ void take(std::int64_t row, std::int64_t next, share& taken, float fill) {
    float values[packed<T>::length];
#pragma unroll
    for (int j = 0; j < packed<T>::length; ++j) values[j] = fill;
    packed<T> empty;
    empty.pack(values);
    const rows_that_come present(given_, row), coming(given_, next);
    T* const sum = adds_residual ? begin_of(given_.sum, row) : nullptr;
    input_.forget_places();
    if constexpr (adds_residual) residual_.forget_places();
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      const int place = ahead == vectors ? i : place_;
      __pipeline_wait_prior(ahead - 1);
      if constexpr (vectors > 4) taken.forget_columns();
      taken.held[i] = empty;
      packed<T> more = empty;
      if (taken.column(i) < taken.columns) {
        taken.held[i] = input_.read(place);
        if constexpr (adds_residual) more = residual_.read(place);
      }
      if (i + ahead < vectors) {
        fetch(present, i + ahead, taken, place);
      } else {
        fetch(coming, i + ahead - vectors, taken, place);
      }
      if constexpr (adds_residual) {
        taken.held[i] = taken.held[i].plus(more);
        store_packed<access::aligned>(sum, taken.column(i), taken.columns, taken.held[i]);
      }
      if constexpr (ahead < vectors) place_ = place_ + 1 == ahead ? 0 : place_ + 1;
    }
  }

 private:
  struct rows_that_come {
    const T* input;
    const T* residual;
    int columns;  // 0 after the last row

    __device__ rows_that_come(const row_arguments<T>& given, std::int64_t row)
        : input(begin_of(given.input, row)),
          residual(adds_residual ? begin_of(given.residual, row) : nullptr),
          columns(row < given.input.rows ? static_cast<int>(given.input.columns) : 0) {}
  };

  // Starts the fetch of vector i.
  __device__ void fetch(const rows_that_come& coming, int i, const share& columns, int place) {
    const int column = columns.column(i);
    if (column < coming.columns) {
      __pipeline_memcpy_async(&input_.at(place), coming.input + column, vector_bytes);
      if constexpr (adds_residual) {
        __pipeline_memcpy_async(&residual_.at(place), coming.residual + column, vector_bytes);
      }
    }
    __pipeline_commit();  // even if empty: __pipeline_wait_prior() counts commits
  }

  const row_arguments<T>& given_;
  thread_part<T> input_;
  thread_part<T> residual_;
  int place_ = 0;  // of the next vector, if a row has more vectors than there are places
};

// One aligned row at a time per `blocks_of_row` blocks. Memory is never idle: a thread fetches its
// vectors of the next row as soon as it has taken those of this one.
//   launch      as many blocks as are resident at once, of whole warps, in clusters of
//               `blocks_of_row` if that is not 1; it is 1 with more than 4 vectors. Dynamic shared
//               memory: stream_plan::bytes_of_thread per thread plus row_exchange::slot_bytes()
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
  row_stream<T, adds_residual, vectors, plan::ahead> stream(given, fetched);
  device::detail::start_in_stream_order();
  stream.start(exchange.row(), share);
  stream_factors<Statistics::takes_weight, plan::weights, T, vectors> weights(
      fetched, plan::before_weights, given.weight, share);
  stream_factors<Statistics::takes_bias, plan::biases, T, vectors> biases(
      fetched, plan::before_biases, given.bias, share);
  exchange.start();
  while (exchange.row() < rows) {
    // With 8 vectors the row itself fills the registers of 1024 threads.
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
    store_results<(vectors > 4)>(given, row, Statistics(whole, columns, given.epsilon), share, kept,
                                 weights, biases);
  }
  exchange.leave();
}

}  // namespace heddle::norm::detail
