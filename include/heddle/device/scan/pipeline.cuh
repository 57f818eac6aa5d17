// A scan in one kernel whose warps specialise, so that neither loads nor totals wait for a tile's
// prefix.
//   strategy    one warp loads tiles ahead into a ring; other warps reduce them, publish their
//               aggregates and look back, while the rest scan and write
//   needs       sm_90: bulk copies; older GPUs use plain.cuh
#pragma once
#include <heddle/core/bulk_copy.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/kernel/look_back.cuh>
#include <heddle/device/scan/plain.cuh>
#include <heddle/device/scan/stage.cuh>
#include <heddle/device/scan/staged_tile.cuh>
#include <heddle/device/scan/tile.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

// What the warps of a block share.
template <typename Problem, typename Setting>
class pipeline {
 public:
  using item = typename Problem::item;
  using value = typename Problem::value;
  using shape = shape_of<Problem, Setting::warps, Setting::lane_bytes>;
  using layout = stage_layout<Problem, shape>;
  using staged = staged_tile<Problem, shape>;
  static constexpr int threads =
      (Setting::warps + Setting::reducers + Setting::lookers + 2) * warp_size;
  static constexpr int shared_bytes = Setting::stages * layout::bytes;

  struct shared_state {
    shared_barrier full[Setting::stages];     // the tile has arrived
    shared_barrier reduced[Setting::stages];  // the totals of its slices are written
    shared_barrier carried[Setting::stages];  // the prefixes of its slices are known
    shared_barrier empty[Setting::stages];    // nobody needs the stage any more
    std::uint32_t tiles[Setting::stages];
    std::uint32_t launch;  // valid from the first tile on
    tile_totals<item, Setting::warps> totals[Setting::stages];
  };

  __device__ pipeline(const Problem& problem, const look_back_board<item>& board,
                      shared_state& shared, unsigned char* stages)
      : problem_(problem), board_(board), shared_(shared), stages_(stages) {}

  //   called by   one thread per stage
  __device__ static void prepare(shared_state& shared, int stage) {
    shared.full[stage].prepare(1);
    shared.reduced[stage].prepare(Setting::reducers);
    shared.carried[stage].prepare(2);
    shared.empty[stage].prepare(Setting::warps);
    order_prepared_barriers();
  }

  // Takes tiles and starts their copies while there are free stages and tiles left. It takes a tile
  // as late as possible, because all later tiles wait for it, but early enough that its number is
  // known when the stage becomes free. After the last tile it writes one end marker per warp that
  // looks back.
  __device__ void load() {
    const int lane = lane_id();
    taken_tile taken{};
    int ends = 0;
    for (position at; ends < Setting::lookers; at.advance()) {
      if (at.round > 0) shared_.carried[at.stage].wait(at.parity() ^ 1);
      // If there are fewer than two tiles per block, the first blocks to run leave the second tile
      // to blocks that start later.
      if (at.number == 1 && board_.tiles < 2 * gridDim.x) shared_.full[0].wait(0);
      if (lane == 0 && ends == 0) taken = board_.take_tile();
      const std::uint32_t tile = shuffle(all_lanes, taken.tile, 0);
      const bool is_there = agreed(tile < board_.tiles);
      if (at.round > 0) shared_.empty[at.stage].wait(at.parity() ^ 1);
      if (is_there) {
        staged(problem_, stages_ + at.stage * layout::bytes, tile).copy(shared_.full[at.stage]);
      } else {
        ++ends;
      }
      if (lane == 0) {
        shared_.tiles[at.stage] = tile;
        if (at.number == 0) shared_.launch = taken.launch;
      }
      __syncwarp();
      if (lane == 0) shared_.full[at.stage].arrive();
    }
  }

  // Computes the total of each slice as soon as its tile has arrived.
  __device__ void reduce(int reducer) {
    for (position at; wait_for_tile(at); at.advance()) {
      const staged tile = tile_in(at.stage);
      auto& totals = shared_.totals[at.stage];
      if (tile.is_whole()) {
        reduce_whole(tile, reducer, totals);
      } else {
#pragma unroll 1
        for (int slice = reducer; slice < Setting::warps; slice += Setting::reducers) {
          item items[shape::rows][shape::vector];
          tile.read_any(slice, items);
          const item total = reduce_items(items, problem_.op);
          if (lane_id() == 0) totals.of(slice) = total;
        }
      }
      __syncwarp();  // all lanes have read the tile; a shuffle does not order memory
      if (lane_id() == 0) shared_.reduced[at.stage].arrive();
    }
  }

  // Publishes each tile's aggregate to other blocks, and the inclusive slice totals to the warps of
  // this one.
  __device__ void publish() {
    for (position at; wait_for_tile(at); at.advance()) {
      const std::uint32_t tile = shared_.tiles[at.stage];
      shared_.reduced[at.stage].wait(at.parity());
      const item up_to = shared_.totals[at.stage].scan_totals(problem_.op);
      if (lane_id() == Setting::warps - 1) board_.publish_aggregate(shared_.launch, tile, up_to);
      __syncwarp();
      if (lane_id() == 0) shared_.carried[at.stage].arrive();
    }
  }

  // Finds the prefix of every tile that is this warp's turn.
  __device__ void look_back_at_tiles(int looker) {
    shared_.full[0].wait(0);
    look_back<item, typename Problem::combine> earlier(board_, shared_.launch, problem_.has_initial,
                                                       problem_.initial, problem_.op);
    position at;
    for (int i = 0; i < looker; ++i) at.advance();
    while (wait_for_tile(at)) {
      const item carry = earlier.before(shared_.tiles[at.stage]);
      __syncwarp();  // all lanes have read the number of the tile
      if (lane_id() == 0) {
        shared_.totals[at.stage].carry() = carry;
        shared_.carried[at.stage].arrive();
      }
      __syncwarp();
#pragma unroll
      for (int i = 0; i < Setting::lookers; ++i) at.advance();
    }
  }

  // Scans a slice of each tile and writes the results.
  __device__ void scan(int warp) {
    for (position at; wait_for_tile(at); at.advance()) {
      const staged tile = tile_in(at.stage);
      // Some warps have no elements in the very last tile; nobody waits for them after it.
      if (agreed(tile.items_of(warp) > 0)) scan_slice(at, tile, warp);
      __syncwarp();
      if (lane_id() == 0) shared_.empty[at.stage].arrive();
    }
  }

 private:
  // A warp's position in the ring of stages.
  struct position {
    std::uint32_t number = 0;  // how many tiles of this block came before
    int stage = 0;
    std::uint32_t round = 0;
    __device__ std::uint32_t parity() const { return round & 1; }
    __device__ void advance() {
      ++number;
      if (++stage == Setting::stages) {
        stage = 0;
        ++round;
      }
    }
  };

  // False at the end of the input.
  __device__ bool wait_for_tile(const position& at) {
    shared_.full[at.stage].wait(at.parity());
    return agreed(shared_.tiles[at.stage] < board_.tiles);
  }
  // The tile that a stage holds.
  [[nodiscard]] __device__ staged tile_in(int stage) const {
    return staged(problem_, stages_ + stage * layout::bytes, shared_.tiles[stage]);
  }

  // Reduces one warp's slices, all at once if their items are small.
  __device__ void reduce_whole(const staged& tile, int reducer,
                               tile_totals<item, Setting::warps>& totals) {
    constexpr int together = sizeof(item) <= 8 ? Setting::slices : 1;
#pragma unroll 1
    for (int done = 0; done < Setting::slices; done += together) {
      item parts[together][row_parts<shape::rows, item, typename Problem::combine>];
      item made[together];
#pragma unroll
      for (int i = 0; i < together; ++i) {
        item items[shape::rows][shape::vector];
        tile.read_whole(reducer + (done + i) * Setting::reducers, items);
        fold_rows(items, problem_.op, parts[i]);
      }
      join_lanes(parts, problem_.op, made);
#pragma unroll
      for (int i = 0; i < together; ++i) {
        if (lane_id() == 0) totals.of(reducer + (done + i) * Setting::reducers) = made[i];
      }
    }
  }

  // Does everything that does not need the tile's prefix before waiting for it.
  __device__ void scan_slice(const position& at, const staged& tile, int warp) {
    item items[shape::rows][shape::vector], before_rows[shape::rows];
    if (tile.is_whole()) {
      tile.read_whole(warp, items);
    } else {
      tile.read_any(warp, items);
    }
    scan_rows(items, problem_.op, before_rows);
    shared_.carried[at.stage].wait(at.parity());
    const bool has_carry = problem_.has_initial || shared_.tiles[at.stage] > 0;
    const item before = shared_.totals[at.stage].before(warp, has_carry, problem_.op);
    value results[shape::rows][shape::vector];
    results_of<shape>(problem_, items, before_rows, has_carry || warp > 0, before, results);
    tile.write(warp, results);
  }

  const Problem& problem_;
  const look_back_board<item>& board_;
  shared_state& shared_;
  unsigned char* stages_;
};

template <typename Problem, typename Setting>
__global__ void __launch_bounds__((pipeline<Problem, Setting>::threads), 1)
    scan_in_pipeline(const __grid_constant__ Problem problem,
                     const __grid_constant__ look_back_board<typename Problem::item> board) {
  if constexpr (has_feature<feature::bulk_copy>) {
    using pipeline = pipeline<Problem, Setting>;
    extern __shared__ bulk_line stage_memory[];
    __shared__ typename pipeline::shared_state shared;
    const int stage = static_cast<int>(threadIdx.x);
    if (stage < Setting::stages) pipeline::prepare(shared, stage);
    start_in_stream_order();
    __syncthreads();
    pipeline work(problem, board, shared, reinterpret_cast<unsigned char*>(stage_memory));
    const int warp = shuffle(all_lanes, warp_rank(), 0);
    constexpr int first_single = Setting::warps + Setting::reducers;
    if (agreed(warp < Setting::warps)) {
      work.scan(warp);
    } else if (agreed(warp < first_single)) {
      work.reduce(warp - Setting::warps);
    } else if (agreed(warp == first_single)) {
      work.load();
    } else if (agreed(warp == first_single + 1)) {
      work.publish();
    } else {
      work.look_back_at_tiles(warp - first_single - 2);
    }
    board.finish(shared.launch);
  }
}

}  // namespace heddle::device::detail
