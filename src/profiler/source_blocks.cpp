// Counts which lanes run source blocks together, and where they diverge.
#include <algorithm>

#include "profiler.hpp"

namespace heddle_profiler {

void profiler::lane_enters_block(const void* code) {
  if (running_lane().is_updating) return;  // the runtime's own branches
  const auto [place, is_new] =
      block_numbers_.emplace(code, static_cast<unsigned>(counted_.source_blocks.size()));
  if (is_new) counted_.source_blocks.push_back(code);
  leave_block(running_lane(), running_lane_number(), code);
  join_block(place->second);
}

void profiler::join_block(unsigned number) {
  warp_record& warp = running_warp();
  lined_up<open_run>& line = warp.runs.at(number);
  const unsigned lane = running_lane_number();
  const auto done = [this](const open_run& one) { close(one.run); };
  open_run& mine = line.join(lane, done);
  if (mine.run == nullptr) {
    if (idle_runs_.empty()) idle_runs_.push_back(&runs_.emplace_back());
    mine.run = idle_runs_.back();
    idle_runs_.pop_back();
    *mine.run = {};
    mine.run->number = number;
  }
  block_run* const run = mine.run;
  run->mask |= 1u << lane;
  run->inside |= 1u << lane;
  lane_record& who = warp.lanes[lane];
  who.inside = run;
  who.comparison = nullptr;
  line.tidy(mine, warp.live, done);
}

// `way` is the block that follows; null if the lane exits.
void profiler::leave_block(lane_record& who, unsigned lane, const void* way) {
  block_run* const run = who.inside;
  if (run == nullptr) return;
  who.inside = nullptr;
  run->inside &= ~(1u << lane);
  if (run->on_way == 0) run->way = way;
  run->on_way += run->way == way;
  run->is_parted = run->is_parted || run->way != way;
  if (who.comparison != nullptr) run->branch = who.comparison;
  if (run->is_closed && run->inside == 0) count(run);
}

void profiler::close(block_run* run) {
  run->is_closed = true;
  if (run->inside == 0) count(run);
}

void profiler::count(block_run* run) {
  if (run->number >= kernel_->source_blocks.size()) {
    kernel_->source_blocks.resize(counted_.source_blocks.size());
  }
  block_counters& into = kernel_->source_blocks[run->number];
  into.runs += 1;
  const auto lanes = static_cast<unsigned>(std::popcount(run->mask));
  into.lanes += lanes;
  into.parted += run->is_parted;
  if (run->is_parted) into.fewer += std::min(run->on_way, lanes - run->on_way);
  if (into.runs == 1) into.way = run->way;
  into.has_several_ways = into.has_several_ways || run->is_parted || into.way != run->way;
  if (run->branch != nullptr) into.branch = run->branch;
  idle_runs_.push_back(run);
}

}  // namespace heddle_profiler
