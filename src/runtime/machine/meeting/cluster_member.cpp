// The barrier of a cluster, and the shared memory of its other blocks.
#include "machine/meeting/cluster_member.hpp"

#include <heddle_host/barrier.hpp>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"

namespace heddle_host {

void cluster_member::begin(block_state* const* blocks, unsigned rank) {
  blocks_ = blocks;
  rank_ = rank;
  is_alone_ = this->blocks() == 1;
}

unsigned cluster_member::blocks() const { return block_.grid().blocks_per_cluster(); }

std::vector<void*> cluster_member::observed() const {
  std::vector<void*> all;
  for (unsigned rank = 0; rank < blocks(); ++rank) all.push_back(blocks_[rank]->observed());
  return all;
}

void cluster_member::report_begin() const {
  if (!block_.is_observed()) return;
  current_observer()->cluster_begins(observed().data(), blocks());
}

bool cluster_member::has_arrived() const {
  if (block_.outcome() == block_outcome::finished) return true;
  return block_.tracks_lanes() && arrivals_ >= block_.live_threads();
}

void cluster_member::release_if_complete() {
  bool any_waits = false;
  for (unsigned rank = 0; rank < blocks(); ++rank) {
    const cluster_member& member = blocks_[rank]->in_cluster();
    if (!member.has_arrived()) return;
    any_waits |= member.arrivals_ > 0;
  }
  if (!any_waits) return;
  if (block_.is_observed()) current_observer()->cluster_meets(observed().data(), blocks());
  for (unsigned rank = 0; rank < blocks(); ++rank) {
    cluster_member& member = blocks_[rank]->in_cluster();
    ++member.phase_;
    member.arrivals_ = 0;
    member.block_.release(member.waiting_);
  }
}

void cluster_member::arrive() {
  block_.track_lanes();
  phase_of_thread_[lane_now.thread] = static_cast<unsigned char>(phase_);
  ++arrivals_;
  release_if_complete();
}

void cluster_member::wait(const void* where) {
  warp_state& warp = block_.track_lanes();
  const unsigned thread = lane_now.thread;
  if (phase_of_thread_[thread] != static_cast<unsigned char>(phase_)) return;
  waiting_[warp.number] |= 1u << thread % lanes_per_warp;
  suspend(warp, activity::at_cluster_barrier, where);
}

void cluster_member::block_has_finished() {
  if (!is_alone_) release_if_complete();
}

void cluster_member::clear() {
  arrivals_ = 0;
  waiting_ = {};
}

dim3 cluster_dimensions() { return lane_now.block->grid().request().cluster; }

uint3 block_index_in_cluster() {
  const dim3 size = cluster_dimensions();
  return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}

unsigned block_rank_in_cluster() { return lane_now.block->in_cluster().rank(); }

void cluster_arrive() {
  machine_section guard;
  lane_now.block->in_cluster().arrive();
}

void cluster_wait() {
  machine_section guard;
  lane_now.block->in_cluster().wait(__builtin_return_address(0));
}

namespace {
bool holds(const unsigned char* memory, std::size_t bytes, const void* address) {
  const auto* byte = static_cast<const unsigned char*>(address);
  return byte >= memory && byte < memory + bytes;
}
}  // namespace

void* map_shared_rank(const void* address, unsigned rank) {
  const shared_storage& mine = lane_now.block->shared();
  const shared_storage& other = lane_now.block->in_cluster().block(rank).shared();
  const auto* byte = static_cast<const unsigned char*>(address);
  if (holds(mine.begin(), mine.static_bytes(), address)) {
    return other.begin() + (byte - mine.begin());
  }
  return other.dynamic() + (byte - mine.dynamic());
}

unsigned shared_rank_of(const void* address) {
  const block_state& block = *lane_now.block;
  const cluster_member& mine = lane_now.block->in_cluster();
  for (unsigned rank = 0; rank < block.grid().blocks_per_cluster(); ++rank) {
    const shared_storage& other = mine.block(rank).shared();
    if (holds(other.begin(), other.static_bytes(), address) ||
        holds(other.dynamic(), other.dynamic_bytes(), address)) {
      return rank;
    }
  }
  return mine.rank();
}

}  // namespace heddle_host
