// Ends the turns of lanes and counts their accesses.
#include "checker/schedule/lane_turns.hpp"

#include <algorithm>

#include <heddle_host/lane.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/schedule.hpp>
#include <heddle_host/shared_declarations.hpp>

#include "checker/checker_section.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

// Counts the accesses that were made since the turn began.
void lane_turns::count_accesses() {
  const unsigned made = run_.turn.made();
  run_.turn.begin(1);
  if (made == 0) return;
  if (running_block().is_watched) run_.covered.accesses += made;
  if (run_.order.schedule != nullptr && !run_.order.asks_only_at_strong) {
    run_.order.schedule->pass(made);
  }
  stalls_.lane_works(made);
}

unsigned lane_turns::accesses_until_asked() const {
  constexpr unsigned most = 4096;  // until a check looks whether lanes make progress
  if (stalls_.is_searching() || run_.order.is_weak || run_.order.schedule == nullptr) return 1;
  if (run_.order.asks_only_at_strong) return accesses_per_turn;
  return 1 + std::min(run_.order.schedule->free_accesses(), most - 1);
}

void lane_turns::end(std::uintptr_t address, unsigned bytes, bool polls, bool is_strong,
                     const void* code) {
  const checker_section guard;
  if (run_.order.is_scheduled) {
    ++run_.turn.left;  // the schedule decides about this access
    count_accesses();
    if (is_strong || !run_.order.asks_only_at_strong) {
      stop_if_scheduled(address, bytes, polls, is_strong, code);
    }
    count_accesses();  // others may have run meanwhile
    run_.covered.accesses += running_block().is_watched ? 1 : 0;
    stalls_.lane_works(1);
    run_.turn.begin(accesses_until_asked());
  } else {
    const bool was_searching = stalls_.is_searching();
    count_accesses();
    run_.turn.begin(stalls_.is_searching() ? 1 : accesses_per_turn);
    if (!was_searching || ++accesses_followed_ % accesses_per_turn == 0) {
      heddle_host::end_turn(code);
      heddle_host::leave_lane_code();  // back to the checker
    }
  }
  if (__builtin_expect(stalls_.is_searching(), 0)) {
    stalls_.follow_access(address, bytes, is_strong, code);
  }
}

void lane_turns::stop_if_scheduled(std::uintptr_t address, unsigned bytes, bool polls,
                                   bool is_strong, const void* code) {
  if (run_.explores()) {
    for (const heddle_host::shared_declaration& one : heddle_host::shared_declarations()) {
      if (address == number(one.kept_at)) return;  // not a step of any lane
    }
    if (heddle_host::is_block_home(reinterpret_cast<const void*>(address))) return;
    run_.order.explored->lane_comes_to(address, bytes, polls, code);
  }
  if (!run_.weak.promises.is_certifying()) heddle_host::interrupt_if_scheduled(code, is_strong);
  run_.weak.substituted.restore();  // also what another lane has taken meanwhile
  if (run_.weak.promises.is_busy()) run_.weak.promises.step(running_lane(), address, code);
}

}  // namespace heddle_checker
