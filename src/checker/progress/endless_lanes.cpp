// Tells lanes that are slow from lanes that will never end: by what they compare and touch.
#include <algorithm>
#include <bit>
#include <cstring>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/progress.hpp>

#include "checker/checker.hpp"
#include "checker/hooks/hooks.hpp"
#include "checker/lane_accesses.hpp"

namespace heddle_checker {

using heddle_host::finding;
using heddle_host::finding_kind;
using heddle_host::lane_now;

__thread unsigned comparisons_left = comparisons_per_turn;

void checker::lane_works(unsigned units) {
  constexpr unsigned units_per_look = 1 << 14;
  if (units_until_look_ > units) {
    units_until_look_ -= units;
    return;
  }
  units_until_look_ = units_per_look;
  if (explored_ != nullptr || foresight_.is_busy()) return;
  const std::uint64_t progress = standstill_.happened() + repetition_.news();
  if (progress != progress_seen_) heddle_host::note_progress();
  progress_seen_ = progress;
  if (repetition_.work(units_per_look)) search_repetition();
}

void checker::search_repetition() {
  std::size_t lanes = 0;
  for (const block_record& one : blocks_) lanes += one.memory.threads;
  for (const block_record* idle : idle_blocks_) lanes -= idle->memory.threads;
  repetition_.begin(lanes);
  happened_before_search_ = standstill_.happened();
  covered_.accesses += accesses_of_turn_ - accesses_until_turn_;
  begin_turn(1);
  comparisons_left = 1;
}

void checker::lane_compares(std::uint64_t one, std::uint64_t other, const void* code) {
  const checker_section guard;
  if (repetition_.is_searching()) {
    comparisons_left = 1;
    follow_deed(mixture{}.add(reinterpret_cast<std::uintptr_t>(code)).add(one).add(other).number(),
                0, code);
    if (++comparisons_followed_ % comparisons_per_turn != 0) return;
  }
  lane_works(comparisons_per_turn);
  comparisons_left = repetition_.is_searching() ? 1 : comparisons_per_turn;
  if (explored_ == nullptr && !foresight_.is_busy()) heddle_host::end_turn(code);
}

void checker::follow_access(std::uintptr_t address, unsigned bytes, bool is_strong,
                            const void* code) {
  // The host may change what it sees.
  if (is_strong && is_of_host(address)) return repetition_.give_up();
  mixture what;
  what.add(reinterpret_cast<std::uintptr_t>(code)).add(address);
  if (!arena_.contains(address) || memory_.exists(address, bytes)) {
    for (unsigned done = 0; done < bytes; done += sizeof(std::uint64_t)) {
      std::uint64_t held = 0;
      std::memcpy(&held, reinterpret_cast<const char*>(address) + done,
                  std::min<std::size_t>(bytes - done, sizeof held));
      what.add(held);
    }
  }
  follow_deed(what.number(), address, code);
}

void checker::follow_deed(std::uint64_t what, std::uintptr_t address, const void* code) {
  // What lanes have left of it, all together, would seem to be new.
  constexpr unsigned plenty = 16;
  lane_now.spin_budget = plenty;
  auto& block = *static_cast<block_record*>(lane_now.observed);
  if (block.repeating.size() < block.memory.threads) block.repeating.resize(block.memory.threads);
  repetition::lane& mine = block.repeating[lane_now.thread];
  const bool is_enough = repetition_.step(mine, what);
  mine.code = code;
  if (address != 0) mine.read = address;
  if (!is_enough) return;
  if (mine.read == 0 && !mine.has_met) end_at_blind_loop(code);
  judge_standstill(code);
}

void checker::follow_meeting(unsigned warp, std::uint32_t lanes) {
  if (!repetition_.is_searching()) return;
  auto& followed = static_cast<block_record*>(lane_now.observed)->repeating;
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned thread = warp * 32 + static_cast<unsigned>(std::countr_zero(lanes));
    if (thread < followed.size()) repetition_.meet(followed[thread]);
  }
}

bool checker::may_go_on(const block_record& block, unsigned thread, bool is_waiting) const {
  const bool is_frozen = how_.schedule == "freeze" && block.linear_block == 0 && thread == 0;
  if (thread < block.repeating.size()) {
    const repetition::lane& deeds = block.repeating[thread];
    if (repetition_.takes_part(deeds)) return !repetition_.repeats(deeds);
  }
  return !is_waiting && !is_frozen;
}

void checker::see_lane(std::uint64_t state, const void* code) {
  constexpr unsigned enough = 8;
  const std::uint64_t deeds = mixture{}
                                  .add(comparisons_left)
                                  .add(accesses_until_turn_)
                                  .add(covered_.accesses)
                                  .add(standstill_.happened())
                                  .add(running_lane())
                                  .number();
  if (deeds != blind_.deeds) blind_ = {deeds, 0, 0, {}};
  const bool is_known =
      std::find(blind_.states.begin(), blind_.states.end(), state) != blind_.states.end();
  blind_.states[blind_.next++ % blind_.states.size()] = state;
  if (is_known && ++blind_.times == enough) end_at_blind_loop(code);
}

void checker::end_at_blind_loop(const void* code) {
  finding what{finding_kind::livelock, cudaErrorLaunchTimeout, grid_->kernel->signature,
               heddle_host::finding_cause::endless_loop};
  what.places.push_back(heddle_host::place_of_running_lane(code, true));
  what.places.back().doing = heddle_host::activity::spinning;
  heddle_host::fail_launch(std::move(what));
}

}  // namespace heddle_checker

extern "C" void heddle_checker_sees_lane(std::uint64_t state, const void* code) {
  heddle_checker::checker* const who = heddle_checker::checker_in_force;
  if (who != nullptr && !who->explores()) who->see_lane(state, code);
}
