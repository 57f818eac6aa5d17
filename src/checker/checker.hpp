// Hears of all that a checked program does, and collects what is wrong with it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <heddle_host/arena.hpp>
#include <heddle_host/checked_part.hpp>
#include <heddle_host/declared.hpp>
#include <heddle_host/observer.hpp>
#include <heddle_host/schedule.hpp>

#include "checker/collector.hpp"
#include "checker/coverage.hpp"
#include "checker/explore/explored_order.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/hooks/thread_hooks.hpp"
#include "checker/memory/aba.hpp"
#include "checker/memory/allocations.hpp"
#include "checker/memory/async_copies.hpp"
#include "checker/memory/local_arrays.hpp"
#include "checker/memory/managed_variables.hpp"
#include "checker/memory/memory_state.hpp"
#include "checker/memory/other_memory.hpp"
#include "checker/progress/lane_exits.hpp"
#include "checker/progress/repetition.hpp"
#include "checker/progress/standstill.hpp"
#include "checker/race/access.hpp"
#include "checker/race/race_detector.hpp"
#include "checker/schedule/sampled_launches.hpp"
#include "checker/schedule/turnstile.hpp"
#include "checker/schedule/watched_blocks.hpp"
#include "checker/settings.hpp"
#include "checker/streams/host_errands.hpp"
#include "checker/streams/stream_order.hpp"
#include "checker/undefined/host_values.hpp"
#include "checker/undefined/origins.hpp"
#include "checker/undefined/value_probe.hpp"
#include "checker/weak/foresight.hpp"
#include "checker/weak/lent_value.hpp"
#include "checker/weak/replaced_values.hpp"

namespace heddle_checker {

// So often a lane touches memory before another one goes on. Few enough that what the lanes of a
// block touch together, with all that is remembered of it, stays in the processor's caches.
inline constexpr unsigned accesses_per_turn = 64;

// Rare paths get a copy of it, so that it can stay in registers on the usual one.
struct access {
  std::uintptr_t address;
  unsigned bytes;
  direction way;
  strength how;
  heddle_checker::scope reach;     // of accesses that are not plain
  heddle_checker::order ordering;  // of atomic ones
  const void* code;
  late_value* late = nullptr;  // of those that are not plain, where loads may be late

  [[nodiscard]] bool may_order_memory() const {
    return how == strength::atomic || how == strength::relaxed_volatile;
  }
};

// What is known of a block while it runs.
struct block_record {
  std::uint64_t linear_block = 0;
  bool is_watched = true;
  heddle_host::block_memory memory{};
  block_clock* clock = nullptr;
  std::vector<standstill::lane> lanes;      // that look at memory again and again
  std::vector<repetition::lane> repeating;  // what they do while that is searched for
  exits_of_block exits;
  std::map<unsigned, copies_of_lane> copies;
  std::map<unsigned, knowledge> handed_over;  // by those who passed a named barrier

  [[nodiscard]] bool has_shared(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(memory.shared) < memory.shared_bytes ||
           address - reinterpret_cast<std::uintptr_t>(memory.dynamic_shared) <
               memory.dynamic_shared_bytes;
  }
};

class checker final : public heddle_host::observer, public heddle_host::part_checker {
 public:
  explicit checker(settings how);

  // By lanes, for memory in the arena. The access happens when this returns. In lane_accesses.hpp.
  [[gnu::always_inline]] void lane_touches(const access& what);
  // A plain access of which nothing more is to be said than the race detector's books have room
  // for. Most are, and this needs no call and no stack. False: nothing has been done.
  [[gnu::always_inline]] bool lane_touches_quickly(std::uintptr_t address, unsigned bytes,
                                                   direction way, const void* code);
  // By __ldg, before the load itself is told of.
  void lane_loads_read_only(const access& what);
  // A volatile load that has been followed, just before it happens.
  void lane_loads_unfenced(const access& what);
  // By lanes, for memory elsewhere; and by the host.
  void lane_touches_other_memory(access what);
  void host_touches(access what);
  // An atomic operation of the running lane, just before it happens: what the location holds, and
  // what it will hold (the same: a load).
  void lane_changes(const access& what, std::uint64_t held, std::uint64_t next, bool compares) {
    if (held == next || compares || aba_.somebody_watches()) {
      watch_change(what, held, next, compares);
    }
  }
  // The running lane has looked at a location, or changed it.
  void lane_looks(const access& what, bool changes) {
    if (changes) return standstill_.something_happens();
    lane_looks_in_vain(what);
  }
  // The running lane has compared so often that others may have their turn, or each comparison is
  // looked at.
  void lane_compares(std::uint64_t one, std::uint64_t other, const void* code);
  // What the running lane's registers and stack hold at a moment between two such calls.
  void see_lane(std::uint64_t state, const void* code);
  // Volatile loads are not known to wait; so they do now and then.
  [[nodiscard]] bool lane_should_yield();
  // An atomic operation that the processor would refuse ends the grid.
  [[noreturn]] void end_at_misaligned_atomic(const access& what);

  // The heap of the device.
  void* lane_allocates(std::size_t bytes, const void* code);
  void lane_frees(void* pointer, const void* code);

  // Where the schedule may stop the running lane, before it looks at memory that others may see.
  [[gnu::always_inline]] void let_others_run(const access& what);
  // The same, told in parts. `looks`: it will change nothing as things are;
  // `is_strong`: it is not a plain one.
  [[gnu::always_inline]] void let_others_come(std::uintptr_t address, unsigned bytes, bool looks,
                                              bool is_strong, const void* code);
  [[nodiscard]] bool is_seen_by_others(std::uintptr_t address) const {
    return arena_.contains(address) || is_variable(address);
  }
  // Outside the arena: a lane's own memory, the machine's, or the kernel's parameters.
  [[nodiscard]] bool is_private(std::uintptr_t address) const {
    // Local arrays may lie just beside a stack.
    return !locals_.contains(address) &&
           (elsewhere_.is_of_thread(address) || other_memory::is_of_stack(address) ||
            parameters_.contains(address));
  }
  [[nodiscard]] bool is_variable(std::uintptr_t address) const {
    return !locals_.contains(address) && elsewhere_.place_of(address) == memory_place::of_variable;
  }
  // The running lane makes an access; and changes memory by an atomic one.
  [[gnu::always_inline]] void follow_step(const access& what) {
    if (__builtin_expect(explored_ != nullptr, 0)) {
      explored_->lane_touches(what.address, what.way != direction::read,
                              what.way != direction::read && what.how != strength::atomic);
    }
  }
  void step_changes(const access& what) {
    if (explored_ != nullptr) explored_->lane_touches(what.address, true, true);
  }
  [[nodiscard]] bool explores() const { return explored_ != nullptr; }
  void index_leaves_array(const char* array, std::intptr_t index, const void* code);
  void pointer_is_misaligned(std::uintptr_t address, unsigned alignment, direction way,
                             const void* code);
  [[nodiscard]] heddle_host::address_range arena() const { return arena_; }
  [[nodiscard]] bool watches_host_at(std::uintptr_t address) const {
    return arena_.contains(address) || managed_.hold(address);
  }
  [[nodiscard]] bool may_be_undefined_on_host(std::uintptr_t address) const {
    return host_values_.may_hold(address);
  }
  void host_uses_undefined(access what);
  void host_copies(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
  // The text that the running lane prints.
  void lane_prints(const char* text, std::size_t bytes);
  // In a copy of the process that only tries something out.
  [[nodiscard]] value_probe& probe() { return probe_; }
  // Who runs a grid is inside. Where all interleavings are tried the host has one thread only, and
  // processes that are its copies could wait for others for ever.
  [[nodiscard]] turnstile& door() { return door_; }
  [[nodiscard]] turnstile* door_for_host() { return explores() ? nullptr : &door_; }
  // Where a kernel and threads of the host may agree on something: in the atomic operations of its
  // lanes, before each, if there is such a thread; and in those of the host.
  [[nodiscard]] bool host_may_come() const {
    return door_.is_wanted() || (threads_in_force->has_choice() && !explores());
  }
  void let_host_come();
  void host_looks();
  void add_managed(std::uintptr_t begin, std::size_t bytes) { managed_.add(begin, bytes); }

  // The running lane loads this value next, although memory holds another one.
  void lend(std::uintptr_t address, unsigned bytes, std::uint64_t value) {
    lent_.lend(address, bytes, value);
  }
  void lane_fences(heddle_host::memory_scope whom, order ordering);
  void lane_returns(const void* code);

  // Local arrays of the running lane.
  void* local_array_begins(std::size_t bytes, const char* name,
                           heddle_host::declaration_place where);
  void local_array_ends(const void* place) { locals_.end(place); }
  // A variable of the device in static storage.
  void variable_is_declared(const heddle_host::variable_declaration& what);

  void hear(heddle_host::finding what);  // of the machine's own
  void finish();                         // the program ends
  // All interleavings, or the one of the settings.
  heddle_host::schedule* explore();

  void begin_part(const heddle_host::part_settings& wanted) override;
  heddle_host::checked_part end_part() override;

  // observer
  void grid_begins(const heddle_host::launch_request& request) override;
  void grid_ends(const heddle_host::launch_request& request, cudaError_t) override;
  void warp_meets(uint3 block, unsigned warp, heddle_host::warp_operation, unsigned mask,
                  unsigned present) override;
  void threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) override;
  void lane_passes_barrier(unsigned barrier) override;
  void passed_barrier_is_complete(unsigned barrier, const std::uint32_t* lanes_of_warp) override;
  void meeting_lacks_thread(const std::vector<heddle_host::lane_place>& present,
                            heddle_host::lane_place absent, unsigned thread,
                            bool makes_group) override;
  void barrier_has_places(const std::vector<heddle_host::lane_place>& places) override;
  void grid_meets() override;
  bool have_lanes_only_polled() override { return standstill_.has_seen_looks_alone(); }
  void cluster_begins(void* const* observed, unsigned blocks) override;
  void cluster_meets(void* const* observed, unsigned blocks) override;
  void fence_runs(heddle_host::memory_scope scope, const void* code) override;
  void lane_copies(const heddle_host::lane_copy& what) override;
  void copy_needs_alignment(const heddle_host::lane_copy& what, std::size_t alignment) override;
  void copies_are_committed(heddle_host::copy_queue which) override;
  void copies_are_awaited(heddle_host::copy_queue which, std::size_t all_but,
                          bool reads_only) override;
  void barrier_takes_copies(const void* barrier) override;
  void phase_ends(const void* barrier) override;
  void phase_is_awaited(const void* barrier) override;
  void* block_has_memory(const heddle_host::block_memory& memory) override;
  void block_ends(uint3 block) override;
  void memory_begins(const void* base, std::size_t bytes, heddle_host::memory_kind) override;
  void memory_ends(const void* base, std::size_t bytes, heddle_host::memory_kind) override;
  void bytes_arrive(void* to, const void* from, std::size_t bytes) override;
  std::uint64_t work_is_submitted() override;
  void work_begins(std::uint64_t submitted, std::uint64_t stream,
                   const heddle_host::work_point* before, std::size_t count) override;
  void work_ends(std::uint64_t stream, std::uint64_t number) override;
  void lane_begins(const heddle_host::lane_identity&) override { somebody_goes_on(); }
  void lane_ends(const heddle_host::lane_identity&) override { somebody_goes_on(); }
  void lane_yields(const heddle_host::lane_identity&) override;
  void lane_asks_for_time() override { somebody_goes_on(); }
  void lane_reads_absent_lane(const heddle_host::lane_place& reader, unsigned absent,
                              bool has_exited) override;
  void active_lanes_are_parted(const heddle_host::lane_place& asking) override;
  void handle_begins(const void* handle, heddle_host::handle_kind) override;
  void handle_ends(const void* handle, heddle_host::handle_kind) override;
  void call_fails(const heddle_host::failed_call& what) override;
  void host_has_waited(std::uint64_t stream, std::uint64_t number) override;
  void host_call_begins() override;
  void host_call_ends() override;
  void host_is_to_wait() override;

 private:
  static std::vector<block_clock*> clocks_of(void* const* observed, unsigned blocks);
  // Of a block that is not watched: it only changes what others see.
  void touch_unwatched(access what);
  // False: it must not happen.
  [[gnu::cold]] bool may_read_unreadable(access what);
  void lane_touches_local_array(const access& what);
  [[gnu::cold]] void report_local_array(const access& what, local_verdict verdict);
  static allocation allocation_of(const local_array& one);
  [[gnu::cold]] void name_left_array(access what);
  [[gnu::cold]] void report_bad_access(access what);
  // Things that are seldom of interest, at each access while they are.
  [[gnu::cold]] void look_closely(access what);
  [[gnu::cold]] void lane_loads_unwritten(const access& what);
  [[nodiscard]] bool is_unwritten(std::uintptr_t byte, const access& of) const;
  [[nodiscard]] heddle_host::finding unwritten_load(const access& what);
  void judge_undefined_values(cudaError_t how);
  void host_gets_unwritten(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
  [[gnu::cold]] void report_aba(const access& what, const aba_watch::conviction& wrong);
  [[gnu::noinline]] void end_turn(std::uintptr_t address, unsigned bytes, bool looks,
                                  bool is_strong, const void* code);
  void stop_if_scheduled(std::uintptr_t address, unsigned bytes, bool looks, bool is_strong,
                         const void* code);
  void count_accesses();
  [[nodiscard]] unsigned accesses_until_asked() const;
  void watch_change(access what, std::uint64_t held, std::uint64_t next, bool compares);
  void lane_looks_in_vain(access what);
  void note_plain_load(access what);  // of a lane that may be about to compare and swap
  void describe(const access& what, heddle_host::finding& in);
  [[nodiscard]] bool is_copied_with_care(std::uintptr_t address) const;
  void copy_touches(std::uintptr_t address, std::size_t bytes, direction way,
                    heddle_host::activity what);
  [[gnu::cold]] void report_bad_copy(std::uintptr_t address, std::size_t bytes, const errand& by);
  static heddle_host::memory_spot spot_in(const allocation& memory, const access& what);
  void free_in_stream(std::uintptr_t base, std::size_t bytes);
  void hear_of_use_beside_free(const race& what);
  void note_access_of_host(const access& what);
  [[gnu::cold]] void copy_is_misaligned(const heddle_host::lane_copy& what, copy_part part,
                                        std::size_t alignment);
  [[gnu::cold]] void suspect_standstill(const void* code);
  [[gnu::cold]] void judge_standstill(const void* code);
  // Lanes that are slow, and lanes that will never end. In endless_lanes.cpp.
  void somebody_goes_on() {
    standstill_.something_happens();
    repetition_.give_up();
  }
  void lane_works(unsigned units);
  void search_repetition();
  void begin_turn(unsigned accesses) { accesses_of_turn_ = accesses_until_turn_ = accesses; }
  [[gnu::noinline]] void follow_access(std::uintptr_t address, unsigned bytes, bool is_strong,
                                       const void* code);
  void follow_deed(std::uint64_t what, std::uintptr_t address, const void* code);
  void follow_meeting(unsigned warp, std::uint32_t lanes);
  [[nodiscard]] bool may_go_on(const block_record& block, unsigned thread, bool is_waiting) const;
  // A lane that looks at nothing will not be helped by others.
  [[gnu::cold]] void end_at_blind_loop(const void* code);
  [[gnu::cold]] void touch_foreign_memory(const access& what);
  [[nodiscard]] bool is_constant(std::uintptr_t address) const;
  [[gnu::cold]] void report_store_to_constant(const access& what);
  bool leaves_registered(const access& what);
  [[nodiscard]] bool is_of_host(std::uintptr_t address);
  void add_launch_of(agent grid, heddle_host::finding& to) const;
  void add_exit(const side& who, const void* code, heddle_host::finding& to) const;
  void add_exit_of_last_writer(std::uintptr_t address, heddle_host::finding& to);
  void report_leaks();
  void tell_new_findings();
  [[nodiscard]] coverage covered() const;
  void collect(heddle_host::finding what);
  void hear_of_race(const race& what);
  block_clock& work_at_hand();
  void end_work_at_hand();
  void end_host_action();
  [[nodiscard]] heddle_host::lane_place place_of(const side& who) const;
  [[nodiscard]] heddle_host::lane_place place_on_host(const side& who) const;
  [[nodiscard]] static heddle_host::lane_place place_of(const errand& what);
  [[gnu::always_inline]] void touch(const access& what);  // races
  void touch_weakly(access what);
  void prepare_late_value(const access& what);
  void run_as(settings how);
  void decide_over_threads();

  turnstile door_;
  settings how_;
  std::unique_ptr<heddle_host::schedule> order_of_lanes_;  // null: converged
  bool is_scheduled_ = false;                              // there is a schedule that decides
  bool asks_only_at_strong_ = false;                       // and this is where
  bool is_weak_ = false;                                   // loads may be late or early
  std::unique_ptr<explored_order> explored_;               // null: another schedule
  std::unique_ptr<explorer> explorer_;                     // null: it is to be replayed
  heddle_host::address_range arena_;
  memory_state memory_;
  allocations allocations_;
  local_arrays locals_;
  collector found_;
  std::mutex finding_;    // held while they are added or told
  std::size_t told_ = 0;  // of them, to `heddle check`
  [[nodiscard]] std::uint64_t running_lane() const;
  aba_watch aba_;
  other_memory elsewhere_;
  race_detector races_;
  copies_of_barriers barrier_copies_;
  // The grids of the program, by what the race detector calls them.
  struct grid_record {
    std::string kernel;
    dim3 grid, block;
    const errand* launch;
  };
  std::map<agent, grid_record> grids_;
  agent running_ = 0;
  stream_order order_;
  lent_value lent_;
  foresight foresight_;
  std::set<agent> works_;  // copies, fills and host functions that have touched memory
  struct submission {
    std::uint64_t moment;
    const call_chain* calls;
  };
  std::vector<submission> submissions_;
  host_errands errands_;
  // By whose calls this thread does the work of a stream; null: it does none.
  static thread_local const call_chain* asked_by_;
  struct work_in_hand {
    std::vector<agent> known;        // to what it does, or will do next
    std::optional<agent> done_by;    // who has done it last
    block_clock* running = nullptr;  // the copy, fill or host function that it does now
  };
  static work_in_hand& work_of_thread();
  bool is_freeing_ = false;
  block_clock* host_ = nullptr;  // the host's accesses between two calls
  const heddle_host::launch_request* grid_ = nullptr;
  heddle_host::address_range parameters_{0, 0};  // of its kernel
  unsigned atomics_until_host_ = 0;  // of lanes, until threads of the host go on for a while
  unsigned atomics_per_visit_ = 0;
  watched_blocks watched_;
  sampled_launches samples_;
  std::uint64_t accesses_before_grid_ = 0;
  coverage covered_;
  std::deque<block_record> blocks_;
  std::vector<block_record*> idle_blocks_;
  managed_variables managed_;
  lane_exits exits_;
  standstill standstill_;
  repetition repetition_;
  // A lane that was seen again and again, and has done nothing meanwhile that is told here.
  struct blind_lane {
    std::uint64_t deeds = 0;
    unsigned times = 0;  // in a state in which it has been before
    std::size_t next = 0;
    std::array<std::uint64_t, 64> states{};
  };
  blind_lane blind_;
  unsigned accesses_followed_ = 0;
  unsigned comparisons_followed_ = 0;
  std::uint64_t happened_before_search_ = 0;
  unsigned units_until_look_ = 1;    // at whether anything has happened
  std::uint64_t progress_seen_ = 0;  // when that was done last
  // An index that has just left its array: the accesses that follow show which array it was.
  struct left_index {
    unsigned accesses_to_look_at = 0;
    void* block = nullptr;
    unsigned thread = 0;
    array_index how;
    heddle_host::finding told{};
  };
  left_index left_index_;
  std::set<const void*> code_of_left_arrays_;  // for which that has been done
  std::set<std::uintptr_t> ended_shared_;      // of blocks of a cluster, in the grid that runs
  std::map<std::uintptr_t, std::size_t> registered_;  // memory of the host that lanes may touch
  std::map<std::uintptr_t, std::size_t> symbols_;     // variables that the host copies to or from
  std::vector<heddle_host::address_range> constants_;
  std::set<const void*> known_foreign_;  // code that touches memory of others
  struct handle_record {
    heddle_host::handle_kind kind;
    std::vector<const void*> made, ended;
  };
  std::map<const void*, handle_record> handles_;
  bool has_failed_ = false;  // a kernel: no call works any more, not even to free
  value_probe probe_;
  replaced_values replaced_;
  origins origins_;          // of undefined values that were copied
  host_values host_values_;  // undefined ones that were copied to the host
  bool looks_closely_ = false;
  // What belongs to the program as a whole, while a part of it is checked for itself.
  struct whole_program {
    settings how;
    collector found;
    std::set<const void*> known_foreign;
    bool has_failed;
    std::set<const void*> kept;
  };
  std::optional<whole_program> around_part_;
  std::set<const void*> kept_;  // memory and handles that nobody needs to give back any more
  // Where no schedule says when others take their turn. The first one is short: what lanes do first
  // is what others may miss.
  unsigned accesses_of_turn_ = 1;
  unsigned accesses_until_turn_ = 1;
};

// So many atomic operations do lanes make before threads of the host go on, at first; if these find
// nothing to do, twice as many, and so on.
inline constexpr unsigned first_atomics_per_visit = 16;
inline constexpr unsigned most_atomics_per_visit = 4096;

// So many comparisons does a lane make before another one goes on; fewer are left of its turn.
inline constexpr unsigned comparisons_per_turn = 4096;
extern __thread unsigned comparisons_left;

// Reserved for the whole run.
heddle_host::address_range range_for_local_arrays();

// Null until the checker is there: static objects of the program may come before it.
extern checker* checker_in_force;

}  // namespace heddle_checker
