// Barriers for the threads of a block, of a tile, of a cluster and of a grid.
#include <heddle_host/barrier.hpp>

#include <algorithm>
#include <bit>

#include <heddle_host/fault.hpp>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"
#include "meeting/meet.hpp"

namespace heddle_host {

void block_state::release(std::array<std::uint32_t, max_warps_per_block>& waiting) {
  count_meeting();
  for (unsigned warp = 0; warp * lanes_per_warp < threads_; ++warp) {
    make_ready(warps_[warp], waiting[warp]);
    waiting[warp] = 0;
  }
}

// Not if the running lane has just exited.
block_state::lanes_of_warps block_state::with_running_lane(lanes_of_warps lanes) const {
  const unsigned warp = lane_now.thread / lanes_per_warp;
  lanes[warp] |= 1u << lane_now.thread % lanes_per_warp & ~warps_[warp].exited;
  return lanes;
}

void block_state::tell_who_meets(const lanes_of_warps& lanes, bool are_all) {
  const unsigned warps = (threads_ + lanes_per_warp - 1) / lanes_per_warp;
  current_observer()->threads_meet(lanes.data(), warps, are_all);
}

std::vector<lane_place> block_state::places_by_code(const lanes_of_warps& lanes) const {
  std::vector<lane_place> places;
  for (unsigned warp = 0; warp * lanes_per_warp < threads_; ++warp) {
    for (std::uint32_t left = lanes[warp]; left; left &= left - 1) {
      const unsigned thread = warp * lanes_per_warp + static_cast<unsigned>(std::countr_zero(left));
      const lane_record& stopped = record(thread);
      const void* const code = stopped.where ? stopped.where : stopped.stopped_at->code;
      const bool is_known = std::any_of(places.begin(), places.end(),
                                        [=](const auto& one) { return one.code == code; });
      if (is_known) continue;
      places.push_back(place(thread));
      places.back().code = code;
    }
  }
  return places;
}

void block_state::tell_places_of_barrier(const block_gathering& barrier) {
  const std::vector<lane_place> places = places_by_code(barrier.waiting);
  if (places.size() > 1) current_observer()->barrier_has_places(places);
  if (exited_ == 0 || barrier.expected != 0 || places.empty()) return;
  unsigned absent = 0;
  while ((warps_[absent / lanes_per_warp].exited >> absent % lanes_per_warp & 1) == 0) ++absent;
  lane_place gone = place(absent);
  gone.doing = activity::exiting;
  current_observer()->meeting_lacks_thread(places, gone, absent, false);
}

void block_state::tell_of_incomplete_group(const lanes_of_warps& makers, unsigned absent) const {
  std::vector<lane_place> places = places_by_code(makers);
  for (lane_place& each : places) {
    each.doing = activity::running;
    each.mask = 0;
  }
  lane_place gone = place(absent);
  gone.doing = activity::exiting;
  current_observer()->meeting_lacks_thread(places, gone, absent, true);
}

// The threads that arrived resume, except the running one if it came last: it was never suspended.
void block_state::release_barrier_if_complete(unsigned id, bool waits_there) {
  block_gathering& barrier = barriers_[id];
  const unsigned expected = barrier.expected ? barrier.expected : live_threads();
  if (barrier.arrived < expected) return;
  barrier.outcomes[barrier.parity] = {barrier.arrived, barrier.true_predicates};
  barrier.parity ^= 1;
  barrier.arrived = 0;
  barrier.true_predicates = 0;
  busy_barriers_ &= ~(1u << id);
  if (is_observed_) {
    if (id == 0) tell_places_of_barrier(barrier);
    current_observer()->block_meets(index_, id);
    const auto lanes = waits_there ? with_running_lane(barrier.waiting) : barrier.waiting;
    tell_who_meets(lanes, barrier.expected == 0);
    if (barrier.is_passed) current_observer()->passed_barrier_is_complete(id, lanes.data());
  }
  barrier.is_passed = false;
  release(barrier.waiting);
}

arrival<barrier_result> block_state::arrive_at_barrier_in_general(unsigned id, unsigned expected,
                                                                  bool predicate) {
  warp_state& warp = take_care();
  block_gathering& barrier = barriers_[id];
  const barrier_result& result = barrier.outcomes[barrier.parity];
  count_arrival(id, expected, predicate);
  if (barrier.arrived >= (barrier.expected ? barrier.expected : live_threads())) {
    release_barrier_if_complete(id);
    return {nullptr, &result};
  }
  const unsigned lane = lane_now.thread % lanes_per_warp;
  barrier.waiting[warp.number] |= 1u << lane;
  warp.doing[lane] = id == 0 ? activity::at_block_barrier : activity::at_named_barrier;
  return {stop(warp, warp.lanes[lane]), &result};
}

void block_state::pass_barrier(unsigned id, unsigned expected) {
  take_care();
  count_arrival(id, expected, false);
  barriers_[id].is_passed = true;
  if (is_observed_) current_observer()->lane_passes_barrier(id);
  release_barrier_if_complete(id, false);
}

void block_state::count_arrival(unsigned id, unsigned expected, bool predicate) {
  block_gathering& barrier = barriers_[id];
  // PTX forbids different counts. Threads that use them wait for the largest, so that the mistake
  // shows in every order.
  if (barrier.arrived != 0 && barrier.expected != 0 && expected != 0) {
    expected = std::max(expected, barrier.expected);
  }
  barrier.expected = expected;
  barrier.true_predicates += predicate;
  ++barrier.arrived;
  busy_barriers_ |= 1u << id;
}

void block_state::release_tile_if_complete(tile_gathering& tile) {
  unsigned live = 0;
  const unsigned end = std::min(tile.first_thread + tile.threads, threads_);
  for (unsigned thread = tile.first_thread; thread < end; thread += lanes_per_warp) {
    live += static_cast<unsigned>(std::popcount(~warps_[thread / lanes_per_warp].exited));
  }
  if (tile.arrived < live) return;
  if (is_observed_ && tile.doing == activity::making_group) {
    for (unsigned thread = tile.first_thread; thread < end; ++thread) {
      const warp_state& warp = warps_[thread / lanes_per_warp];
      if ((warp.exited & warp.at_end) >> thread % lanes_per_warp & 1) {
        tell_of_incomplete_group(with_running_lane(tile.waiting), thread);
        break;
      }
    }
  }
  tile.arrived = 0;
  tile.parity ^= 1;
  // Partitioning a group does not order memory.
  const bool is_barrier = tile.doing == activity::at_tile_barrier;
  if (is_observed_ && is_barrier) tell_who_meets(with_running_lane(tile.waiting), false);
  release(tile.waiting);
}

const std::uint64_t* block_state::gather_on_tile(unsigned first_thread, unsigned threads,
                                                 std::uint64_t value, const void* where,
                                                 activity doing) {
  warp_state& warp = take_care();
  const auto is_this = [&](const auto& tile) {
    return tile->first_thread == first_thread && tile->threads == threads && tile->doing == doing;
  };
  auto found = std::find_if(tiles_.begin(), tiles_.end(), is_this);
  if (found == tiles_.end()) {
    auto made = std::make_unique<tile_gathering>();
    made->first_thread = first_thread;
    made->threads = threads;
    made->doing = doing;
    for (auto& values : made->values) values.resize(threads);
    found = tiles_.insert(tiles_.end(), std::move(made));
  }
  tile_gathering& tile = **found;
  const unsigned parity = tile.parity;
  const unsigned thread = lane_now.thread;
  tile.values[parity][thread - first_thread] = value;
  ++tile.arrived;
  record(thread).where = where;
  release_tile_if_complete(tile);
  if (tile.parity == parity) {
    tile.waiting[warp.number] |= 1u << thread % lanes_per_warp;
    suspend(warp, doing, where);
  }
  record(thread).where = nullptr;
  return tile.values[parity].data();
}

bool block_state::keeps(const void* address) const {
  const auto* const byte = static_cast<const std::byte*>(address);
  const auto is_in = [=](const auto* object) {
    const auto* const first = reinterpret_cast<const std::byte*>(object);
    return byte >= first && byte < first + sizeof *object;
  };
  if (is_in(this) || lane_now.warp->meetings.keeps(byte)) return true;
  for (const auto& tile : tiles_) {
    for (const auto& values : tile->values) {
      const auto* const first = reinterpret_cast<const std::byte*>(values.data());
      if (byte >= first && byte < first + values.size() * sizeof values[0]) return true;
    }
  }
  return false;
}

void block_state::arrive_at_grid_barrier(const void* where) {
  warp_state& warp = take_care();
  const unsigned thread = lane_now.thread;
  at_grid_barrier_[warp.number] |= 1u << thread % lanes_per_warp;
  ++lanes_at_grid_barrier_;
  arrive_at_grid_if_complete();
  suspend(warp, activity::at_grid_barrier, where);
}

void block_state::arrive_at_grid_if_complete() {
  if (lanes_at_grid_barrier_ == 0 || lanes_at_grid_barrier_ < live_threads()) return;
  grid_generation_ = grid_->arrive();
  if (is_observed_ && grid_->has_passed(grid_generation_)) current_observer()->grid_meets();
}

bool block_state::try_release() {
  if (has_ready()) return true;
  if (lanes_at_grid_barrier_ == 0 || lanes_at_grid_barrier_ < live_threads()) return false;
  if (!grid_->has_passed(grid_generation_)) return false;
  lanes_at_grid_barrier_ = 0;
  release(at_grid_barrier_);
  return true;
}

bool block_state::has_arrived_at_cluster() const {
  if (outcome_ == block_outcome::finished) return true;
  return takes_care_ && cluster_arrivals_ >= live_threads();
}

std::vector<void*> block_state::observed_of_cluster() const {
  std::vector<void*> observed;
  for (unsigned rank = 0; rank < grid_->blocks_per_cluster(); ++rank) {
    observed.push_back(cluster_[rank]->observed_);
  }
  return observed;
}

void block_state::tell_of_cluster() const {
  if (!is_observed_) return;
  const std::vector<void*> observed = observed_of_cluster();
  current_observer()->cluster_begins(observed.data(), static_cast<unsigned>(observed.size()));
}

void block_state::release_cluster_if_complete() {
  const unsigned blocks = grid_->blocks_per_cluster();
  bool somebody_waits = false;
  for (unsigned rank = 0; rank < blocks; ++rank) {
    if (!cluster_[rank]->has_arrived_at_cluster()) return;
    somebody_waits |= cluster_[rank]->cluster_arrivals_ > 0;
  }
  if (!somebody_waits) return;
  if (is_observed_) {
    current_observer()->cluster_meets(observed_of_cluster().data(), blocks);
  }
  for (unsigned rank = 0; rank < blocks; ++rank) {
    block_state& block = *cluster_[rank];
    ++block.cluster_phase_;
    block.cluster_arrivals_ = 0;
    block.lanes_at_cluster_barrier_ = 0;
    block.release(block.at_cluster_barrier_);
  }
}

void block_state::arrive_at_cluster_barrier() {
  take_care();
  lane_cluster_phase_[lane_now.thread] = static_cast<unsigned char>(cluster_phase_);
  ++cluster_arrivals_;
  release_cluster_if_complete();
}

void block_state::wait_at_cluster_barrier(const void* where) {
  warp_state& warp = take_care();
  const unsigned thread = lane_now.thread;
  if (lane_cluster_phase_[thread] != static_cast<unsigned char>(cluster_phase_)) return;
  at_cluster_barrier_[warp.number] |= 1u << thread % lanes_per_warp;
  ++lanes_at_cluster_barrier_;
  suspend(warp, activity::at_cluster_barrier, where);
}

void block_state::lane_has_exited(warp_state& warp, unsigned lane) {
  note_exit(warp, 1u << lane);
  ++exited_;
  for (std::uint32_t left = busy_barriers_; left; left &= left - 1) {
    release_barrier_if_complete(static_cast<unsigned>(std::countr_zero(left)));
  }
  for (auto& tile : tiles_) {
    if (tile->arrived) release_tile_if_complete(*tile);
  }
  if (lanes_at_grid_barrier_) arrive_at_grid_if_complete();
  if (is_in_cluster_ || cluster_arrivals_) release_cluster_if_complete();
}

#define HEDDLE_CALLER __builtin_return_address(0)

void tile_barrier(unsigned first_thread, unsigned threads) {
  machine_section guard;
  lane_now.block->gather_on_tile(first_thread, threads, 0, HEDDLE_CALLER);
}

const std::uint64_t* tile_gather(unsigned first_thread, unsigned threads, std::uint64_t value) {
  machine_section guard;
  return lane_now.block->gather_on_tile(first_thread, threads, value, HEDDLE_CALLER);
}

bool grid_is_cooperative() { return lane_now.block->grid().request().is_cooperative; }

void grid_barrier() {
  machine_section guard;
  if (!grid_is_cooperative()) {
    fail_launch(finding_kind::api_error, finding_cause::not_cooperative, cudaErrorLaunchFailure,
                HEDDLE_CALLER);
  }
  lane_now.block->arrive_at_grid_barrier(HEDDLE_CALLER);
}

dim3 cluster_dimensions() { return lane_now.block->grid().request().cluster; }

uint3 block_index_in_cluster() {
  const dim3 size = cluster_dimensions();
  return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}

unsigned block_rank_in_cluster() { return lane_now.block->cluster_rank(); }

void cluster_arrive() {
  machine_section guard;
  lane_now.block->arrive_at_cluster_barrier();
}

void cluster_wait() {
  machine_section guard;
  lane_now.block->wait_at_cluster_barrier(HEDDLE_CALLER);
}

namespace {
bool holds(const unsigned char* memory, std::size_t bytes, const void* address) {
  const auto* byte = static_cast<const unsigned char*>(address);
  return byte >= memory && byte < memory + bytes;
}
}  // namespace

void* map_shared_rank(const void* address, unsigned rank) {
  const shared_storage& mine = lane_now.block->shared();
  const shared_storage& other = lane_now.block->in_cluster(rank).shared();
  const auto* byte = static_cast<const unsigned char*>(address);
  if (holds(mine.begin(), mine.static_bytes(), address)) {
    return other.begin() + (byte - mine.begin());
  }
  return other.dynamic() + (byte - mine.dynamic());
}

unsigned shared_rank_of(const void* address) {
  block_state& mine = *lane_now.block;
  for (unsigned rank = 0; rank < mine.grid().blocks_per_cluster(); ++rank) {
    const shared_storage& other = mine.in_cluster(rank).shared();
    if (holds(other.begin(), other.static_bytes(), address) ||
        holds(other.dynamic(), other.dynamic_bytes(), address)) {
      return rank;
    }
  }
  return mine.cluster_rank();
}

}  // namespace heddle_host
