// Begins and ends agents and blocks, records accesses that are not one aligned word, and drops
// history.
#include "checker/race/race_detector.hpp"

#include <algorithm>
#include <utility>

namespace heddle_checker {

race_detector::race_detector(std::uintptr_t arena_base, std::size_t arena_bytes, listener on_race,
                             history_limits limits)
    : shadow_(arena_base, arena_bytes), limits_(limits), on_race_(std::move(on_race)) {}

race_detector::~race_detector() = default;

agent race_detector::begin_agent(std::span<const agent> known, bool is_host, unsigned device) {
  const agent fresh = agents_.add(known, is_host, device);
  if (agents_.knows_everything(fresh)) {
    const bool has_much = timeline_.next_segment() > limits_.worth_clearing ||
                          publications_.volume() > limits_.worth_clearing;
    if (has_much && blocks_.empty()) forget_everything();
    if (blocks_.empty()) past_.forget_all();
    agents_.ancient(fresh) = timeline_.next_segment();
  }
  return fresh;
}

agent race_detector::begin_grid(std::span<const agent> known, unsigned device) {
  return begin_agent(known, false, device);
}

agent race_detector::begin_child_grid(agent parent, std::span<const agent> known,
                                      const vector_clock& at_launch) {
  const agent fresh = agents_.add_child(parent, known);
  agents_.learned(fresh).join(at_launch);
  return fresh;
}

block_clock* race_detector::begin_child_action(agent parent, std::span<const agent> known,
                                               const vector_clock& at_launch) {
  return add_block(begin_child_grid(parent, known, at_launch), 0, 1);
}

void race_detector::end_grid(agent grid) {
  // Ending a block also ends the block clock of its copies.
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    if (i < blocks_.size() && blocks_[i]->of == grid && !is_of_copies(*blocks_[i])) {
      end_block(blocks_[i].get());
    }
  }
}

block_clock* race_detector::begin_host_action(std::span<const agent> known) {
  return add_block(begin_agent(known, true, 0), 0, 1);
}

block_clock* race_detector::begin_block(agent grid, std::uint64_t linear_block, unsigned threads,
                                        std::uintptr_t shared_base, std::size_t shared_bytes) {
  block_clock* const block = add_block(grid, linear_block, threads);
  block->shared_base = shared_base;
  block->shared_bytes = shared_bytes;
  if (shared_bytes != 0) {
    publications_.forget(shared_base, shared_bytes);
    forget_apparent_order(shared_base, shared_bytes);
    past_.forget(shared_base, shared_bytes);
  }
  return block;
}

block_clock* race_detector::add_block(agent of, std::uint64_t linear_block, unsigned threads) {
  make_room(1);
  auto block = std::make_unique<block_clock>();
  block->of = of;
  block->linear_block = linear_block;
  block->threads = threads;
  block->instance = timeline_.add_instance(of, linear_block);
  block->ancient = std::max<segment_id>(agents_.ancient(of), 1);
  block->common = agents_.common(of);
  block->own_agent = vector_clock::of_agent(of, block->common == 0 ? 0 : block->common - 1);
  block->lanes.resize(threads);
  move_all_on(*block, timeline_.add_segment(block->instance));
  if (!agents_.learned(of).is_empty()) {
    for (lane_clock& lane : block->lanes) lane.learned = agents_.learned(of);
    block->has_learned = true;
  }
  block->place = blocks_.size();
  blocks_.push_back(std::move(block));
  return blocks_.back().get();
}

void race_detector::form_cluster(std::span<block_clock* const> blocks) {
  for (block_clock* block : blocks) {
    timeline_.at(block->instance).cluster = blocks.front()->instance;
    block->shared_bytes = 0;
  }
}

void race_detector::end_block(block_clock* block) {
  if (block->copies != nullptr) end_block(block->copies);
  const agent of = block->of;
  // Agents that come after its grid also come after what it acquired from other grids.
  const bool has_been_alone = agents_.knows_everything(of) && of + 1 == agents_.size();
  if (block->has_learned && !has_been_alone) {
    vector_clock all;
    learn_all(*block, all);
    all.drop_if([&](instance_id which, segment_id) { return timeline_.at(which).of == of; });
    agents_.learned(of).join(all);
  }
  const std::size_t place = block->place;
  std::swap(blocks_[place], blocks_.back());
  blocks_[place]->place = place;
  blocks_.pop_back();
}

// Takes cells of the arena one after the other, up to the first that is not a simple case. Those of
// a line with smaller cells never are.
void race_detector::access_words(block_clock& block, unsigned thread, std::uintptr_t address,
                                 std::size_t bytes, direction does, const void* code) {
  while (bytes != 0 && shadow_.is_in_arena(address)) {
    if (!access_simply(shadow_.arena_cell(address), block, thread, does, code)) break;
    address += shadow::granule;
    bytes -= shadow::granule;
  }
  if (bytes != 0) access_in_general(block, thread, address, bytes, does, code);
}

// One or two bytes, which usually have their own cell.
void race_detector::access_piece(block_clock& block, unsigned thread, std::uintptr_t address,
                                 std::size_t bytes, direction does, const void* code) {
  const std::optional<cell> where = shadow_.own_cell(address, bytes);
  if (where && access_simply(*where, block, thread, does, code)) return;
  access_in_general(block, thread, address, bytes, does, code);
}

void race_detector::access_in_general(block_clock& block, unsigned thread, std::uintptr_t address,
                                      std::size_t bytes, direction does, const void* code) {
  is_reported_ = false;
  const record fresh =
      record::make(block.lanes[thread].stamp, codes_.number(code), force::plain, false, 0);
  // Usually this is one cell that is not a simple case.
  if (bytes == shadow::granule && address % shadow::granule == 0 && shadow_.is_in_arena(address)) {
    const cell where = shadow_.arena_cell(address);
    if (!where.write->is_elsewhere() && !where.read->is_in_pieces()) {
      remember(where, block, {fresh, does, thread, address});
      return;
    }
  }
  shadow_.for_each_cell(address, bytes, [&](const cell& where, std::uintptr_t at) {
    if (access_simply(where, block, thread, does, code)) return;
    remember(where, block, {fresh, does, thread, at});
  });
}

void race_detector::forget(std::uintptr_t address, std::size_t bytes) {
  shadow_.forget(address, bytes);
  publications_.forget(address, bytes);
  forget_apparent_order(address, bytes);
  past_.forget(address, bytes);
}

void race_detector::make_room(std::size_t segments) {
  if (timeline_.next_segment() + segments <= limits_.most_segments) [[likely]]
    return;
  ++losses_;
  forget_everything();
}

// Without history nothing races and clocks are useless, so all blocks start with new numbers.
void race_detector::forget_everything() {
  shadow_.forget_all();
  publications_.forget_all();
  apparent_.clear();
  past_.forget_all();
  if (early_) early_->is_refused = true;
  agents_.forget_segments();
  const timeline& before = timeline_;
  std::unordered_map<instance_id, instance_id> clusters;  // first block: old number to new
  std::vector<instance_id> old_clusters;
  for (const auto& block : blocks_) old_clusters.push_back(before.at(block->instance).cluster);
  timeline_.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    block_clock& block = *blocks_[i];
    block.instance = timeline_.add_instance(block.of, block.linear_block);
    timeline_.at(block.instance).cluster =
        clusters.try_emplace(old_clusters[i], block.instance).first->second;
    block.ancient = 1;
    block.common = 0;
    block.own_agent = vector_clock::of_agent(block.of, 0);
    block.has_learned = false;
    for (lane_clock& lane : block.lanes) lane = {};
    block.warp_tables.clear();
    move_all_on(block, timeline_.add_segment(block.instance));
  }
  for (const auto& block : blocks_) {
    if (block->copies != nullptr) timeline_.at(block->copies->instance).home = block->instance;
  }
}

}  // namespace heddle_checker
