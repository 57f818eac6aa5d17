// Barriers and warp synchronisation: each participant comes after everything that any of them has
// done or acquired.
#include <algorithm>
#include <array>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {

// One lane begins a segment: what it has released does not cover what it does from now on.
void race_detector::move_on(block_clock& block, unsigned thread) {
  block.lanes[thread].stamp = record::stamp(timeline_.add_segment(block.instance), thread);
}

void race_detector::move_all_on(block_clock& block, segment_id segment) {
  block.known = segment;
  for (unsigned thread = 0; thread < block.threads; ++thread) {
    block.lanes[thread].stamp = record::stamp(segment, thread);
    block.lanes[thread].visited.clear();
  }
}

void race_detector::learn_all(const block_clock& block, vector_clock& all) const {
  if (!block.has_learned) return;
  for (const lane_clock& lane : block.lanes) all.join(lane.learned);
}

void race_detector::block_barrier(block_clock& block) {
  make_room(1);
  if (block.has_learned) {
    vector_clock all;
    learn_all(block, all);
    all.drop(block.instance);
    for (lane_clock& lane : block.lanes) lane.learned = all;
    block.has_learned = !all.is_empty();
  }
  block_clock* const whole = &block;
  share_apparent_order({&whole, 1});
  move_all_on(block, timeline_.add_segment(block.instance));
}

vector_clock race_detector::release_to_barrier(block_clock& block, unsigned thread) {
  make_room(1);
  has_released_ = true;
  vector_clock all = everything_known(block, thread);
  move_on(block, thread);
  return all;
}

void race_detector::warp_sync(block_clock& block, unsigned warp, std::uint32_t lanes) {
  make_room(1);
  const unsigned first = warp * lanes_per_warp;
  const unsigned end = std::min(block.threads, first + lanes_per_warp);
  std::array<unsigned, lanes_per_warp> threads;
  unsigned count = 0;
  for (unsigned thread = first; thread < end; ++thread) {
    if ((lanes >> (thread - first) & 1) != 0) threads[count++] = thread;
  }
  share_apparent_order(block, {threads.data(), count});
  if (first + count < end) {
    sync_part_of_warp(block, warp, {threads.data(), count});
    return;
  }
  if (block.has_learned) {
    vector_clock all;
    for (unsigned thread = first; thread < end; ++thread) all.join(block.lanes[thread].learned);
    for (unsigned thread = first; thread < end; ++thread) block.lanes[thread].learned = all;
  }
  const segment_id segment = timeline_.add_segment(block.instance);
  for (unsigned thread = first; thread < end; ++thread) {
    block.lanes[thread].warp_known = segment;
    block.lanes[thread].stamp = record::stamp(segment, thread);
    block.lanes[thread].visited.clear();
  }
}

void race_detector::sync_part_of_warp(block_clock& block, unsigned warp,
                                      std::span<const unsigned> threads) {
  if (threads.empty()) return;
  const unsigned first = warp * lanes_per_warp;
  const unsigned end = std::min(block.threads, first + lanes_per_warp);
  block.warp_tables.resize((block.threads + lanes_per_warp - 1) / lanes_per_warp);
  if (block.warp_tables[warp] == nullptr) {
    block.warp_tables[warp] = std::make_unique<std::array<lane_table, lanes_per_warp>>();
    for (unsigned thread = first; thread < end; ++thread) {
      block.lanes[thread].partly_known = &(*block.warp_tables[warp])[thread - first];
    }
  }
  lane_table known{};
  segment_id warp_known = 0;
  vector_clock all;
  for (const unsigned thread : threads) {
    const lane_clock& lane = block.lanes[thread];
    for (unsigned i = 0; i < lanes_per_warp; ++i) {
      known[i] = std::max(known[i], (*lane.partly_known)[i]);
    }
    warp_known = std::max(warp_known, lane.warp_known);
    all.join(lane.learned);
  }
  for (const unsigned thread : threads) known[thread - first] = block.lanes[thread].segment();
  const segment_id segment = timeline_.add_segment(block.instance);
  for (const unsigned thread : threads) {
    lane_clock& lane = block.lanes[thread];
    *lane.partly_known = known;
    lane.warp_known = warp_known;
    lane.learned = all;
    lane.stamp = record::stamp(segment, thread);
  }
}

void race_detector::partial_barrier(block_clock& block, std::span<const unsigned> threads) {
  if (threads.empty()) return;
  if (threads.size() == block.threads) {
    block_barrier(block);
    return;
  }
  make_room(1);
  has_released_ = true;
  share_apparent_order(block, threads);
  constexpr unsigned most_warps = most_threads / lanes_per_warp;
  std::array<unsigned, most_warps> present{};
  std::array<segment_id, most_warps> warp_known{};
  vector_clock all;
  for (const unsigned thread : threads) {
    const lane_clock& lane = block.lanes[thread];
    ++present[thread / lanes_per_warp];
    segment_id& known = warp_known[thread / lanes_per_warp];
    known = std::max(known, lane.warp_known);
    all.join(lane.learned);
  }
  const segment_id segment = timeline_.add_segment(block.instance);
  std::vector<unit_known> units;
  for (unsigned warp = 0; warp < most_warps; ++warp) {
    if (present[warp] == 0) continue;
    const unsigned first = warp * lanes_per_warp;
    if (present[warp] == std::min(block.threads - first, lanes_per_warp)) {
      warp_known[warp] = segment;
    }
    if (warp_known[warp] != 0) units.push_back({unit_known::warp(warp), warp_known[warp] - 1});
  }
  // Where only some lanes of a warp take part, go lane by lane.
  std::array<segment_id, most_threads> until{};
  for (const unsigned thread : threads) {
    const unsigned warp = thread / lanes_per_warp;
    if (warp_known[warp] == segment) continue;
    const lane_clock& lane = block.lanes[thread];
    until[thread] = std::max(until[thread], lane.segment());
    if (lane.partly_known == nullptr) continue;
    for (unsigned i = 0; i < lanes_per_warp; ++i) {
      segment_id& other = until[warp * lanes_per_warp + i];
      other = std::max(other, (*lane.partly_known)[i]);
    }
  }
  for (unsigned thread = 0; thread < block.threads; ++thread) {
    if (until[thread] >= block.known) units.push_back({unit_known::lane(thread), until[thread]});
  }
  all.join(vector_clock::of_block(block.instance, block.known - 1, units));
  for (const unsigned thread : threads) {
    lane_clock& lane = block.lanes[thread];
    lane.stamp = record::stamp(segment, thread);
    lane.warp_known = warp_known[thread / lanes_per_warp];
    lane.learned = all;
  }
  block.has_learned = true;
}

void race_detector::cluster_barrier(std::span<block_clock* const> blocks) {
  make_room(blocks.size());
  share_apparent_order(blocks);
  vector_clock all;
  for (const block_clock* block : blocks) {
    learn_all(*block, all);
    all.join(vector_clock::of_block(block->instance, timeline_.next_segment() - 1));
  }
  for (block_clock* block : blocks) {
    move_all_on(*block, timeline_.add_segment(block->instance));
    for (lane_clock& lane : block->lanes) lane.learned = all;
    block->has_learned = true;
  }
}

void race_detector::grid_barrier(agent grid) {
  make_room(blocks_.size());
  const segment_id common = timeline_.next_segment();
  vector_clock all = agents_.learned(grid);
  for (const auto& block : blocks_) {
    if (block->of == grid) learn_all(*block, all);
  }
  std::vector<block_clock*> of_grid;
  for (const auto& block : blocks_) {
    if (block->of == grid) of_grid.push_back(block.get());
  }
  share_apparent_order(of_grid);
  all.drop_if([&](instance_id which, segment_id last) {
    return timeline_.at(which).of == grid && last < common;
  });
  agents_.common(grid) = common;
  const vector_clock own_agent = vector_clock::of_agent(grid, common - 1);
  for (const auto& block : blocks_) {
    if (block->of != grid) continue;
    block->common = common;
    block->own_agent = own_agent;
    move_all_on(*block, timeline_.add_segment(block->instance));
    for (lane_clock& lane : block->lanes) lane.learned = all;
    block->has_learned = !all.is_empty();
  }
}

}  // namespace heddle_checker
