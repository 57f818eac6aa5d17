// How persistent blocks share the rows, and merge their warps' results for each row.
#pragma once
#include <heddle/core/bulk_copy.cuh>
#include <heddle/norm/row_team.cuh>

#include <cuda/ptx>

#include <cstddef>
#include <cstdint>

namespace heddle::norm::detail {

// Row numbers have 32 bits here, including those drawn after the last row.
inline constexpr std::int64_t most_rows_of_staying_blocks = std::int64_t{1} << 31;

// Like row_team, but the blocks go from row to row. The first two rows of each team are fixed and
// the rest are drawn from a counter, because some multiprocessors are closer to memory than others.
//
// The blocks of a cluster exchange results with bulk copies that signal their own completion. A
// cluster barrier would also order all other memory, so every row would wait for the stores of the
// previous one.
template <typename Statistics>
class row_exchange {
 public:
  using partial = typename Statistics::partial;

  // What a warp sends to the other warps of its row.
  struct alignas(bulk_bytes) slot {
    partial value;
    std::uint32_t drawn;  // a row for later; set by the first warp only
  };
  // In shared memory; signals that the slots of a row are filled.
  struct barriers {
    std::uint64_t filled[2];
  };

  // Shared memory that a block needs for slots: two rows of them.
  [[nodiscard]] static constexpr std::size_t slot_bytes(int threads, int blocks_of_row) {
    return 2 * sizeof(slot) * static_cast<std::size_t>(threads / warp_size * blocks_of_row);
  }

  //   called by   as row_team's constructor
  //   slots       slot_bytes() of shared memory
  //   rows        up to most_rows_of_staying_blocks
  //   drawn       0 before and after the kernel; nobody else uses it meanwhile
  __device__ row_exchange(barriers& shared, void* slots, int blocks_of_row, std::uint32_t rows,
                          std::uint32_t* drawn)
      : shared_(shared),
        slots_(static_cast<slot*>(slots)),
        counter_(drawn),
        team_(prepared(shared, blocks_of_row)),
        row_(static_cast<std::uint32_t>(team_.row())),
        next_(row_ + teams()),
        rows_(rows) {}

  [[nodiscard]] __device__ const row_team& team() const { return team_; }
  [[nodiscard]] __device__ std::uint32_t row() const { return row_; }
  [[nodiscard]] __device__ std::uint32_t next_row() const { return next_; }

  // Call once before the first combine(), after start_in_stream_order().
  __device__ void start() {
    draw();
    team_.wait_for_start();
  }

  // Merges the results of all warps of the row, then moves on to the next row.
  //   called by   every thread of every block of the row; blocks consist of whole warps
  //   of_warp     the same in every lane of a warp
  //   result in   every thread, bit for bit the same
  //   cost        a block barrier; with several blocks, a copy from each warp to each other block
  [[nodiscard]] __device__ partial combine(const partial& of_warp, int columns) {
    const int half = static_cast<int>(rounds_ & 1);
    slot* const slots = slots_ + half * warp_count() * team_.blocks;
    // All lanes must have read what these slots held two rows ago; shuffles do not order memory.
    __syncwarp();
    if (lane_id() == 0) {
      slot& own = slots[team_.rank * warp_count() + warp_rank()];
      own.value = of_warp;
      if (is_drawing()) own.drawn = taken();
      if constexpr (has_feature<feature::cluster>) {
        if (team_.blocks > 1) send(own, shared_.filled[half]);
      }
    }
    draw();
    __syncwarp();
    meet(half);
    row_ = next_;
    next_ = 2 * teams() + slots[0].drawn;
    ++rounds_;
    return team_.collect<Statistics>([slots](int i) { return slots[i].value; }, columns);
  }

  // Call once at the end: copies of this block's slots may still be in flight.
  __device__ void leave() {
    if (is_drawing()) static_cast<void>(taken());
    if constexpr (has_feature<feature::cluster>) {
      if (team_.blocks > 1) {
        device::detail::cluster::arrive();
        device::detail::cluster::wait();
      }
    }
  }

 private:
  [[nodiscard]] __device__ static int prepared(barriers& shared, int blocks) {
    if constexpr (has_feature<feature::cluster>) {
      if (blocks > 1 && threadIdx.x == 0) {
        const auto warps = static_cast<std::uint32_t>(warp_count());
        cuda::ptx::mbarrier_init(&shared.filled[0], warps);
        cuda::ptx::mbarrier_init(&shared.filled[1], warps);
        order_prepared_barriers();
      }
    }
    return blocks;
  }

  [[nodiscard]] __device__ std::uint32_t teams() const {
    return team_.blocks == 1 ? gridDim.x : gridDim.x / static_cast<unsigned>(team_.blocks);
  }

  // One thread of each team draws, one round before the number is needed.
  [[nodiscard]] __device__ bool is_drawing() const { return threadIdx.x == 0 && team_.rank == 0; }
  __device__ void draw() {
    if (is_drawing()) drawn_ = atomicAdd(counter_, 1u);
  }
  // Each team draws once at the start and once per row, so the last number is known; whoever gets
  // it resets the counter.
  [[nodiscard]] __device__ std::uint32_t taken() {
    if (drawn_ == rows_ + teams() - 1) *counter_ = 0;
    return drawn_;
  }

  // Slots are reused two rows later: by the time a warp sends for that row, all have read them.
  //   called by   lane 0 of every warp
  __device__ void send(slot& own, std::uint64_t& filled) const {
    constexpr auto bytes = static_cast<std::uint32_t>(sizeof own);
    static_assert(bytes % bulk_bytes == 0, "what blocks send is whole units of bulk copies");
    if (warp_rank() == 0) {
      const auto copies = static_cast<std::uint32_t>((team_.blocks - 1) * warp_count());
      cuda::ptx::mbarrier_expect_tx(cuda::ptx::sem_relaxed, cuda::ptx::scope_cta,
                                    cuda::ptx::space_shared, &filled, copies * bytes);
    }
    order_before_bulk_copies();
    for (int other = 0; other < team_.blocks; ++other) {
      if (other == team_.rank) continue;
      cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_shared,
                               device::detail::cluster::in_block(&own, other), &own, bytes,
                               device::detail::cluster::in_block(&filled, other));
    }
    cuda::ptx::mbarrier_arrive(&filled);
  }

  // Waits until every warp of the row has filled its slots.
  __device__ void meet(int half) const {
    if (team_.blocks == 1) {
      __syncthreads();
    } else {
      if constexpr (has_feature<feature::cluster>) {
        while (!cuda::ptx::mbarrier_try_wait_parity(&shared_.filled[half], rounds_ >> 1 & 1)) {
        }
      }
    }
  }

  barriers& shared_;
  slot* slots_;
  std::uint32_t* counter_;
  row_team team_;
  std::uint32_t row_;
  std::uint32_t next_;
  std::uint32_t rows_;
  std::uint32_t rounds_ = 0;
  std::uint32_t drawn_ = 0;
};

}  // namespace heddle::norm::detail
