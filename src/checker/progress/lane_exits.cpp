// Where lanes have ended, as far as that explains a finding.
#include "checker/progress/lane_exits.hpp"

#include <algorithm>

#include <heddle_host/lane_return.hpp>

#include "checker/checker.hpp"
#include "checker/hooks/hooks.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::lane_place;

void checker::lane_returns(const void* code) {
  static_cast<block_record*>(heddle_host::lane_now.observed)->exits[heddle_host::lane_now.thread] =
      code;
  if (!aba_.somebody_looks()) return;
  const checker_section guard;
  aba_.forget(running_lane());
}

// Who was there, and the place at which the thread that was not has ended.
void checker::meeting_lacks_thread(const std::vector<lane_place>& present, lane_place absent,
                                   unsigned thread, bool makes_group) {
  const auto& block = *static_cast<const block_record*>(heddle_host::lane_now.observed);
  finding wrong{makes_group ? heddle_host::finding_kind::divergent_collective
                            : heddle_host::finding_kind::divergent_barrier,
                cudaSuccess, grid_->kernel->signature,
                makes_group ? finding_cause::members_ended : finding_cause::exited_threads};
  wrong.places = present;
  absent.code = block.exits[thread];
  if (absent.code != nullptr) wrong.places.push_back(absent);
  collect(std::move(wrong));
}

void checker::add_exit(const side& who, const void* code, finding& to) const {
  if (code == nullptr) return;
  lane_place place = place_of(who);
  place.doing = activity::exiting;
  place.kernel = nullptr;  // the finding's
  place.code = code;
  to.places.push_back(place);
}

// If the lane that has changed the memory last is gone, it may have kept a lock.
void checker::add_exit_of_last_writer(std::uintptr_t address, finding& to) {
  const std::optional<side> last = races_.last_writer(address);
  if (!last || last->is_host || last->of != running_) return;
  const lane_place its = place_of(*last);
  const auto is_its = [&](const lane_place& place) {
    const auto same = [](uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    return same(place.block, its.block) && same(place.thread, its.thread);
  };
  if (std::any_of(to.places.begin(), to.places.end(), is_its)) return;
  const void* code = exits_.find(last->block, last->thread);
  for (const block_record& one : blocks_) {
    if (code == nullptr && one.linear_block == last->block && last->thread < one.exits.size()) {
      code = one.exits[last->thread];
    }
  }
  if (code == nullptr) return;
  add_exit(*last, code, to);
  to.cause = finding_cause::last_writer_exited;
}

}  // namespace heddle_checker

void heddle_host::lane_returns() {
  if (heddle_checker::checker_in_force == nullptr) return;
  heddle_checker::checker_in_force->lane_returns(__builtin_return_address(0));
}

void heddle_host::lane_comes_to_end() {
  if (heddle_checker::checker_in_force == nullptr) return;
  heddle_checker::checker_in_force->lane_returns(__builtin_return_address(0));
  note_end_of_kernel();
}
