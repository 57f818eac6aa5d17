// Passes the events of a run on to the checks.
#include "checker/checker.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <heddle_host/ran_code.hpp>
#include <heddle_host/schedule.hpp>
#include <heddle_host/shared_declarations.hpp>

#include "checker/checker_section.hpp"
#include "checker/hooks/program_clock.hpp"
#include "checker/memory/poisons.hpp"
#include "checker/places.hpp"
#include "checker/progress/run_progress.hpp"
#include "checker/run_reporter.hpp"
#include "checker/schedule/freezing_order.hpp"
#include "checker/schedule/schedules.hpp"

namespace heddle_checker {

using heddle_host::memory_kind;

namespace {

// Returns `a_b` from the mangled name of a struct that the frontend named heddle_shared_0_a_b.
std::string names_in(std::string_view slot_type) {
  constexpr std::string_view mark = "heddle_shared_";
  const std::size_t found = slot_type.find(mark);
  if (found == slot_type.npos) return {};
  // The name is preceded by its length.
  std::size_t digits = found;
  while (digits > 0 && slot_type[digits - 1] >= '0' && slot_type[digits - 1] <= '9') --digits;
  // An unnamed namespace may precede the length, and its own name ends with a digit.
  if (slot_type.substr(0, digits + 1).ends_with("_GLOBAL__N_1")) ++digits;
  const std::size_t length =
      std::strtoul(std::string(slot_type.substr(digits)).c_str(), nullptr, 10);
  const std::string_view name = slot_type.substr(found, length);
  const std::size_t after_number = name.find('_', mark.size());
  return after_number == name.npos ? std::string() : std::string(name.substr(after_number + 1));
}

run_progress shown_progress;

// Forked copies of the process only try something out, so they report no progress.
bool reports_progress(const run_state& run) { return !run.explores() && !run.probe.is_rerun(); }

}  // namespace

checker::checker(settings how)
    : run_(how, [this](const race& what) { checks_.races.report(what); }),
      checks_(run_),
      turns_(run_, checks_.stalls) {
  if (how.slows_clocks) slow_clocks_down();
  run_as(std::move(how));
}

void checker::run_as(settings how) {
  const bool explores = how.schedule == "exhaustive";
  std::unique_ptr<heddle_host::schedule> chosen;
  if (how.schedule == "freeze") {
    chosen = std::make_unique<freezing_order>(how.seed);
  } else if (!explores) {
    chosen = make_schedule(how.schedule, how.seed, how.parts_active_lanes);
  }
  run_.how = std::move(how);
  checks_.host.decide_by_schedule();
  heddle_host::run_in_order_of(explores ? explore() : chosen.get());
  lane_order& order = run_.order;
  order.schedule = std::move(chosen);
  order.is_scheduled = heddle_host::current_schedule() != nullptr;
  order.is_weak = run_.how.schedule == "weak";
  order.asks_only_at_strong =
      order.schedule != nullptr && !order.is_weak && order.schedule->asks_only_at_strong();
  run_.races.let_loads_be_late(order.is_weak ? make_store_choice(run_.how.seed) : nullptr);
  run_.weak.promises = {};
  run_.probe = {};
  if (order.is_weak && run_.how.seed % 2 == 0) run_.weak.promises.allow(run_.how.seed);
  checks_.samples.choose_by_settings();
  heddle_host::set_poison(first_poison);
}

heddle_host::schedule* checker::explore() {
  exploration_area& area = make_exploration_area();
  lane_order& order = run_.order;
  const bool replays = !run_.how.turns.empty();
  order.explored = std::make_unique<explored_order>(
      area, replays ? read_interleaving(run_.how.turns) : interleaving());
  if (!replays) {
    order.exploring = std::make_unique<explorer>(run_.how, area, *order.explored);
    order.explored->before_first_grid([this] { run_.order.exploring->run(); });
  }
  return order.explored.get();
}

void checker::hear(heddle_host::finding what) {
  // If the runtime rejects a call in a kernel, the finding also names the launch.
  if (what.kind == heddle_host::finding_kind::api_error) {
    run_.where.add_launch_of(run_.running, what);
  }
  run_.collect(std::move(what));
}

void checker::report_new_findings() {
  if (run_.how.findings_file.empty() || around_part_ || run_.explores()) return;
  run_.found.see_new([&](const auto& all, std::size_t first) {
    run_reporter::instance().report_new(all, first, run_.how.findings_file);
  });
}

void checker::finish() {
  checks_.leaks.report();
  run_.found.see_all([&](const auto& all) {
    explorer* const exploring = run_.order.exploring.get();
    if (exploring != nullptr && exploring->runs_interleaving()) {
      return exploring->finish_interleaving(all);
    }
    run_reporter::instance().report_run({all, run_.how, checks_.samples.covered(),
                                         run_.races.has_released(), heddle_host::kept_ran_code()});
  });
}

// Grids and blocks.

void checker::grid_begins(const heddle_host::launch_request& request) {
  if (!run_.explores()) run_.mutex.lock();
  threads_in_force->runs_kernel(true);
  run_.grid = &request;
  run_.memory.parameters = {number(request.closure.get()), request.kernel->closure_bytes};
  run_.running = checks_.streams.begin_grid();
  run_.where.add_grid(run_.running, request);
  checks_.for_each([&](auto& check) { check.grid_begins(request); });
  turns_.restart();
  if (reports_progress(run_)) {
    shown_progress.grid_begins(request.kernel->signature,
                               std::uint64_t{request.grid.x} * request.grid.y * request.grid.z,
                               run_.how.findings_file);
  }
}

void checker::grid_ends(const heddle_host::launch_request& request, cudaError_t how) {
  run_.has_failed = run_.has_failed || how != cudaSuccess;
  checks_.for_each([&](auto& check) { check.grid_ends(request, how); });
  run_.races.end_grid(run_.running);
  checks_.streams.grid_is_done();
  run_.grid = nullptr;
  run_.memory.locals.end_all();
  for (const std::uintptr_t begin : ended_shared_) run_.memory.allocated.remove(begin);
  ended_shared_.clear();
  report_new_findings();
  threads_in_force->runs_kernel(false);
  if (!run_.explores()) run_.mutex.unlock();
}

void* checker::block_has_memory(const heddle_host::block_memory& memory) {
  block_record& mine = run_.blocks.begin();
  mine.linear_block = memory.linear_block;
  mine.is_watched = checks_.samples.watches(memory.linear_block);
  mine.memory = memory;
  mine.lanes.assign(memory.threads, {});
  comparisons_left = comparisons_per_turn;
  mine.exits.assign(memory.threads, nullptr);
  mine.copies.clear();
  mine.released_to_barrier.clear();
  begin_shared_memory(memory);
  mine.clock = run_.races.begin_block(run_.running, memory.linear_block, memory.threads,
                                      number(memory.shared), memory.shared_bytes);
  run_.races.forget(number(memory.dynamic_shared), memory.dynamic_shared_bytes);
  checks_.for_each([&](auto& check) { check.block_has_memory(memory); });
  return &mine;
}

void checker::begin_shared_memory(const heddle_host::block_memory& memory) {
  const auto add = [&](unsigned char* base, std::size_t bytes, allocation shared) {
    if (bytes == 0) return;
    run_.memory.state.begin(number(base), bytes);
    shared.begin = number(base);
    shared.bytes = bytes;
    shared.is_shared_memory = true;
    run_.memory.allocated.add(std::move(shared));
  };
  for (const heddle_host::shared_declaration& one : heddle_host::shared_declarations()) {
    allocation declared;
    declared.name = names_in(one.slot_type);
    declared.declared = one.declared;
    add(memory.shared + one.offset, one.bytes, std::move(declared));
  }
  allocation of_launch;
  of_launch.made = run_.grid->launched_by;
  add(memory.dynamic_shared, memory.dynamic_shared_bytes, std::move(of_launch));
}

void checker::block_ends(uint3 block) {
  checks_.for_each([&](auto& check) { check.block_ends(block); });
  block_record& mine = running_block();
  end_shared_memory(mine.memory);
  run_.races.end_block(mine.clock);
  run_.blocks.end(mine);
  if (reports_progress(run_)) shown_progress.block_ends(run_.how.findings_file);
}

void checker::end_shared_memory(const heddle_host::block_memory& memory) {
  // Other blocks of the cluster may still hold its addresses.
  const dim3 cluster = run_.grid->cluster;
  const bool is_of_cluster = cluster.x * cluster.y * cluster.z > 1;
  const auto remove = [&](unsigned char* base, std::size_t bytes) {
    if (bytes == 0) return;
    run_.memory.state.end(number(base), bytes);
    allocation* const ended = is_of_cluster ? run_.memory.allocated.find(number(base)) : nullptr;
    if (ended == nullptr) return run_.memory.allocated.remove(number(base));
    ended->is_freed = true;
    ended_shared_.insert(number(base));
  };
  for (const heddle_host::shared_declaration& one : heddle_host::shared_declarations()) {
    remove(memory.shared + one.offset, one.bytes);
  }
  remove(memory.dynamic_shared, memory.dynamic_shared_bytes);
}

// Host memory and host calls. No kernel runs meanwhile.

void checker::memory_begins(const void* base, std::size_t bytes, memory_kind kind) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  if (!run_.memory.arena.contains(number(base))) {
    if (kind == memory_kind::registered) run_.memory.registered[number(base)] = bytes;
    if (kind == memory_kind::symbol) run_.memory.symbols[number(base)] = bytes;
    return;
  }
  allocation made;
  made.begin = number(base);
  made.bytes = bytes;
  made.kind = kind;
  made.made = calls_of_host();
  run_.memory.state.begin(made.begin, bytes);
  run_.memory.allocated.add(std::move(made));
}

void checker::memory_ends(const void* base, std::size_t bytes, memory_kind) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  if (!run_.memory.arena.contains(number(base))) return;
  const call_chain* const enqueued_by = stream_work::enqueued_by();
  if (allocation* const one = run_.memory.allocated.find(number(base))) {
    one->is_freed = true;
    one->freed = enqueued_by != nullptr ? *enqueued_by : calls_of_host();
  }
  if (enqueued_by != nullptr) checks_.streams.free_memory(number(base), bytes);
  run_.memory.state.end(number(base), bytes);
}

void checker::variable_is_declared(const heddle_host::variable_declaration& what) {
  allocation made;
  made.begin = reinterpret_cast<std::uintptr_t>(what.address);
  made.bytes = what.bytes;
  made.kind = memory_kind::symbol;
  made.name = what.name;
  made.declared = what.declared;
  made.extents.assign(what.extents, what.extents + what.dimensions);
  if (what.is_constant) run_.memory.constants.push_back({made.begin, made.bytes});
  run_.memory.allocated.add(std::move(made));
}

void checker::bytes_arrive(void* to, const void* from, std::size_t bytes) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  checks_.for_each([&](auto& check) { check.bytes_arrive(to, from, bytes); });
}

void checker::handle_begins(const void* handle, heddle_host::handle_kind kind) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  run_.handles.begin(handle, kind, calls_of_host());
  checks_.for_each([&](auto& check) { check.handle_begins(handle, kind); });
}

void checker::handle_ends(const void* handle, heddle_host::handle_kind kind) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  run_.handles.end(handle, calls_of_host());
  checks_.for_each([&](auto& check) { check.handle_ends(handle, kind); });
}

void checker::call_fails(const heddle_host::failed_call& what) {
  // The thread that runs a grid holds the mutex.
  const ticket_lock_guard locked(what.lane_code != nullptr ? nullptr : run_.mutex_for_host());
  checks_.for_each([&](auto& check) { check.call_fails(what); });
}

std::uint64_t checker::work_is_submitted() {
  const ticket_lock_guard locked(run_.mutex_for_host());
  return checks_.streams.work_is_submitted();
}

void checker::work_begins(std::uint64_t submitted, std::uint64_t stream,
                          const heddle_host::work_point* before, std::size_t count) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  checks_.for_each([&](auto& check) { check.work_begins(submitted, stream, before, count); });
}

void checker::work_ends(std::uint64_t stream, std::uint64_t number) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  checks_.for_each([&](auto& check) { check.work_ends(stream, number); });
}

void checker::child_is_launched(std::uint64_t child, const void* code) {
  checks_.for_each([&](auto& check) { check.child_is_launched(child, code); });
}

void checker::child_begins(std::uint64_t child, const std::uint64_t* before, std::size_t count) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  checks_.for_each([&](auto& check) { check.child_begins(child, before, count); });
}

void checker::child_ends(std::uint64_t child) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  checks_.for_each([&](auto& check) { check.child_ends(child); });
}

void checker::children_are_done(const std::uint64_t* children, std::size_t count) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  checks_.for_each([&](auto& check) { check.children_are_done(children, count); });
}

void checker::host_has_waited(std::uint64_t stream, std::uint64_t number) {
  const ticket_lock_guard locked(run_.mutex_for_host());
  checks_.for_each([&](auto& check) { check.host_has_waited(stream, number); });
}

// Events that go to the checks unchanged.

void checker::cluster_begins(void* const* observed, unsigned blocks) {
  checks_.for_each([&](auto& check) { check.cluster_begins(observed, blocks); });
}
void checker::lane_begins(const heddle_host::lane_identity& who) {
  checks_.for_each([&](auto& check) { check.lane_begins(who); });
}
void checker::lane_ends(const heddle_host::lane_identity& who) {
  checks_.for_each([&](auto& check) { check.lane_ends(who); });
}
void checker::lane_is_sampled(std::uint64_t state, const void* code) {
  checks_.for_each([&](auto& check) { check.lane_is_sampled(state, code); });
}
void checker::lane_yields(const heddle_host::lane_identity& who) {
  checks_.for_each([&](auto& check) { check.lane_yields(who); });
}
void checker::lane_asks_for_time() {
  checks_.for_each([](auto& check) { check.lane_asks_for_time(); });
}
void checker::warp_meets(uint3 block, unsigned warp, heddle_host::warp_operation what,
                         unsigned mask, unsigned present) {
  checks_.for_each([&](auto& check) { check.warp_meets(block, warp, what, mask, present); });
}
void checker::threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) {
  checks_.for_each([&](auto& check) { check.threads_meet(lanes_of_warp, warps, are_all); });
}
void checker::lane_passes_barrier(unsigned barrier) {
  checks_.for_each([&](auto& check) { check.lane_passes_barrier(barrier); });
}
void checker::passed_barrier_is_complete(unsigned barrier, const std::uint32_t* lanes_of_warp) {
  checks_.for_each([&](auto& check) { check.passed_barrier_is_complete(barrier, lanes_of_warp); });
}
void checker::meeting_lacks_thread(const std::vector<heddle_host::lane_place>& present,
                                   heddle_host::lane_place absent, unsigned thread,
                                   bool makes_group) {
  checks_.for_each(
      [&](auto& check) { check.meeting_lacks_thread(present, absent, thread, makes_group); });
}
void checker::barrier_has_places(const std::vector<heddle_host::lane_place>& places) {
  checks_.for_each([&](auto& check) { check.barrier_has_places(places); });
}
void checker::grid_meets() {
  checks_.for_each([](auto& check) { check.grid_meets(); });
}
void checker::cluster_meets(void* const* observed, unsigned blocks) {
  checks_.for_each([&](auto& check) { check.cluster_meets(observed, blocks); });
}
void checker::fence_runs(heddle_host::memory_scope scope, const void* code) {
  const checker_section guard;
  checks_.for_each([&](auto& check) { check.fence_runs(scope, code); });
}
void checker::lane_reads_absent_lane(const heddle_host::lane_place& reader, unsigned absent,
                                     bool has_exited) {
  checks_.for_each([&](auto& check) { check.lane_reads_absent_lane(reader, absent, has_exited); });
}
void checker::lane_shifts_all_bits(int distance, unsigned width, const void* code) {
  const checker_section guard;
  checks_.for_each([&](auto& check) { check.lane_shifts_all_bits(distance, width, code); });
}
void checker::active_lanes_are_parted(const heddle_host::lane_place& asking) {
  checks_.for_each([&](auto& check) { check.active_lanes_are_parted(asking); });
}
void checker::copy_needs_alignment(const heddle_host::lane_copy& what, std::size_t alignment) {
  checks_.for_each([&](auto& check) { check.copy_needs_alignment(what, alignment); });
}
void checker::copies_are_committed(heddle_host::copy_queue which) {
  checks_.for_each([&](auto& check) { check.copies_are_committed(which); });
}
void checker::copies_are_awaited(heddle_host::copy_queue which, std::size_t all_but,
                                 bool reads_only) {
  checks_.for_each([&](auto& check) { check.copies_are_awaited(which, all_but, reads_only); });
}
void checker::barrier_takes_copies(const void* barrier) {
  checks_.for_each([&](auto& check) { check.barrier_takes_copies(barrier); });
}
void checker::phase_ends(const void* barrier) {
  checks_.for_each([&](auto& check) { check.phase_ends(barrier); });
}
void checker::phase_is_awaited(const void* barrier) {
  checks_.for_each([&](auto& check) { check.phase_is_awaited(barrier); });
}
void checker::host_call_begins() {
  checks_.for_each([](auto& check) { check.host_call_begins(); });
}
void checker::host_call_ends() {
  checks_.for_each([](auto& check) { check.host_call_ends(); });
}
void checker::host_is_to_wait() {
  checks_.for_each([](auto& check) { check.host_is_to_wait(); });
}

}  // namespace heddle_checker
