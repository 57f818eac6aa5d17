// A scan as one kernel whose warps have different jobs: no load waits for what stands before a
// tile.
#pragma once
#include <heddle/core/bulk_copy.cuh>
#include <heddle/device/launch.cuh>
#include <heddle/device/look_back.cuh>
#include <heddle/device/scan_plain.cuh>
#include <heddle/device/scan_stage.cuh>
#include <heddle/device/scan_staged_tile.cuh>
#include <heddle/device/scan_tile.cuh>

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
  static constexpr int threads = (Setting::warps + 3) * warp_size;
  static constexpr int shared_bytes = Setting::stages * layout::bytes;
  static_assert(Setting::ahead < Setting::stages, "a tile that waits keeps its stage");

  // In shared memory; the bytes of items, because some initialise themselves.
  struct shared_state {
    shared_barrier full[Setting::stages];     // the tile is there
    shared_barrier reduced[Setting::stages];  // the totals of its warps are there
    shared_barrier carried[Setting::stages];  // what stands before its warps is there
    shared_barrier empty[Setting::stages];    // nobody needs the stage any more
    std::uint32_t tiles[Setting::stages];
    std::uint32_t launch;  // is there with the first tile
    alignas(16) unsigned char totals[Setting::stages][Setting::warps * sizeof(item)];
    alignas(16) unsigned char before[Setting::stages][Setting::warps * sizeof(item)];
  };

  __device__ pipeline(const Problem& problem, const look_back_board<item>& board,
                      shared_state& shared, unsigned char* stages)
      : problem_(problem), board_(board), shared_(shared), stages_(stages) {}

  //   called by   one thread for each stage
  __device__ static void prepare(shared_state& shared, int stage) {
    shared.full[stage].prepare(1);
    shared.reduced[stage].prepare(Setting::warps);
    shared.carried[stage].prepare(1);
    shared.empty[stage].prepare(Setting::warps + 1);
    order_prepared_barriers();
  }

  // Takes tiles and starts their copies, as long as there are stages and tiles.
  __device__ void load() {
    const int lane = lane_id();
    taken_tile taken{};
    if (lane == 0) {
      taken = board_.take_tile();
      shared_.launch = taken.launch;
    }
    for (position at;; at.advance()) {
      const std::uint32_t tile = shuffle(all_lanes, taken.tile, 0);
      const bool is_there = agreed(tile < board_.tiles);
      // The next number is on its way while this warp waits for a stage. But where there is hardly
      // a tile for each block, the first ones to run leave the second to those that start later.
      const bool holds_back = at.number == 0 && board_.tiles < 2 * gridDim.x;
      if (is_there && !holds_back && lane == 0) taken = board_.take_tile();
      if (at.round > 0) shared_.empty[at.stage].wait(at.parity() ^ 1);
      if (is_there) {
        staged(problem_, stages_ + at.stage * layout::bytes, tile).copy(shared_.full[at.stage]);
      }
      if (lane == 0) shared_.tiles[at.stage] = tile;
      __syncwarp();
      if (lane == 0) shared_.full[at.stage].arrive();
      if (!is_there) return;
      if (holds_back) {
        shared_.full[at.stage].wait(at.parity());
        if (lane == 0) taken = board_.take_tile();
      }
    }
  }

  // Tells other blocks what each tile makes.
  __device__ void publish() {
    for (position at; wait_for_tile(at); at.advance()) {
      shared_.reduced[at.stage].wait(at.parity());
      const std::uint32_t tile = shared_.tiles[at.stage];
      const item aggregate = join_warps<Setting::warps>(total_of_lane(at.stage), problem_.op);
      if (lane_id() == 0) board_.publish_aggregate(shared_.launch, tile, aggregate);
      __syncwarp();
      if (lane_id() == 0) shared_.empty[at.stage].arrive();
    }
  }

  // Finds what stands before each tile, and so before each warp.
  __device__ void look_back_at_tiles() {
    shared_.full[0].wait(0);
    look_back<item, typename Problem::combine> earlier(board_, shared_.launch, problem_.has_initial,
                                                       problem_.initial, problem_.op);
    for (position at; wait_for_tile(at); at.advance()) {
      const std::uint32_t tile = shared_.tiles[at.stage];
      const item carry = earlier.before(tile);
      shared_.reduced[at.stage].wait(at.parity());
      const item before = before_warps<Setting::warps>(
          total_of_lane(at.stage), earlier.has_before(tile), carry, problem_.op);
      item* const slots = reinterpret_cast<item*>(shared_.before[at.stage]);
      if (lane_id() < Setting::warps) slots[lane_id()] = before;
      __syncwarp();
      if (lane_id() == 0) shared_.carried[at.stage].arrive();
    }
  }

  // Reduces each tile as soon as it is there, and scans it some tiles later; or, with none ahead,
  // does what is possible next.
  __device__ void scan(int warp) {
    position reduced, scanned;
    if constexpr (Setting::ahead == 0) {
      for (bool is_over = false; !is_over || scanned.number < reduced.number;) {
        const bool waits = scanned.number < reduced.number;
        if (waits && has_passed(shared_.carried[scanned.stage], scanned)) {
          scan_tile(scanned, warp);
          scanned.advance();
        } else if (!is_over && has_passed(shared_.full[reduced.stage], reduced)) {
          is_over = shared_.tiles[reduced.stage] >= board_.tiles;
          if (!is_over) {
            reduce_tile(reduced, warp);
            reduced.advance();
          }
        }
      }
    } else {
      for (;; reduced.advance()) {
        const bool is_there = wait_for_tile(reduced);
        if (is_there) reduce_tile(reduced, warp);
        // At the end all tiles that wait are scanned, before it one for each that is reduced.
        while (scanned.number < reduced.number &&
               (!is_there || scanned.number + Setting::ahead <= reduced.number)) {
          scan_tile(scanned, warp);
          scanned.advance();
        }
        if (!is_there) return;
      }
    }
  }

 private:
  // Where a warp is: each stage is used again and again.
  struct position {
    std::uint32_t number = 0;  // of tiles of this block before
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

  // The same for all lanes.
  __device__ static bool has_passed(shared_barrier& barrier, const position& at) {
    return __all_sync(all_lanes, barrier.has_passed(at.parity())) != 0;
  }

  // False at the end of the input.
  __device__ bool wait_for_tile(const position& at) {
    shared_.full[at.stage].wait(at.parity());
    return agreed(shared_.tiles[at.stage] < board_.tiles);
  }

  [[nodiscard]] __device__ item total_of_lane(int stage) const {
    const item* const totals = reinterpret_cast<const item*>(shared_.totals[stage]);
    return totals[lane_id() < Setting::warps ? lane_id() : Setting::warps - 1];
  }
  // The tile that a stage holds.
  [[nodiscard]] __device__ staged tile_in(int stage) const {
    return staged(problem_, stages_ + stage * layout::bytes, shared_.tiles[stage]);
  }

  __device__ void reduce_tile(const position& at, int warp) {
    item items[shape::rows][shape::vector];
    tile_in(at.stage).read(warp, items);
    const item total = reduce_items(items, problem_.op);
    if (lane_id() == 0) {
      reinterpret_cast<item*>(shared_.totals[at.stage])[warp] = total;
      shared_.reduced[at.stage].arrive();
    }
    __syncwarp();
  }

  __device__ void scan_tile(const position& at, int warp) {
    const staged tile = tile_in(at.stage);
    // Some warps have no elements of the last tile of all, behind which nobody waits for them.
    if (agreed(tile.items_of(warp) > 0)) {
      item items[shape::rows][shape::vector];
      tile.read(warp, items);
      shared_.carried[at.stage].wait(at.parity());
      const item before = reinterpret_cast<const item*>(shared_.before[at.stage])[warp];
      const bool has_before = problem_.has_initial || tile.first_of(warp) > 0;
      value results[shape::rows][shape::vector];
      results_of<shape>(problem_, items, has_before, before, results);
      tile.write(warp, results);
    }
    __syncwarp();
    if (lane_id() == 0) shared_.empty[at.stage].arrive();
  }

  const Problem& problem_;
  const look_back_board<item>& board_;
  shared_state& shared_;
  unsigned char* stages_;
};

template <typename Problem, typename Setting>
__global__ void __launch_bounds__((pipeline<Problem, Setting>::threads), Setting::blocks)
    scan_in_pipeline(const __grid_constant__ Problem problem,
                     const __grid_constant__ look_back_board<typename Problem::item> board) {
  if constexpr (has_feature<feature::bulk_copy>) {
    using pipeline = pipeline<Problem, Setting>;
    extern __shared__ uint4 stage_memory[];
    __shared__ typename pipeline::shared_state shared;
    const int stage = static_cast<int>(threadIdx.x);
    if (stage < Setting::stages) pipeline::prepare(shared, stage);
    start_in_stream_order();
    __syncthreads();
    pipeline work(problem, board, shared, reinterpret_cast<unsigned char*>(stage_memory));
    const int warp = shuffle(all_lanes, warp_rank(), 0);
    if (agreed(warp < Setting::warps)) {
      work.scan(warp);
    } else if (agreed(warp == Setting::warps)) {
      work.load();
    } else if (agreed(warp == Setting::warps + 1)) {
      work.publish();
    } else {
      work.look_back_at_tiles();
    }
    board.finish(shared.launch);
  }
}

}  // namespace heddle::device::detail
