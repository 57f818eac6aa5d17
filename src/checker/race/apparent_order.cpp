// The order that volatile and atomic accesses appear to give, as if each store were a release and
// each load an acquire. Data that nothing else orders was published without a fence.
#include "checker/race/race_detector.hpp"

namespace heddle_checker {

// Called before the store gets its record: a store does not publish itself.
void race_detector::publish_apparently(block_clock& block, unsigned thread, std::uintptr_t location,
                                       bool is_update) {
  lane_clock& lane = block.lanes[thread];
  vector_clock published = everything_known(block, thread);
  published.join(lane.apparent);
  move_on(block, thread);
  vector_clock& message = apparent_[location];
  if (is_update) {
    message.join(published);
  } else {
    message = std::move(published);
  }
}

void race_detector::learn_apparently(block_clock& block, unsigned thread, std::uintptr_t location) {
  const auto message = apparent_.find(location);
  if (message != apparent_.end()) block.lanes[thread].apparent.join(message->second);
}

// Notes a volatile load that is not ordered after the newest store, but was meant to be: the lane
// has read a later store of the same writer, or both lanes are in one warp, which code for old GPUs
// expects to run in lockstep.
void race_detector::note_unfenced(record newest, const block_clock& block, const newcomer& fresh) {
  if (fresh.does != direction::read || fresh.what.how() != force::relaxed_volatile) return;
  const instance_id writer = timeline_.owner(newest.segment());
  const bool is_published =
      block.lanes[fresh.thread].apparent.knows(writer, newest.thread(), newest.segment());
  const bool is_same_warp = newest.how() == force::relaxed_volatile && writer == block.instance &&
                            newest.warp() == fresh.thread / lanes_per_warp;
  if (!is_published && !is_same_warp) return;
  unfenced_ = {side_of(newest, newest.thread(), direction::write), is_published, is_same_warp};
}

void race_detector::share_apparent_order(std::span<block_clock* const> blocks) {
  if (!follows_apparent_order_) return;
  vector_clock all;
  for (const block_clock* block : blocks) {
    for (const lane_clock& lane : block->lanes) all.join(lane.apparent);
  }
  for (block_clock* block : blocks) {
    for (lane_clock& lane : block->lanes) lane.apparent = all;
  }
}

void race_detector::share_apparent_order(block_clock& block, std::span<const unsigned> threads) {
  if (!follows_apparent_order_) return;
  vector_clock all;
  for (const unsigned thread : threads) all.join(block.lanes[thread].apparent);
  for (const unsigned thread : threads) block.lanes[thread].apparent = all;
}

void race_detector::forget_apparent_order(std::uintptr_t address, std::size_t bytes) {
  apparent_.erase(apparent_.lower_bound(address), apparent_.lower_bound(address + bytes));
}

}  // namespace heddle_checker
