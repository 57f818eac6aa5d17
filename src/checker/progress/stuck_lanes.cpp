// Convicts lanes that will never see anything new: of a deadlock, or of a livelock.
#include <algorithm>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>

#include "checker/checker.hpp"
#include "checker/places.hpp"
#include "checker/progress/standstill.hpp"

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_kind;
using heddle_host::lane_now;
using heddle_host::lane_place;

void checker::lane_looks_in_vain(access what) {
  auto& block = *static_cast<block_record*>(lane_now.observed);
  standstill::lane& mine = block.lanes[lane_now.thread];
  if (explored_ != nullptr) standstill_.be_quick(explored_->is_certain());
  standstill_.look(mine, what.address, what.how == strength::atomic, what.code);
  if (standstill_.is_suspicious(mine, block.lanes.size())) suspect_standstill(what.code);
}

bool checker::lane_should_yield() {
  constexpr std::uint32_t looks_per_turn = 16;
  const auto& block = *static_cast<block_record*>(lane_now.observed);
  const standstill::lane& mine = block.lanes[lane_now.thread];
  return mine.looks % looks_per_turn == looks_per_turn - 1;
}

void checker::lane_yields(const heddle_host::lane_identity& who) {
  auto& block = *static_cast<block_record*>(lane_now.observed);
  standstill::lane& mine = block.lanes[who.linear_thread];
  standstill_.rest(mine);
  if (standstill_.is_suspicious(mine, block.lanes.size())) suspect_standstill(mine.code);
}

// Where all interleavings are tried, it is known whether lanes are where they were. Elsewhere a
// lane may count its looks, and give up: whether it does is to be seen.
void checker::suspect_standstill(const void* code) {
  if (explored_ != nullptr) {
    judge_standstill(code);
  } else if (repetition_.is_worth_while()) {
    search_repetition();
  }
}

// The host may change what it shares with the device at any time.
bool checker::is_of_host(std::uintptr_t address) {
  if (!arena_.contains(address)) return elsewhere_.place_of(address) != memory_place::of_variable;
  const allocation* const one = allocations_.find(address);
  return one != nullptr && !one->is_shared_memory && !one->is_of_device_heap &&
         one->kind != heddle_host::memory_kind::device;
}

void checker::judge_standstill(const void* code) {
  std::optional<finding> all = heddle_host::describe_all_lanes(code);
  if (!all) return;
  std::map<std::uint64_t, block_record*> by_number;
  for (block_record& one : blocks_) by_number[one.linear_block] = &one;
  for (block_record* idle : idle_blocks_) {
    const auto found = by_number.find(idle->linear_block);
    if (found != by_number.end() && found->second == idle) by_number.erase(found);
  }
  const dim3 grid = grid_->grid;
  const dim3 shape = grid_->block;
  // Lanes that wait change nothing; what they undo, they change.
  bool is_livelock = explored_ == nullptr && standstill_.happened() != happened_before_search_;
  std::uintptr_t address = 0;
  for (lane_place& place : all->places) {
    const bool is_waiting = place.doing != activity::running && place.doing != activity::spinning;
    if (is_waiting && explored_ != nullptr) continue;
    const std::uint64_t number =
        place.block.x +
        std::uint64_t{grid.x} * (place.block.y + std::uint64_t{grid.y} * place.block.z);
    const auto block = by_number.find(number);
    if (block == by_number.end()) return;
    const unsigned thread = place.thread.x + shape.x * (place.thread.y + shape.y * place.thread.z);
    const standstill::lane& who = block->second->lanes[thread];
    const void* last_code = who.code;
    std::uintptr_t last_look = standstill_.has_looked(who) ? who.addresses[0] : 0;
    if (explored_ != nullptr) {
      if (!standstill_.stands_still(who, block->second->lanes.size())) return;
      const auto end =
          who.addresses.begin() + std::min<std::size_t>(who.places, who.addresses.size());
      if (std::any_of(who.addresses.begin(), end, [&](auto each) { return is_of_host(each); })) {
        return;
      }
    } else {
      if (may_go_on(*block->second, thread, is_waiting)) return;
      if (is_waiting) continue;
      const repetition::lane& deeds = block->second->repeating[thread];
      if (!repetition_.takes_part(deeds)) continue;  // it is held back for ever
      if (last_look == 0) last_look = deeds.read;
      if (deeds.code != nullptr) last_code = deeds.code;
    }
    is_livelock = is_livelock || !standstill_.only_waits(who);
    if (address == 0) address = last_look;
    place.doing = activity::spinning;
    if (last_code != nullptr) {
      place.code = last_code;
      place.is_return_address = true;
    }
  }
  all->kind = is_livelock ? finding_kind::livelock : finding_kind::deadlock;
  all->cause = heddle_host::finding_cause::standstill;
  if (address != 0) {
    describe({address, 0, direction::read, strength::plain, {}, {}, nullptr}, *all);
    if (!is_livelock) add_exit_of_last_writer(address, *all);
  }
  heddle_host::fail_launch(std::move(*all));
}

}  // namespace heddle_checker
