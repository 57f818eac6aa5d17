// The kernel of row norms for long rows: blocks stay, and fetch rows ahead.
#pragma once
#include <heddle/norm/row_team.cuh>
#include <heddle/norm/row_work.cuh>

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::norm::detail {

inline constexpr int vectors_ahead = 4;         // of a row that a thread has
inline constexpr int most_threads_ahead = 512;  // of a block

// How many rows are in shared memory or on their way there: so many that a block of 512 threads
// has just room for them on a multiprocessor of compute capability 9.0.
template <bool adds_residual>
inline constexpr int stages_ahead = adds_residual ? 3 : 6;

// Shared memory that a thread needs for that, in bytes.
template <bool adds_residual>
inline constexpr int bytes_ahead =
    stages_ahead<adds_residual>*(adds_residual ? 2 : 1) * vectors_ahead* vector_bytes;

// What a block needs besides, for what its warps tell each other.
template <typename Statistics>
inline constexpr std::size_t slot_bytes_ahead = 2 * sizeof(row_slots<typename Statistics::partial>);

// A thread's share of some rows in shared memory, or on its way there. A thread finds what it has
// fetched itself, so that no other has to be waited for. Rows are taken one after another, and
// given up in the same order; of those that were taken two at most may be kept.
template <row_element T, bool adds_residual>
class row_queue {
 public:
  using share = row_share<T, access::aligned, vectors_ahead>;

  __device__ row_queue(const row_arguments<T>& given, uint4* shared, std::int64_t rows_apart)
      : given_(given), shared_(shared), rows_apart_(rows_apart) {}

  // Starts to fetch a row and those behind it.
  __device__ void start(std::int64_t row, const share& place) {
    for (int stage = 0; stage < stages; ++stage) fetch(row + stage * rows_apart_, stage, place);
  }

  // Waits for the next row, `row`, and gives the thread's share of it, or of its sum with the
  // residual, which is then stored.
  __device__ void take(std::int64_t row, share& taken, float fill) {
    __pipeline_wait_prior(stages - 2);
    read(taken, taken_, false, fill);
    if constexpr (adds_residual) {
      share more = taken;
      read(more, taken_, true, fill);
      taken.add(more);
      taken.store(given_.sum.data + row * given_.sum.stride);
#pragma unroll
      for (int i = 0; i < vectors_ahead; ++i) {
        const std::uint32_t(&words)[4] = taken.held[i].words;
        place_of(taken_, false, i) = make_uint4(words[0], words[1], words[2], words[3]);
      }
    }
    taken_ = behind(taken_);
  }

  // The same share again, of the row that was taken first and not given up.
  __device__ void read_again(share& kept, float fill) { read(kept, given_up_, false, fill); }

  // Gives up that row, which is `row`: its room is for one that comes later.
  //   called by   a thread that has used what it read: a copy may come at once
  __device__ void give_up(std::int64_t row, const share& place) {
    fetch(row + stages * rows_apart_, given_up_, place);
    given_up_ = behind(given_up_);
  }

 private:
  static constexpr int stages = stages_ahead<adds_residual>;

  [[nodiscard]] __device__ static int behind(int stage) {
    return stage + 1 == stages ? 0 : stage + 1;
  }
  [[nodiscard]] __device__ uint4& place_of(int stage, bool is_residual, int i) {
    const int part = stage * (adds_residual ? 2 : 1) + (is_residual ? 1 : 0);
    return shared_[(part * vectors_ahead + i) * static_cast<int>(blockDim.x) +
                   static_cast<int>(threadIdx.x)];
  }

  __device__ void read(share& into, int stage, bool is_residual, float fill) {
    float values[packed<T>::length];
#pragma unroll
    for (int j = 0; j < packed<T>::length; ++j) values[j] = fill;
    packed<T> empty;
    empty.pack(values);
#pragma unroll
    for (int i = 0; i < vectors_ahead; ++i) {
      into.held[i] = empty;
      if (into.column(i) < into.columns) {
        std::memcpy(into.held[i].words, &place_of(stage, is_residual, i), vector_bytes);
      }
    }
  }

  __device__ void fetch(std::int64_t row, int stage, const share& place) {
    if (row < given_.input.rows) {
      const T* const input = given_.input.data + row * given_.input.stride;
      const T* const residual = given_.residual.data + row * given_.residual.stride;
#pragma unroll
      for (int i = 0; i < vectors_ahead; ++i) {
        if (place.column(i) >= place.columns) continue;
        __pipeline_memcpy_async(&place_of(stage, false, i), input + place.column(i), vector_bytes);
        if constexpr (adds_residual) {
          __pipeline_memcpy_async(&place_of(stage, true, i), residual + place.column(i),
                                  vector_bytes);
        }
      }
    }
    __pipeline_commit();  // also of nothing: what is waited for is a number of commits
  }

  const row_arguments<T>& given_;
  uint4* shared_;
  std::int64_t rows_apart_;
  int taken_ = 0;     // the stage of the row that is taken next
  int given_up_ = 0;  // and of the one that is given up next
};

// A row of aligned ones for every `blocks_of_row` blocks at a time. Rows come ahead into shared
// memory, a row is reduced while the blocks of the row before it meet, and each thread keeps the
// weights of its columns.
//   launch      as many blocks as run at once, of whole warps, in clusters of `blocks_of_row` if
//               that is not 1; shared memory of bytes_ahead for every thread
template <row_element T, typename Statistics, bool adds_residual>
__global__ __launch_bounds__(most_threads_ahead) void norm_ahead(
    const __grid_constant__ row_arguments<T> given, int blocks_of_row) {
  constexpr int vectors = vectors_ahead;
  using share_of_row = row_share<T, access::aligned, vectors>;
  using partial = typename Statistics::partial;
  extern __shared__ uint4 fetched[];
  __shared__ row_slots<partial> slots[2];
  const row_team team(blocks_of_row);
  const int threads = static_cast<int>(blockDim.x);
  const int columns = static_cast<int>(given.input.columns);
  const std::int64_t teams = gridDim.x / static_cast<unsigned>(blocks_of_row);
  std::int64_t row = team.row();
  share_of_row share(team.rank * threads + static_cast<int>(threadIdx.x), blocks_of_row * threads,
                     0, columns);
  row_queue<T, adds_residual> queue(given, fetched, teams);
  device::start_in_stream_order();
  queue.start(row, share);
  const column_factors<Statistics::takes_weight, true, T, access::aligned, vectors> weights(
      given.weight, share);
  const column_factors<Statistics::takes_bias, true, T, access::aligned, vectors> biases(given.bias,
                                                                                         share);
  typename Statistics::template kept<vectors * packed<T>::length> kept, kept_of_next;
  queue.take(row, share, Statistics::fill);
  partial of_warp = Statistics::template of_tile<warp_size>(share, kept);
  team.wait_for_start();
  team.publish(of_warp, slots[0]);
  for (int round = 0; row < given.input.rows; row += teams, round ^= 1) {
    const bool has_next = row + teams < given.input.rows;
    if (has_next) {
      queue.take(row + teams, share, Statistics::fill);
      of_warp = Statistics::template of_tile<warp_size>(share, kept_of_next);
    }
    team.meet();
    const partial whole = team.collect<Statistics>(slots[round], columns);
    if (has_next) team.publish(of_warp, slots[round ^ 1]);
    queue.read_again(share, Statistics::fill);
    store_results(given, row, Statistics(whole, columns, given.epsilon), share, kept, weights,
                  biases);
    queue.give_up(row, share);
    kept = kept_of_next;
  }
}

}  // namespace heddle::norm::detail
