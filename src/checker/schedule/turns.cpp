// When a lane's turn ends: after so many accesses, or when the schedule says so.
#include <algorithm>

#include <heddle_host/lane.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/schedule.hpp>
#include <heddle_host/shared.hpp>

#include "checker/checker.hpp"
#include "checker/lane_accesses.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::lane_now;

// Accesses since the turn began, as far as they are not counted yet.
void checker::count_accesses() {
  const unsigned made = accesses_of_turn_ - accesses_until_turn_;
  begin_turn(1);
  if (made == 0) return;
  if (static_cast<block_record*>(lane_now.observed)->is_watched) covered_.accesses += made;
  if (order_of_lanes_ != nullptr && !asks_only_at_strong_) order_of_lanes_->pass(made);
  lane_works(made);
}

unsigned checker::accesses_until_asked() const {
  constexpr unsigned most = 4096;  // before somebody looks whether the lanes get on
  if (repetition_.is_searching() || is_weak_ || order_of_lanes_ == nullptr) return 1;
  if (asks_only_at_strong_) return accesses_per_turn;
  return 1 + std::min(order_of_lanes_->free_accesses(), most - 1);
}

void checker::end_turn(std::uintptr_t address, unsigned bytes, bool looks, bool is_strong,
                       const void* code) {
  const checker_section guard;
  if (is_scheduled_) {
    ++accesses_until_turn_;  // this one the schedule is asked about
    count_accesses();
    if (is_strong || !asks_only_at_strong_)
      stop_if_scheduled(address, bytes, looks, is_strong, code);
    count_accesses();  // others may have had their turn meanwhile
    covered_.accesses += static_cast<block_record*>(lane_now.observed)->is_watched ? 1 : 0;
    lane_works(1);
    begin_turn(accesses_until_asked());
  } else {
    const bool was_searching = repetition_.is_searching();
    count_accesses();
    begin_turn(repetition_.is_searching() ? 1 : accesses_per_turn);
    if (!was_searching || ++accesses_followed_ % accesses_per_turn == 0) {
      heddle_host::end_turn(code);
      heddle_host::leave_lane_code();  // the checker goes on
    }
  }
  if (__builtin_expect(repetition_.is_searching(), 0)) {
    follow_access(address, bytes, is_strong, code);
  }
}

void checker::stop_if_scheduled(std::uintptr_t address, unsigned bytes, bool looks, bool is_strong,
                                const void* code) {
  if (explored_ != nullptr) {
    for (const heddle_host::shared_declaration& one : heddle_host::shared_declarations()) {
      if (address == number(one.kept_at)) return;  // nobody's step
    }
    if (heddle_host::is_block_home(reinterpret_cast<const void*>(address))) return;
    explored_->lane_comes_to(address, bytes, looks, code);
  }
  if (!foresight_.is_rehearsing()) heddle_host::interrupt_if_scheduled(code, is_strong);
  lent_.give_back();  // also what another lane has taken meanwhile
  if (foresight_.is_busy()) foresight_.step(running_lane(), address, code);
}

}  // namespace heddle_checker
