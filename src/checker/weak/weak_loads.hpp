// Strong accesses whose loads may be late or early, as the PTX memory model allows.
#pragma once
#include <heddle_host/schedule.hpp>

#include "checker/memory/plain_word.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class weak_loads final : public heddle_host::observer {
 public:
  explicit weak_loads(run_state& run) : run_(run) {}

  [[gnu::noinline]] void lane_touches(access what) {
    if (what.late != nullptr && what.bytes <= sizeof what.late->held) prepare(what);
    run_.races.strong_access(*running_block().clock, heddle_host::lane_now.thread, what.address,
                             what.bytes, what.way, what.how, what.reach, what.ordering, what.code,
                             what.late);
    // A lane that reads one older store after the other does make progress.
    if (what.late != nullptr) run_.progress.something_happens_unless(!what.late->is_news);
    if (run_.races.refuses_early_load()) run_.weak.promises.give_up();
  }

  void grid_begins(const heddle_host::launch_request&) override { run_.weak.replaced.begin_grid(); }
  void grid_ends(const heddle_host::launch_request&, cudaError_t) override {
    run_.weak.substituted.restore();
    run_.weak.promises.end_grid();
  }
  void block_ends(uint3) override { run_.weak.substituted.restore(); }

 private:
  // Notes what memory holds, and whether the load returns a promised store.
  void prepare(const access& what) {
    late_value& late = *what.late;
    late.held = load_word(what.address, what.bytes);
    promised_stores& promises = run_.weak.promises;
    if (what.way == direction::write && promises.is_busy()) {
      late.stored.reset();  // no store may precede older ones now
      late.fulfils_promise = promises.fulfils(running_lane(), what.address, what.bytes);
    }
    const bool may_be_early = what.way == direction::read && !late.takes_newest &&
                              what.ordering == order::relaxed && promises.wants_promise();
    if (!may_be_early) return;
    late.promised = promises.find_promise(running_lane(), what.address, what.bytes, [&] {
      heddle_host::interrupt_if_scheduled(what.code, true);
    });
  }

  run_state& run_;
};

}  // namespace heddle_checker
