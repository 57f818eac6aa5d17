// Finds kernels that never end: deadlocks, livelocks and endless loops.
// A lane that is merely slow changes memory, reaches a barrier or enters a new state. A lane that
// does none of this repeats itself forever.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/observer.hpp>
#include <heddle_host/progress.hpp>

#include "checker/places.hpp"
#include "checker/progress/lane_exits.hpp"
#include "checker/progress/repetition.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

// A lane makes this many comparisons before another one runs.
inline constexpr unsigned comparisons_per_turn = 4096;
extern __thread unsigned comparisons_left;  // of the turn

class stall_check final : public heddle_host::observer {
 public:
  explicit stall_check(run_state& run) : run_(run) {}

  // The running lane has polled a location and found nothing new.
  [[gnu::noinline]] void lane_polls(access what) {
    block_record& block = running_block();
    standstill::lane& mine = block.lanes[heddle_host::lane_now.thread];
    if (run_.explores()) run_.progress.be_quick(run_.order.explored->is_certain());
    run_.progress.look(mine, what.address, what.how == strength::atomic, what.code);
    if (run_.progress.is_suspicious(mine, block.lanes.size())) suspect(what.code);
  }
  // Volatile loads need not be polls, so a lane yields only after several.
  [[nodiscard]] bool lane_should_yield() const {
    constexpr std::uint32_t polls_per_turn = 16;
    const standstill::lane& mine = running_block().lanes[heddle_host::lane_now.thread];
    return mine.looks % polls_per_turn == polls_per_turn - 1;
  }
  // The running lane has used up the comparisons of its turn, or a search follows each one.
  void lane_compares(std::uint64_t one, std::uint64_t other, const void* code) {
    if (repetition_.is_searching()) {
      comparisons_left = 1;
      follow(mixture{}.add(number(code)).add(one).add(other).number(), 0, code);
      if (++comparisons_followed_ % comparisons_per_turn != 0) return;
    }
    lane_works(comparisons_per_turn);
    comparisons_left = repetition_.is_searching() ? 1 : comparisons_per_turn;
    if (!run_.explores() && !run_.weak.promises.is_busy()) heddle_host::end_turn(code);
  }
  void lane_is_sampled(std::uint64_t state, const void* code) override {
    if (run_.explores()) return;
    constexpr unsigned enough = 8;
    const std::uint64_t actions = mixture{}
                                      .add(comparisons_left)
                                      .add(run_.turn.left)
                                      .add(run_.covered.accesses)
                                      .add(run_.progress.happened())
                                      .add(running_lane())
                                      .number();
    if (actions != blind_.actions) blind_ = {actions, 0, 0, {}};
    const bool is_known =
        std::find(blind_.states.begin(), blind_.states.end(), state) != blind_.states.end();
    blind_.states[blind_.next++ % blind_.states.size()] = state;
    if (is_known && ++blind_.times == enough) end_at_blind_loop(code);
  }

  // Lanes have made accesses or comparisons.
  void lane_works(unsigned units) {
    constexpr unsigned units_per_look = 1 << 14;
    if (units_until_look_ > units) {
      units_until_look_ -= units;
      return;
    }
    units_until_look_ = units_per_look;
    if (run_.explores() || run_.weak.promises.is_busy()) return;
    const std::uint64_t progress = run_.progress.happened() + repetition_.news();
    if (progress != progress_seen_) heddle_host::note_progress();
    progress_seen_ = progress;
    if (repetition_.work(units_per_look)) search_repetition();
  }
  // During a search each access and comparison is followed, until lanes repeat themselves or
  // something happens.
  [[nodiscard]] bool is_searching() const { return repetition_.is_searching(); }
  [[gnu::noinline]] void follow_access(std::uintptr_t address, unsigned bytes, bool is_strong,
                                       const void* code) {
    // The host may change what the lane sees.
    if (is_strong && run_.memory.is_shared_with_host(address)) return repetition_.give_up();
    mixture what;
    what.add(number(code)).add(address);
    if (!run_.memory.arena.contains(address) || run_.memory.state.exists(address, bytes)) {
      for (unsigned done = 0; done < bytes; done += sizeof(std::uint64_t)) {
        std::uint64_t held = 0;
        std::memcpy(&held, reinterpret_cast<const char*>(address) + done,
                    std::min<std::size_t>(bytes - done, sizeof held));
        what.add(held);
      }
    }
    follow(what.number(), address, code);
  }
  void note_progress() {
    run_.progress.something_happens();
    repetition_.give_up();
  }

  void grid_begins(const heddle_host::launch_request&) override {
    exits_.grid_begins();
    repetition_.grid_begins();
  }
  void block_ends(uint3) override {
    block_record& ended = running_block();
    exits_.block_ends(ended.linear_block, ended.exits);
  }
  void lane_begins(const heddle_host::lane_identity&) override { note_progress(); }
  void lane_ends(const heddle_host::lane_identity&) override { note_progress(); }
  void lane_asks_for_time() override { note_progress(); }
  void lane_yields(const heddle_host::lane_identity& who) override {
    block_record& block = running_block();
    standstill::lane& mine = block.lanes[who.linear_thread];
    run_.progress.rest(mine);
    if (run_.progress.is_suspicious(mine, block.lanes.size())) suspect(mine.code);
  }
  void warp_meets(uint3, unsigned warp, heddle_host::warp_operation, unsigned,
                  unsigned present) override {
    run_.progress.lanes_meet();
    follow_meeting(warp, present);
  }
  void threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool) override {
    run_.progress.lanes_meet();
    for (unsigned warp = 0; warp < warps; ++warp) follow_meeting(warp, lanes_of_warp[warp]);
  }
  void lane_passes_barrier(unsigned) override { run_.progress.something_happens(); }
  void grid_meets() override { run_.progress.lanes_meet(); }
  void cluster_meets(void* const*, unsigned) override { run_.progress.lanes_meet(); }
  bool have_lanes_only_polled() override { return run_.progress.has_seen_looks_alone(); }

 private:
  using activity = heddle_host::activity;
  using finding = heddle_host::finding;
  using lane_place = heddle_host::lane_place;

  // A lane that was seen several times and made no access or comparison in between.
  struct blind_lane {
    std::uint64_t actions = 0;
    unsigned times = 0;  // in a state seen before
    std::size_t next = 0;
    std::array<std::uint64_t, 64> states{};
  };

  void search_repetition() {
    repetition_.begin(run_.blocks.resident_threads());
    happened_before_search_ = run_.progress.happened();
    run_.covered.accesses += run_.turn.made();
    run_.turn.begin(1);
    comparisons_left = 1;
  }

  void follow(std::uint64_t what, std::uintptr_t address, const void* code) {
    // Different remaining budgets of lanes would look like something new.
    constexpr unsigned plenty = 16;
    heddle_host::lane_now.spin_budget = plenty;
    block_record& block = running_block();
    if (block.repeating.size() < block.memory.threads) block.repeating.resize(block.memory.threads);
    repetition::lane& mine = block.repeating[heddle_host::lane_now.thread];
    const bool is_enough = repetition_.step(mine, what);
    mine.code = code;
    if (address != 0) mine.read = address;
    if (!is_enough) return;
    if (mine.read == 0 && !mine.has_met) end_at_blind_loop(code);
    judge(code);
  }

  void follow_meeting(unsigned warp, std::uint32_t lanes) {
    if (!repetition_.is_searching()) return;
    auto& followed = running_block().repeating;
    for (; lanes != 0; lanes &= lanes - 1) {
      const unsigned thread = warp * 32 + static_cast<unsigned>(std::countr_zero(lanes));
      if (thread < followed.size()) repetition_.meet(followed[thread]);
    }
  }

  // An exploration knows whether lanes are in the same state again. Otherwise a lane may count its
  // polls and give up; only a search can show that.
  [[gnu::cold, gnu::noinline]] void suspect(const void* code) {
    if (run_.explores()) {
      judge(code);
    } else if (repetition_.is_worth_while()) {
      search_repetition();
    }
  }

  [[nodiscard]] bool may_go_on(const block_record& block, unsigned thread, bool is_waiting) const {
    const bool is_frozen = run_.how.schedule == "freeze" && block.linear_block == 0 && thread == 0;
    if (thread < block.repeating.size()) {
      const repetition::lane& lane = block.repeating[thread];
      if (repetition_.takes_part(lane)) return !repetition_.repeats(lane);
    }
    return !is_waiting && !is_frozen;
  }

  // Fails the launch if no lane can ever make progress.
  [[gnu::cold, gnu::noinline]] void judge(const void* code) {
    std::optional<finding> all = heddle_host::describe_all_lanes(code);
    if (!all) return;
    const std::map<std::uint64_t, block_record*> resident = run_.blocks.resident();
    const dim3 grid = run_.grid->grid;
    const dim3 shape = run_.grid->block;
    // Waiting lanes change nothing. Lanes that undo each other's changes do: a livelock.
    bool is_livelock = !run_.explores() && run_.progress.happened() != happened_before_search_;
    std::uintptr_t address = 0;
    for (lane_place& place : all->places) {
      const bool is_waiting = place.doing != activity::running && place.doing != activity::spinning;
      if (is_waiting && run_.explores()) continue;
      const std::uint64_t number =
          place.block.x +
          std::uint64_t{grid.x} * (place.block.y + std::uint64_t{grid.y} * place.block.z);
      const auto block = resident.find(number);
      if (block == resident.end()) return;
      const unsigned thread =
          place.thread.x + shape.x * (place.thread.y + shape.y * place.thread.z);
      const standstill::lane& who = block->second->lanes[thread];
      const void* last_code = who.code;
      std::uintptr_t last_poll = run_.progress.has_looked(who) ? who.addresses[0] : 0;
      if (run_.explores()) {
        if (!run_.progress.stands_still(who, block->second->lanes.size())) return;
        const auto end =
            who.addresses.begin() + std::min<std::size_t>(who.places, who.addresses.size());
        if (std::any_of(who.addresses.begin(), end,
                        [&](auto each) { return run_.memory.is_shared_with_host(each); })) {
          return;
        }
      } else {
        if (may_go_on(*block->second, thread, is_waiting)) return;
        if (is_waiting) continue;
        const repetition::lane& lane = block->second->repeating[thread];
        if (!repetition_.takes_part(lane)) continue;  // the schedule holds it back forever
        if (last_poll == 0) last_poll = lane.read;
        if (lane.code != nullptr) last_code = lane.code;
      }
      is_livelock = is_livelock || !run_.progress.only_waits(who);
      if (address == 0) address = last_poll;
      place.doing = activity::spinning;
      if (last_code != nullptr) {
        place.code = last_code;
        place.is_return_address = true;
      }
    }
    all->kind =
        is_livelock ? heddle_host::finding_kind::livelock : heddle_host::finding_kind::deadlock;
    all->cause = heddle_host::finding_cause::standstill;
    if (address != 0) {
      run_.describe(spot_at(address), *all);
      if (!is_livelock) add_exit_of_last_writer(address, *all);
    }
    heddle_host::fail_launch(std::move(*all));
  }

  // A lane that has exited may still hold a lock.
  void add_exit_of_last_writer(std::uintptr_t address, finding& to) {
    const std::optional<side> last = run_.races.last_writer(address);
    if (!last || last->is_host || last->of != run_.running) return;
    const lane_place its = run_.where.place_of(*last);
    const auto is_its = [&](const lane_place& place) {
      const auto same = [](uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
      return same(place.block, its.block) && same(place.thread, its.thread);
    };
    if (std::any_of(to.places.begin(), to.places.end(), is_its)) return;
    const void* code = exits_.find(last->block, last->thread);
    for (const block_record& one : run_.blocks.all()) {
      if (code == nullptr && one.linear_block == last->block && last->thread < one.exits.size()) {
        code = one.exits[last->thread];
      }
    }
    if (code == nullptr) return;
    to.places.push_back(run_.exit_of(*last, code));
    to.cause = heddle_host::finding_cause::last_writer_exited;
  }

  // The lane reads no memory, so no other lane can end its loop.
  [[gnu::cold, gnu::noinline]] void end_at_blind_loop(const void* code) {
    finding what{heddle_host::finding_kind::livelock, cudaErrorLaunchTimeout, run_.kernel(),
                 heddle_host::finding_cause::endless_loop};
    what.places.push_back(heddle_host::place_of_running_lane(code, true));
    what.places.back().doing = activity::spinning;
    heddle_host::fail_launch(std::move(what));
  }

  run_state& run_;
  repetition repetition_;
  lane_exits exits_;  // of lanes of the running grid
  blind_lane blind_;
  unsigned comparisons_followed_ = 0;
  std::uint64_t happened_before_search_ = 0;
  unsigned units_until_look_ = 1;    // for progress
  std::uint64_t progress_seen_ = 0;  // at the last look
};

}  // namespace heddle_checker
