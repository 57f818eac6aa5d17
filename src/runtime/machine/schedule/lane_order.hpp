// Which lanes of a block are ready, and which of them runs next.
#pragma once
#include <cstdint>
#include <vector>

#include <heddle_host/lane.hpp>
#include <heddle_host/schedule.hpp>

#include "machine/warp_state.hpp"

namespace heddle_host {

class block_state;
struct fiber;

class lane_order {
 public:
  explicit lane_order(block_state& block) : block_(block) {}

  void begin(schedule* decides);  // null: each warp runs until all its lanes wait
  void clear();

  void make_ready(warp_state& warp, std::uint32_t lanes) {
    // A schedule must see every choice, so the fast path, which takes a lane of the same warp,
    // finds none.
    if (__builtin_expect(schedule_ != nullptr, 0)) {
      warp.offered |= lanes;
    } else {
      warp.ready |= lanes;
    }
    ready_warps_ |= static_cast<std::uint32_t>(lanes != 0) << warp.number;
  }
  bool has_ready();

  context& next_of_block();  // what to resume when the running warp has no ready lane
  context stop_beyond_warp(const lane_record& mine);  // null if `mine` itself is next
  context end_lane(fiber& mine);  // as heddle_host::end_lane, if the block tracks its lanes

  // Called by the running lane; each suspends it.
  unsigned active_lanes(const void* where);             // returns who is active
  void yield(const void* where, bool is_preempted);     // lets all others go first
  void take_turn();                                     // the same, but it is not waiting
  void interrupt(interruption how, const void* where);  // it stays ready

  void list_ready(std::vector<ready_lane>& into) const;  // those that have started

 private:
  context& next_beyond_warp();  // the same, but first the unstarted lanes of the running warp
  void start_next_lane();       // makes the next unstarted lane the running one
  context* next_by_schedule();  // null if no lane is ready
  context& start_on_another_fiber();
  void revive_yielded();
  bool preempted_lanes_go_first();
  void answer_active_lanes();
  std::uint32_t split(const warp_state& warp, std::uint32_t together);

  block_state& block_;
  schedule* schedule_ = nullptr;
  std::uint32_t ready_warps_ = 0;
  std::uint32_t yielded_warps_ = 0;
  std::uint32_t gathering_warps_ = 0;
  unsigned spin_rounds_ = 0;
  unsigned turns_of_preempted_ = 0;
  bool some_took_turns_ = false;  // some of the yielded lanes called take_turn()
  bool leaves_soon_ = false;      // another block gets its turn
};

}  // namespace heddle_host
