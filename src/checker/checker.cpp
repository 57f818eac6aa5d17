// What is done with each event; the checks themselves are in files of their own.
#include "checker/checker.hpp"

#include <sys/resource.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <heddle_host/fault.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/schedule.hpp>
#include <heddle_host/shared.hpp>
#include <heddle_host/stop.hpp>

#include "checker/hooks/hooks.hpp"
#include "checker/hooks/program_clock.hpp"
#include "checker/hooks/ran_code.hpp"
#include "checker/memory/plain_word.hpp"
#include "checker/memory/poisons.hpp"
#include "checker/places.hpp"
#include "checker/program_note.hpp"
#include "checker/progress/run_progress.hpp"
#include "checker/run_summary.hpp"
#include "checker/schedule/freezing_order.hpp"
#include "checker/schedule/schedules.hpp"

// Puts the findings of a run into words or into a file. Known by this name alone, so that the
// checker does not depend on how that is done.
extern "C" void heddle_report_checked_run(const heddle_checker::run_summary& run);
// Those from `first` on, while the run goes on.
extern "C" void heddle_report_new_findings(const std::deque<heddle_host::finding>& findings,
                                           std::size_t first, const char* findings_file);
extern "C" void heddle_report_stopped_run(const std::string& sentence, const char* findings_file);

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_kind;
using heddle_host::lane_now;
using heddle_host::memory_kind;

namespace {

// `a, b` from the mangled name of a struct that the frontend has called heddle_shared_0_a_b.
std::string names_in(std::string_view slot_type) {
  constexpr std::string_view mark = "heddle_shared_";
  const std::size_t found = slot_type.find(mark);
  if (found == slot_type.npos) return {};
  // The length of the name stands before it.
  std::size_t digits = found;
  while (digits > 0 && slot_type[digits - 1] >= '0' && slot_type[digits - 1] <= '9') --digits;
  // Before it there may be a namespace without a name, which ends with a digit in its turn.
  if (slot_type.substr(0, digits + 1).ends_with("_GLOBAL__N_1")) ++digits;
  const std::size_t length =
      std::strtoul(std::string(slot_type.substr(digits)).c_str(), nullptr, 10);
  const std::string_view name = slot_type.substr(found, length);
  const std::size_t behind_number = name.find('_', mark.size());
  return behind_number == name.npos ? std::string() : std::string(name.substr(behind_number + 1));
}

run_progress progress;

// Copies of the process, which try something out, are silent.
bool tells_progress(checker& one) { return !one.explores() && !one.probe().is_rerun(); }

}  // namespace

checker::checker(settings how)
    : arena_(heddle_host::checked_arena()),
      memory_(arena_),
      locals_(range_for_local_arrays()),
      races_(arena_.begin, arena_.bytes, [this](const race& what) { hear_of_race(what); },
             {.keeps_all_readers = how.keeps_all_readers}) {
  if (how.slows_clocks) slow_clocks_down();
  run_as(std::move(how));
}

void checker::run_as(settings how) {
  const bool explores = how.schedule == "exhaustive";
  std::unique_ptr<heddle_host::schedule> order;
  if (how.schedule == "freeze") {
    order = std::make_unique<freezing_order>(how.seed);
  } else if (!explores) {
    order = make_schedule(how.schedule, how.seed, how.parts_active_lanes);
  }
  how_ = std::move(how);
  decide_over_threads();
  heddle_host::run_checked(explores ? explore() : order.get());
  order_of_lanes_ = std::move(order);
  is_scheduled_ = heddle_host::current_schedule() != nullptr;
  is_weak_ = how_.schedule == "weak";
  asks_only_at_strong_ =
      order_of_lanes_ != nullptr && !is_weak_ && order_of_lanes_->asks_only_at_strong();
  races_.let_loads_be_late(is_weak_ ? make_store_choice(how_.seed) : nullptr);
  foresight_ = {};
  probe_ = {};
  if (is_weak_ && how_.seed % 2 == 0) foresight_.allow(how_.seed);
  watched_.choose_by(how_.seed << 8 | static_cast<unsigned char>(how_.schedule[0]), how_.blocks);
  heddle_host::set_poison(first_poison);
}

void checker::collect(finding what) {
  const std::lock_guard lock(finding_);
  found_.add(std::move(what));
}

void checker::hear(finding what) {
  // What the machine finds wrong with a call of a lane's is wrong with the launch.
  if (what.kind == finding_kind::api_error) add_launch_of(running_, what);
  collect(std::move(what));
}

void checker::touch_unwatched(access what) {
  if (what.way == direction::read) return;
  standstill_.something_happens();
  if (arena_.contains(what.address)) memory_.write(what.address, what.bytes);
}

bool checker::may_read_unreadable(access what) {
  if (!memory_.exists(what.address, what.bytes)) {
    report_bad_access(what);
    return false;
  }
  lane_loads_unwritten(what);
  return true;
}

std::uint64_t checker::running_lane() const {
  return static_cast<block_record*>(lane_now.observed)->linear_block << 10 | lane_now.thread;
}

void checker::watch_change(access what, std::uint64_t held, std::uint64_t next, bool compares) {
  if (what.bytes > 8) return;
  const aba_watch::deed how{running_lane(), what.code, what.way};
  if (compares && what.way == direction::update) {
    if (const auto wrong = aba_.swap(how.by, what.address, held)) report_aba(what, *wrong);
  }
  // atomicAdd(&x, 0) is a load, too.
  const bool only_looks =
      what.way == direction::read || (what.way == direction::update && !compares && held == next);
  if (only_looks) {
    aba_.load(how.by, what.address, what.bytes, held);
    aba_.look(what.address, held, how);
  } else {
    aba_.store(what.address, next, how);
    if (compares) aba_.forget(how.by);
  }
}

void checker::report_aba(const access& what, const aba_watch::conviction& wrong) {
  finding told{finding_kind::aba, cudaSuccess, grid_->kernel->signature};
  told.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  told.places.back().doing = doing(what.way);
  for (const aba_watch::deed& each : {wrong.read, wrong.away.how, wrong.back.how}) {
    told.places.push_back(place_of({running_, false, false, each.by >> 10,
                                    static_cast<unsigned>(each.by & 1023), each.code, each.does}));
    told.places.back().kernel = nullptr;  // it is the finding's
  }
  describe(what, told);
  collect(std::move(told));
}

void checker::note_plain_load(access what) {
  std::uint64_t value = 0;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(what.address), what.bytes);
  aba_.load(running_lane(), what.address, what.bytes, value);
}

// An access that is not plain, where loads may be late or early.
void checker::touch_weakly(access what) {
  if (what.late != nullptr && what.bytes <= sizeof what.late->held) prepare_late_value(what);
  races_.strong_access(*static_cast<block_record*>(lane_now.observed)->clock, lane_now.thread,
                       what.address, what.bytes, what.way, what.how, what.reach, what.ordering,
                       what.code, what.late);
  // Lanes that learn, one store after the other, what others have long stored do not stand still.
  if (what.late != nullptr) standstill_.something_happens_unless(!what.late->is_news);
  if (races_.refuses_early_load()) foresight_.give_up();
}

// What memory holds, and whether the future comes in.
void checker::prepare_late_value(const access& what) {
  late_value& late = *what.late;
  late.held = load_word(what.address, what.bytes);
  if (what.way == direction::write && foresight_.is_busy()) {
    late.stored.reset();  // nobody overtakes it now
    late.is_foreseen = foresight_.store_comes(running_lane(), what.address, what.bytes);
  }
  const bool may_be_early = what.way == direction::read && !late.takes_newest &&
                            what.ordering == order::relaxed && foresight_.wants_to_look();
  if (!may_be_early) return;
  late.early = foresight_.look_ahead(running_lane(), what.address, what.bytes,
                                     [&] { heddle_host::interrupt_if_scheduled(what.code, true); });
}

void checker::lane_fences(heddle_host::memory_scope whom, order ordering) {
  const checker_section guard;
  races_.fence(*static_cast<block_record*>(lane_now.observed)->clock, lane_now.thread,
               reach_of(whom), ordering);
}

// CUDA's own fences are sequentially consistent.
void checker::fence_runs(heddle_host::memory_scope whom, const void*) {
  lane_fences(whom, order::seq_cst);
}

void checker::warp_meets(uint3, unsigned warp, heddle_host::warp_operation what, unsigned mask,
                         unsigned present) {
  standstill_.lanes_meet();
  follow_meeting(warp, present);
  if (explored_ != nullptr) {
    std::vector<unsigned> threads;  // the exited ones let the others go on, too
    for (unsigned lanes = mask | present; lanes; lanes &= lanes - 1) {
      threads.push_back(warp * 32 + static_cast<unsigned>(std::countr_zero(lanes)));
    }
    explored_->threads_meet(static_cast<block_record*>(lane_now.observed)->linear_block, threads);
  }
  if (what != heddle_host::warp_operation::sync) return;  // the others do not order memory
  races_.warp_sync(*static_cast<block_record*>(lane_now.observed)->clock, warp, present);
}

void checker::threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) {
  standstill_.lanes_meet();
  for (unsigned warp = 0; warp < warps; ++warp) follow_meeting(warp, lanes_of_warp[warp]);
  const block_record& record = *static_cast<block_record*>(lane_now.observed);
  block_clock& block = *record.clock;
  std::vector<unsigned> threads;
  if (are_all) {
    if (explored_ == nullptr) return races_.block_barrier(block);
    for (unsigned thread = 0; thread < record.memory.threads; ++thread) threads.push_back(thread);
    explored_->threads_meet(record.linear_block, threads);
    return races_.block_barrier(block);
  }
  for (unsigned warp = 0; warp < warps; ++warp) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (lanes_of_warp[warp] >> lane & 1) threads.push_back(warp * 32 + lane);
    }
  }
  if (explored_ != nullptr) explored_->threads_meet(record.linear_block, threads);
  races_.partial_barrier(block, threads);
}

void checker::lane_passes_barrier(unsigned barrier) {
  standstill_.something_happens();
  if (explored_ != nullptr) explored_->refuse("exhaustive: bar.arrive is not explored");
  auto& record = *static_cast<block_record*>(lane_now.observed);
  record.handed_over[barrier].join(races_.hand_over(*record.clock, lane_now.thread));
}

void checker::passed_barrier_is_complete(unsigned barrier, const std::uint32_t* lanes_of_warp) {
  auto& record = *static_cast<block_record*>(lane_now.observed);
  const knowledge handed_over = std::exchange(record.handed_over[barrier], {});
  for (unsigned thread = 0; thread < record.memory.threads; ++thread) {
    if ((lanes_of_warp[thread / 32] >> thread % 32 & 1) == 0) continue;
    races_.has_awaited(*record.clock, thread, handed_over);
  }
}

void checker::grid_meets() {
  standstill_.lanes_meet();
  if (explored_ != nullptr) explored_->all_meet();
  races_.grid_barrier(running_);
}

void checker::cluster_meets(void* const* observed, unsigned blocks) {
  standstill_.lanes_meet();
  races_.cluster_barrier(clocks_of(observed, blocks));
}

void checker::grid_begins(const heddle_host::launch_request& request) {
  if (!explores()) door_.enter();
  threads_in_force->runs_kernel(true);
  atomics_until_host_ = atomics_per_visit_ = first_atomics_per_visit;
  end_work_at_hand();  // of a graph that does more than copy
  if (explored_ != nullptr && request.cluster.x * request.cluster.y * request.cluster.z > 1) {
    explored_->refuse("exhaustive: clusters of blocks are not explored");
  }
  work_in_hand& work = work_of_thread();
  if (work.done_by) work.known = {*work.done_by};
  grid_ = &request;
  parameters_ = {number(request.closure.get()), request.kernel->closure_bytes};
  running_ = races_.begin_grid(work.known);
  grids_[running_] = {request.kernel->signature, request.grid, request.block,
                      errands_.keep(activity::launching, request.launched_by)};
  const bool is_watched = !how_.samples_launches || samples_.takes(request.kernel->signature);
  watched_.grid_begins(std::uint64_t{request.grid.x} * request.grid.y * request.grid.z, is_watched);
  covered_.kernels.insert(request.kernel->signature);
  ++covered_.launches;
  covered_.launches_watched += is_watched ? 1 : 0;
  accesses_before_grid_ = covered_.accesses;
  exits_.grid_begins();
  repetition_.grid_begins();
  if (is_scheduled_) {  // it begins anew
    covered_.accesses += accesses_of_turn_ - accesses_until_turn_;
    begin_turn(1);
  }
  replaced_.begin_grid();
  if (tells_progress(*this)) {
    progress.grid_begins(request.kernel->signature,
                         std::uint64_t{request.grid.x} * request.grid.y * request.grid.z,
                         how_.findings_file);
  }
}

void checker::grid_ends(const heddle_host::launch_request& request, cudaError_t how) {
  has_failed_ = has_failed_ || how != cudaSuccess;
  samples_.has_accessed(request.kernel->signature, covered_.accesses - accesses_before_grid_);
  lent_.give_back();
  foresight_.end_grid();
  judge_undefined_values(how);
  if (explored_ != nullptr && how != cudaSuccess) explored_->grid_fails();
  races_.end_grid(running_);
  work_of_thread().done_by = running_;
  grid_ = nullptr;
  aba_.clear();
  locals_.end_all();
  for (const std::uintptr_t begin : ended_shared_) allocations_.remove(begin);
  ended_shared_.clear();
  tell_new_findings();
  threads_in_force->runs_kernel(false);
  if (!explores()) door_.leave();
}

void* checker::block_has_memory(const heddle_host::block_memory& memory) {
  if (idle_blocks_.empty()) {
    blocks_.emplace_back();
    idle_blocks_.push_back(&blocks_.back());
  }
  block_record* const mine = idle_blocks_.back();
  idle_blocks_.pop_back();
  mine->linear_block = memory.linear_block;
  mine->is_watched = watched_.contains(memory.linear_block);
  mine->memory = memory;
  mine->lanes.assign(memory.threads, {});
  comparisons_left = comparisons_per_turn;
  mine->exits.assign(memory.threads, nullptr);
  mine->copies.clear();
  mine->handed_over.clear();
  barrier_copies_.forget(number(memory.shared), memory.shared_bytes);
  barrier_copies_.forget(number(memory.dynamic_shared), memory.dynamic_shared_bytes);
  const auto add = [&](unsigned char* base, std::size_t bytes, allocation shared) {
    if (bytes == 0) return;
    memory_.begin(number(base), bytes);
    shared.begin = number(base);
    shared.bytes = bytes;
    shared.is_shared_memory = true;
    allocations_.add(std::move(shared));
  };
  for (const heddle_host::shared_declaration& one : heddle_host::shared_declarations()) {
    allocation declared;
    declared.name = names_in(one.slot_type);
    declared.declared = one.declared;
    add(memory.shared + one.offset, one.bytes, std::move(declared));
  }
  allocation of_launch;
  of_launch.made = grid_->launched_by;
  add(memory.dynamic_shared, memory.dynamic_shared_bytes, std::move(of_launch));
  mine->clock = races_.begin_block(running_, memory.linear_block, memory.threads,
                                   number(memory.shared), memory.shared_bytes);
  races_.forget(number(memory.dynamic_shared), memory.dynamic_shared_bytes);
  return mine;
}

// From now on each of them can reach the shared memory of all, which other blocks have had before.
void checker::cluster_begins(void* const* observed, unsigned blocks) {
  for (unsigned i = 0; i < blocks; ++i) {
    const auto& memory = static_cast<const block_record*>(observed[i])->memory;
    races_.forget(number(memory.shared), memory.shared_bytes);
  }
  races_.form_cluster(clocks_of(observed, blocks));
}

std::vector<block_clock*> checker::clocks_of(void* const* observed, unsigned blocks) {
  std::vector<block_clock*> clocks;
  for (unsigned i = 0; i < blocks; ++i) {
    clocks.push_back(static_cast<block_record*>(observed[i])->clock);
  }
  return clocks;
}

void checker::block_ends(uint3) {
  auto* const mine = static_cast<block_record*>(lane_now.observed);
  lent_.give_back();
  // The others of its cluster may still have its addresses.
  const dim3 cluster = grid_->cluster;
  const bool is_of_cluster = cluster.x * cluster.y * cluster.z > 1;
  const auto remove = [&](unsigned char* base, std::size_t bytes) {
    if (bytes == 0) return;
    memory_.end(number(base), bytes);
    allocation* const ended = is_of_cluster ? allocations_.find(number(base)) : nullptr;
    if (ended == nullptr) return allocations_.remove(number(base));
    ended->is_freed = true;
    ended_shared_.insert(number(base));
  };
  for (const heddle_host::shared_declaration& one : heddle_host::shared_declarations()) {
    remove(mine->memory.shared + one.offset, one.bytes);
  }
  remove(mine->memory.dynamic_shared, mine->memory.dynamic_shared_bytes);
  races_.end_block(mine->clock);
  exits_.block_ends(mine->linear_block, mine->exits);
  idle_blocks_.push_back(mine);
  if (tells_progress(*this)) progress.block_ends(how_.findings_file);
}

void checker::memory_begins(const void* base, std::size_t bytes, memory_kind kind) {
  const visit inside(door_for_host());
  if (!arena_.contains(number(base))) {
    if (kind == memory_kind::registered) registered_[number(base)] = bytes;
    if (kind == memory_kind::symbol) symbols_[number(base)] = bytes;
    return;
  }
  allocation made;
  made.begin = number(base);
  made.bytes = bytes;
  made.kind = kind;
  made.made = calls_of_host();
  memory_.begin(made.begin, bytes);
  allocations_.add(std::move(made));
}

void checker::memory_ends(const void* base, std::size_t bytes, memory_kind) {
  const visit inside(door_for_host());
  if (!arena_.contains(number(base))) return;
  if (allocation* const one = allocations_.find(number(base))) {
    one->is_freed = true;
    one->freed = asked_by_ != nullptr ? *asked_by_ : calls_of_host();
  }
  if (asked_by_ != nullptr) free_in_stream(number(base), bytes);
  memory_.end(number(base), bytes);
}

void checker::finish() {
  report_leaks();
  if (explorer_ != nullptr && explorer_->runs_interleaving()) {
    return explorer_->finish_interleaving(found_.findings());
  }
  const std::lock_guard lock(finding_);
  heddle_report_checked_run(
      {found_.findings(), how_, covered(), races_.hands_on(), kept_ran_code()});
}

coverage checker::covered() const {
  coverage all = covered_;
  all.blocks = watched_.all();
  all.blocks_watched = watched_.watched();
  all.accesses += accesses_of_turn_ - accesses_until_turn_;
  return all;
}

void checker::tell_new_findings() {
  if (how_.findings_file.empty() || around_part_ || explores()) return;
  const std::lock_guard lock(finding_);
  if (told_ == found_.findings().size()) return;
  heddle_report_new_findings(found_.findings(), told_, how_.findings_file.c_str());
  told_ = found_.findings().size();
}

heddle_host::schedule* checker::explore() {
  exploration_area& area = make_exploration_area();
  const bool replays = !how_.turns.empty();
  explored_ = std::make_unique<explored_order>(
      area, replays ? read_interleaving(how_.turns) : interleaving());
  if (!replays) {
    explorer_ = std::make_unique<explorer>(how_, area, *explored_);
    explored_->before_first_grid([this] { explorer_->run(); });
  }
  return explored_.get();
}

checker* checker_in_force = nullptr;

// Here, where every checked program takes it from the archive.
extern const program_note note_of_checked_program;
[[gnu::section(".note.heddle"), gnu::used]] alignas(4) const program_note note_of_checked_program{
    {sizeof note_name, sizeof note_version, note_type}, "heddle", note_version};

namespace {

// `heddle check` says why a program could not go on; without it the program does.
bool tell_of_stop(const std::string& sentence) {
  if (checker_in_force->probe().is_rerun()) checker_in_force->probe().differ();
  const std::string file = read_settings(std::getenv("HEDDLE_CHECK")).findings_file;
  if (file.empty()) return false;
  heddle_report_stopped_run(sentence, file.c_str());
  return true;
}

void stop_threads_that_wait() {
  const char* const sentence = "all threads of the host wait for each other";
  std::fflush(stdout);
  if (!tell_of_stop(sentence)) std::fprintf(stderr, "heddle: %s\n", sentence);
  std::_Exit(2);
}

// More processor time than that ends the program; its findings so far are in the file.
void limit_time(const settings& how) {
  if (how.findings_file.empty() || how.schedule == "exhaustive" || how.budget == 0) return;
  constexpr rlim_t until_killed = 5;  // whoever ignores the first signal
  const rlimit limit{how.budget, how.budget + until_killed};
  setrlimit(RLIMIT_CPU, &limit);
}

// Before static objects of the program, because the machine must know before its first grid. Never
// destroyed: accesses may come while the program ends.
[[gnu::constructor(200)]] void begin_checking() {
  try {
    const settings how = read_settings(std::getenv("HEDDLE_CHECK"));
    begin_host_threads();
    threads_in_force->when_all_wait(stop_threads_that_wait);
    checker_in_force = new checker(how);
    keep_ran_code(how.ran_code_folder);
    limit_time(how);
    heddle_host::observe(checker_in_force);
    heddle_host::offer_parts(checker_in_force);
    heddle_host::listen_to_findings([](const finding& what) { checker_in_force->hear(what); });
    heddle_host::listen_to_stops(tell_of_stop);
    std::atexit([] { checker_in_force->finish(); });
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "heddle: %s\n", failure.what());
    std::_Exit(2);
  }
}

}  // namespace

}  // namespace heddle_checker
