// Hears of all that a checked program does, and collects what is wrong with it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <heddle_host/arena.hpp>
#include <heddle_host/observer.hpp>

#include "aba.hpp"
#include "allocations.hpp"
#include "checker/race/access.hpp"
#include "checker/race/race_detector.hpp"
#include "collector.hpp"
#include "memory_state.hpp"
#include "other_memory.hpp"
#include "settings.hpp"
#include "standstill.hpp"
#include "stream_order.hpp"
#include "watched_blocks.hpp"

namespace heddle_checker {

// Rare paths get a copy of it, so that it can stay in registers on the usual one.
struct access {
  std::uintptr_t address;
  unsigned bytes;
  direction way;
  strength how;
  heddle_checker::scope reach;     // of accesses that are not plain
  heddle_checker::order ordering;  // of atomic ones
  const void* code;
};

// What is known of a block while it runs.
struct block_record {
  std::uint64_t linear_block = 0;
  bool is_watched = true;
  heddle_host::block_memory memory{};
  block_clock* clock = nullptr;
  std::vector<standstill::lane> lanes;  // that look at memory again and again
};

class checker final : public heddle_host::observer {
 public:
  explicit checker(settings how);

  // By lanes, for memory in the arena. The access happens when this returns. In lane_accesses.hpp.
  [[gnu::always_inline]] void lane_touches(const access& what);
  // By lanes, for memory elsewhere; and by the host.
  void lane_touches_other_memory(access what);
  void host_touches(access what);
  // An atomic operation of the running lane, just before it happens: what the location holds, and
  // what it will hold (the same: a load).
  void lane_changes(const access& what, std::uint64_t held, std::uint64_t next, bool compares) {
    if (what.way == direction::read || compares || aba_.somebody_watches()) {
      watch_change(what, held, next, compares);
    }
  }
  // The running lane has looked at a location, or changed it.
  void lane_looks(const access& what, bool changes) {
    if (changes) return standstill_.something_happens();
    lane_looks_in_vain(what);
  }
  // Volatile loads are not known to wait; so they do now and then.
  [[nodiscard]] bool lane_should_yield();
  // An atomic operation that the processor would refuse ends the grid.
  [[noreturn]] void end_at_misaligned_atomic(const access& what);

  // The heap of the device.
  void* lane_allocates(std::size_t bytes, const void* code);
  void lane_frees(void* pointer, const void* code);

  // Where the schedule may stop the running lane, before it looks at memory that others may see.
  [[gnu::always_inline]] void let_others_run(const void* code);
  // Outside the arena: a lane's own memory, the machine's, or the kernel's parameters.
  [[nodiscard]] bool is_private(std::uintptr_t address) const {
    return elsewhere_.is_of_thread(address) || other_memory::is_of_stack(address) ||
           parameters_.contains(address);
  }
  [[nodiscard]] bool is_variable(std::uintptr_t address) const {
    return elsewhere_.place_of(address) == memory_place::of_variable;
  }
  void index_leaves_array(const char* array, std::intptr_t index, const void* code);
  void pointer_is_misaligned(std::uintptr_t address, unsigned alignment, const void* code);
  [[nodiscard]] heddle_host::address_range arena() const { return arena_; }

  void hear(const heddle_host::finding& what) { collect(what); }  // of the machine's own
  void finish();                                                  // the program ends

  // observer
  void grid_begins(const heddle_host::launch_request& request) override;
  void grid_ends(const heddle_host::launch_request& request, cudaError_t) override;
  void warp_meets(uint3 block, unsigned warp, heddle_host::warp_operation, unsigned mask,
                  unsigned present) override;
  void threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) override;
  void barrier_has_places(const std::vector<heddle_host::lane_place>& places) override;
  void grid_meets() override;
  void cluster_meets(void* const* observed, unsigned blocks) override;
  void fence_runs(heddle_host::memory_scope scope) override;
  void* block_has_memory(const heddle_host::block_memory& memory) override;
  void block_ends(uint3 block) override;
  void memory_begins(const void* base, std::size_t bytes, heddle_host::memory_kind) override;
  void memory_ends(const void* base, std::size_t bytes, heddle_host::memory_kind) override;
  void bytes_arrive(void* to, const void* from, std::size_t bytes) override;
  std::uint64_t work_is_submitted() override;
  void work_begins(std::uint64_t submitted, std::uint64_t stream,
                   const heddle_host::work_point* before, std::size_t count) override;
  void work_ends(std::uint64_t stream, std::uint64_t number) override;
  void lane_begins(const heddle_host::lane_identity&) override { standstill_.something_happens(); }
  void lane_ends(const heddle_host::lane_identity&) override { standstill_.something_happens(); }
  void lane_yields(const heddle_host::lane_identity&) override;
  void lane_asks_for_time() override { standstill_.something_happens(); }
  void lane_reads_absent_lane(const heddle_host::lane_place& reader, bool has_exited) override;
  void active_lanes_are_parted(const heddle_host::lane_place& asking) override;
  void handle_begins(const void* handle, heddle_host::handle_kind) override;
  void handle_ends(const void* handle, heddle_host::handle_kind) override;
  void call_fails(const heddle_host::failed_call& what) override;
  void host_has_waited(std::uint64_t stream, std::uint64_t number) override;

 private:
  // Of a block that is not watched: it only changes what others see.
  void touch_unwatched(access what);
  // False: it must not happen.
  [[gnu::cold]] bool may_read_unreadable(access what);
  [[gnu::cold]] void report_bad_access(access what);
  [[gnu::cold]] void note_unwritten(access what);
  [[gnu::cold]] void report_aba(const access& what, const aba_watch::conviction& wrong);
  [[gnu::noinline]] void end_turn(const void* code);
  void watch_change(const access& what, std::uint64_t held, std::uint64_t next, bool compares);
  void lane_looks_in_vain(const access& what);
  void note_plain_load(access what);  // of a lane that may be about to compare and swap
  void describe(const access& what, heddle_host::finding& in);
  void note_unwritten_copy(std::uintptr_t from, std::size_t bytes);
  [[gnu::cold]] void judge_standstill(const void* code);
  [[gnu::cold]] void touch_foreign_memory(const access& what);
  [[nodiscard]] bool is_of_host(std::uintptr_t address);
  void add_launch(heddle_host::finding& to) const;
  void report_leaks();
  void collect(heddle_host::finding what);
  void hear_of_race(const race& what);
  void end_copy();
  void end_host_action();
  [[nodiscard]] heddle_host::lane_place place_of(const side& who) const;
  [[gnu::always_inline]] void touch(const access& what);  // races

  settings how_;
  heddle_host::address_range arena_;
  memory_state memory_;
  allocations allocations_;
  collector found_;
  [[nodiscard]] std::uint64_t running_lane() const;
  aba_watch aba_;
  other_memory elsewhere_;
  race_detector races_;
  // The grids of the program, by what the race detector calls them.
  struct grid_record {
    std::string kernel;
    dim3 grid, block;
  };
  std::map<agent, grid_record> grids_;
  agent running_ = 0;
  stream_order order_;
  std::vector<agent> known_to_work_;  // to what a stream does now, or will do next
  std::optional<agent> done_by_;      // who has done it last
  block_clock* copying_ = nullptr;    // the copy that a stream does now
  block_clock* host_ = nullptr;       // the host's accesses between two calls
  const heddle_host::launch_request* grid_ = nullptr;
  heddle_host::address_range parameters_{0, 0};  // of its kernel
  watched_blocks watched_;
  std::deque<block_record> blocks_;
  std::vector<block_record*> idle_blocks_;
  standstill standstill_;
  std::map<std::uintptr_t, std::size_t> registered_;  // memory of the host that lanes may touch
  std::set<const void*> known_foreign_;               // code that touches memory of others
  struct handle_record {
    heddle_host::handle_kind kind;
    std::vector<const void*> made, ended;
  };
  std::map<const void*, handle_record> handles_;
  const bool is_scheduled_;           // else lanes take turns as the machine likes it
  bool has_failed_ = false;           // a kernel: no call works any more, not even to free
  std::uint64_t digest_ = 0;          // of all that lanes have touched, in order
  unsigned accesses_until_turn_ = 1;  // of others, where no schedule says when
};

// Null until the checker is there: static objects of the program may come before it.
extern checker* checker_in_force;

}  // namespace heddle_checker
