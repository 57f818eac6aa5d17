// Counts where lanes wait for each other, and how many do.
#include "profiler.hpp"

namespace heddle_profiler {
namespace {

using heddle_host::warp_operation;

const char* name_of(warp_operation what) {
  switch (what) {
    case warp_operation::sync:
      return "syncwarp";
    case warp_operation::shuffle_index:
    case warp_operation::shuffle_up:
    case warp_operation::shuffle_down:
    case warp_operation::shuffle_xor:
      return "shuffle";
    case warp_operation::vote_any:
    case warp_operation::vote_all:
    case warp_operation::vote_uniform:
    case warp_operation::ballot:
      return "vote";
    case warp_operation::match_any:
    case warp_operation::match_all:
      return "match";
    case warp_operation::make_group:
      return "group";
    default:
      return "reduce";
  }
}

fence_reach reach_of(heddle_host::memory_scope whom) {
  switch (whom) {
    case heddle_host::memory_scope::block:
      return fence_reach::block;
    case heddle_host::memory_scope::cluster:
      return fence_reach::cluster;
    case heddle_host::memory_scope::device:
      return fence_reach::device;
    case heddle_host::memory_scope::system:
      break;
  }
  return fence_reach::system;
}

}  // namespace

void profiler::forget_times(warp_record& who, std::uint32_t lanes) {
  who.requests.meet(lanes, who.live,
                    [this](unsigned site, const request& one) { count(site, one); });
  who.runs.meet(lanes, who.live, [this](unsigned, const open_run& one) { close(one.run); });
}

// The meeting belongs to the line of its first lane, which is known when that lane continues.
void profiler::note_meeting(warp_record& who, std::uint32_t lanes, const char* kind) {
  lane_record& leader = who.lanes[static_cast<unsigned>(std::countr_zero(lanes))];
  count_meeting(leader, nullptr);
  leader.met = kind;
  leader.met_lanes = static_cast<unsigned>(std::popcount(lanes));
}

void profiler::count_meeting(lane_record& leader, const void* code) {
  if (leader.met == nullptr) return;
  meeting_counters& into = kernel_->meetings[{code, leader.met}];
  into.times += 1;
  into.lanes += leader.met_lanes;
  leader.met = nullptr;
}

void profiler::meet(warp_record& who, std::uint32_t lanes, const char* kind) {
  if (lanes == 0) return;
  note_meeting(who, lanes, kind);
  forget_times(who, lanes);
}

void profiler::lane_has_met(const void* code) { count_meeting(running_lane(), code); }

void profiler::warp_meets(uint3, unsigned warp, warp_operation what, unsigned, unsigned present) {
  meet(running_block().warps[warp], present, name_of(what));
}

void profiler::block_meets(uint3, unsigned barrier) {
  next_barrier_ = barrier == 0 ? "block barrier" : "named barrier";
}

void profiler::threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool) {
  const char* const kind = next_barrier_ != nullptr ? next_barrier_ : "tile barrier";
  next_barrier_ = nullptr;
  for (unsigned warp = 0; warp < warps; ++warp) {
    meet(running_block().warps[warp], lanes_of_warp[warp], kind);
  }
}

void profiler::grid_meets() {
  for (block_record& one : blocks_) {
    if (!one.is_running) continue;
    for (warp_record& warp : one.warps) meet(warp, warp.live, "grid barrier");
  }
}

void profiler::cluster_meets(void* const* observed, unsigned blocks) {
  for (unsigned i = 0; i < blocks; ++i) {
    if (observed[i] == nullptr) continue;
    for (warp_record& warp : static_cast<block_record*>(observed[i])->warps) {
      meet(warp, warp.live, "cluster barrier");
    }
  }
}

void profiler::lane_fences(heddle_host::memory_scope reach, const void* code) {
  kernel_->fences[{code, reach_of(reach)}] += 1;
}

}  // namespace heddle_profiler
