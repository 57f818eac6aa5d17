// The observer of a checked run, which passes events and accesses on to the checks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include <heddle_host/checked_part.hpp>
#include <heddle_host/declared.hpp>
#include <heddle_host/observer.hpp>
#include <heddle_host/schedule.hpp>

#include "checker/access.hpp"
#include "checker/check_list.hpp"
#include "checker/run_state.hpp"
#include "checker/schedule/lane_turns.hpp"

namespace heddle_checker {

class checker final : public heddle_host::observer, public heddle_host::part_checker {
 public:
  explicit checker(settings how);

  // For hooks that concern a single check.
  [[nodiscard]] run_state& run() { return run_; }
  [[nodiscard]] check_list& checks() { return checks_; }
  [[nodiscard]] lane_turns& turns() { return turns_; }

  // Accesses are handled in lane_accesses.hpp and accesses.cpp.
  // A lane accesses the arena; the access happens when this returns.
  [[gnu::always_inline]] void lane_touches(const access& what);
  // Handles a plain access that needs only a look at the shadow memory, as most do, without a call
  // or a stack frame. False: nothing has been done.
  [[gnu::always_inline]] bool lane_touches_quickly(std::uintptr_t address, unsigned bytes,
                                                   direction way, const void* code);
  // A lane accesses memory outside the arena; the host accesses memory.
  void lane_touches_other_memory(access what);
  void host_touches(access what);
  [[nodiscard]] bool watches_host_at(std::uintptr_t address) const {
    return run_.memory.arena.contains(address) || run_.memory.managed.hold(address);
  }
  // The running lane has polled a location or changed it.
  void lane_polls_or_changes(const access& what, bool changes) {
    if (changes) return run_.progress.something_happens();
    checks_.stalls.lane_polls(what);
  }
  // For the exploration: the running lane makes an access; an atomic access changes memory.
  [[gnu::always_inline]] void follow_step(const access& what) {
    if (__builtin_expect(run_.explores(), 0)) {
      run_.order.explored->lane_touches(
          what.address, what.way != direction::read,
          what.way != direction::read && what.how != strength::atomic);
    }
  }
  void step_changes(const access& what) {
    if (run_.explores()) run_.order.explored->lane_touches(what.address, true, true);
  }
  void lane_returns(const void* code);

  // Local arrays of the running lane, and device variables with static storage.
  void* local_array_begins(std::size_t bytes, const char* name,
                           heddle_host::declaration_place where);
  void variable_is_declared(const heddle_host::variable_declaration& what);

  void hear(heddle_host::finding what);  // from the runtime
  void finish();                         // when the program exits

  void begin_part(const heddle_host::part_settings& wanted) override;
  heddle_host::checked_part end_part() override;

  // observer
  void grid_begins(const heddle_host::launch_request& request) override;
  void grid_ends(const heddle_host::launch_request& request, cudaError_t how) override;
  void* block_has_memory(const heddle_host::block_memory& memory) override;
  void block_ends(uint3 block) override;
  void cluster_begins(void* const* observed, unsigned blocks) override;
  void lane_begins(const heddle_host::lane_identity& who) override;
  void lane_ends(const heddle_host::lane_identity& who) override;
  void lane_is_sampled(std::uint64_t state, const void* code) override;
  void lane_yields(const heddle_host::lane_identity& who) override;
  void lane_asks_for_time() override;
  bool have_lanes_only_polled() override { return checks_.stalls.have_lanes_only_polled(); }
  void warp_meets(uint3 block, unsigned warp, heddle_host::warp_operation what, unsigned mask,
                  unsigned present) override;
  void threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) override;
  void lane_passes_barrier(unsigned barrier) override;
  void passed_barrier_is_complete(unsigned barrier, const std::uint32_t* lanes_of_warp) override;
  void meeting_lacks_thread(const std::vector<heddle_host::lane_place>& present,
                            heddle_host::lane_place absent, unsigned thread,
                            bool makes_group) override;
  void barrier_has_places(const std::vector<heddle_host::lane_place>& places) override;
  void grid_meets() override;
  void cluster_meets(void* const* observed, unsigned blocks) override;
  void fence_runs(heddle_host::memory_scope scope, const void* code) override;
  void lane_reads_absent_lane(const heddle_host::lane_place& reader, unsigned absent,
                              bool has_exited) override;
  void lane_shifts_all_bits(int distance, unsigned width, const void* code) override;
  void active_lanes_are_parted(const heddle_host::lane_place& asking) override;
  void lane_copies(const heddle_host::lane_copy& what) override;
  void copy_needs_alignment(const heddle_host::lane_copy& what, std::size_t alignment) override;
  void copies_are_committed(heddle_host::copy_queue which) override;
  void copies_are_awaited(heddle_host::copy_queue which, std::size_t all_but,
                          bool reads_only) override;
  void barrier_takes_copies(const void* barrier) override;
  void phase_ends(const void* barrier) override;
  void phase_is_awaited(const void* barrier) override;
  void memory_begins(const void* base, std::size_t bytes, heddle_host::memory_kind kind) override;
  void memory_ends(const void* base, std::size_t bytes, heddle_host::memory_kind kind) override;
  void bytes_arrive(void* to, const void* from, std::size_t bytes) override;
  void handle_begins(const void* handle, heddle_host::handle_kind kind) override;
  void handle_ends(const void* handle, heddle_host::handle_kind kind) override;
  void call_fails(const heddle_host::failed_call& what) override;
  std::uint64_t work_is_submitted() override;
  void work_begins(std::uint64_t submitted, std::uint64_t stream,
                   const heddle_host::work_point* before, std::size_t count) override;
  void work_ends(std::uint64_t stream, std::uint64_t number) override;
  void host_has_waited(std::uint64_t stream, std::uint64_t number) override;
  void child_is_launched(std::uint64_t child, const void* code) override;
  void child_begins(std::uint64_t child, const std::uint64_t* before, std::size_t count) override;
  void child_ends(std::uint64_t child) override;
  void children_are_done(const std::uint64_t* children, std::size_t count) override;
  void host_call_begins() override;
  void host_call_ends() override;
  void host_is_to_wait() override;

 private:
  // State of the whole program, saved while a part of it is checked separately.
  struct whole_program {
    settings how;
    collector found;
    std::set<const void*> known_foreign;
    bool has_failed;
  };

  void run_as(settings how);
  heddle_host::schedule* explore();
  void report_new_findings();
  void begin_shared_memory(const heddle_host::block_memory& memory);
  void end_shared_memory(const heddle_host::block_memory& memory);
  void touch_unwatched(access what);  // in a block that is not watched
  // False: the access must not happen.
  [[gnu::cold]] bool may_read_unreadable(access what);
  [[gnu::cold]] void look_closely(access what);
  void lane_touches_local_array(const access& what);
  [[gnu::always_inline]] void touch(const access& what);  // checks for races

  run_state run_;
  check_list checks_;
  lane_turns turns_;
  std::set<std::uintptr_t> ended_shared_;  // of exited blocks whose cluster still runs
  std::optional<whole_program> around_part_;
};

// Null until the checker exists: static objects of the program may be constructed earlier.
extern checker* checker_in_force;

}  // namespace heddle_checker
