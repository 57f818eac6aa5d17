// What is done with each event; the checks themselves are in files of their own.
#include "checker.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <heddle_host/fault.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/schedule.hpp>
#include <heddle_host/shared.hpp>

#include "hooks.hpp"
#include "places.hpp"
#include "schedules.hpp"

// Puts the findings of a run into words or into a file. Known by this name alone, so that the
// checker does not depend on how that is done.
extern "C" void heddle_report_checked_run(const std::deque<heddle_host::finding>& findings,
                                          std::uint64_t digest, const char* settings,
                                          const char* findings_file);

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_kind;
using heddle_host::lane_now;
using heddle_host::memory_kind;

namespace {

// So often a lane touches memory before another one goes on. Few enough that what the lanes of a
// block touch together, with all that is remembered of it, stays in the processor's caches.
constexpr unsigned accesses_per_turn = 64;

// `a, b` from the mangled name of a struct that the frontend has called heddle_shared_0_a_b.
std::string names_in(std::string_view slot_type) {
  constexpr std::string_view mark = "heddle_shared_";
  const std::size_t found = slot_type.find(mark);
  if (found == slot_type.npos) return {};
  // The length of the name stands before it.
  std::size_t digits = found;
  while (digits > 0 && slot_type[digits - 1] >= '0' && slot_type[digits - 1] <= '9') --digits;
  const std::size_t length =
      std::strtoul(std::string(slot_type.substr(digits)).c_str(), nullptr, 10);
  const std::string_view name = slot_type.substr(found, length);
  const std::size_t behind_number = name.find('_', mark.size());
  return behind_number == name.npos ? std::string() : std::string(name.substr(behind_number + 1));
}

}  // namespace

checker::checker(settings how)
    : how_(std::move(how)),
      arena_(heddle_host::checked_arena()),
      memory_(arena_),
      races_(arena_.begin, arena_.bytes, [this](const race& what) { hear_of_race(what); }),
      watched_(how_.blocks, how_.seed << 8 | static_cast<unsigned char>(how_.schedule[0])),
      is_scheduled_(heddle_host::current_schedule() != nullptr) {
  heddle_host::set_poison(how_.poison);
  heddle_host::set_value_of_absent_lanes(std::rotl(how_.poison, 24));
}

void checker::collect(finding what) { found_.add(std::move(what)); }

void checker::end_turn(const void* code) {
  const checker_section guard;
  accesses_until_turn_ = accesses_per_turn;
  auto& block = *static_cast<block_record*>(lane_now.observed);
  standstill::lane& mine = block.lanes[lane_now.thread];
  if (standstill_.run(mine) && standstill_.is_suspicious(mine, block.lanes.size())) {
    judge_standstill(code);
  }
  heddle_host::end_turn(code);
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
  note_unwritten(what);
  return true;
}

std::uint64_t checker::running_lane() const {
  return static_cast<block_record*>(lane_now.observed)->linear_block << 10 | lane_now.thread;
}

void checker::watch_change(const access& what, std::uint64_t held, std::uint64_t next,
                           bool compares) {
  if (what.bytes > 8) return;
  const aba_watch::deed how{running_lane(), what.code, what.way};
  if (compares && what.way == direction::update) {
    if (const auto wrong = aba_.swap(how.by, what.address, held)) report_aba(what, *wrong);
  }
  if (what.way == direction::read) {
    aba_.load(how.by, what.address, what.bytes, held);
    aba_.look(what.address, held, how);
  } else {
    aba_.store(what.address, next, how);
    if (compares) aba_.forget(how.by);
  }
}

void checker::report_aba(const access& what, const aba_watch::conviction& wrong) {
  finding told{finding_kind::aba, cudaSuccess, grid_->kernel->signature, {}, {}};
  told.detail =
      "the compare-and-swap succeeds although the location was changed and changed back since "
      "the lane has read it";
  told.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  told.places.back().doing = doing(what.way);
  for (const aba_watch::deed& each : {wrong.read, wrong.away.how, wrong.back.how}) {
    told.places.push_back(place_of({running_, false, each.by >> 10,
                                    static_cast<unsigned>(each.by & 1023), each.code, each.does}));
  }
  describe(what, told);
  collect(std::move(told));
}

void checker::note_plain_load(access what) {
  std::uint64_t value = 0;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(what.address), what.bytes);
  aba_.load(running_lane(), what.address, what.bytes, value);
}

void checker::fence_runs(heddle_host::memory_scope whom) {
  const checker_section guard;
  races_.fence(*static_cast<block_record*>(lane_now.observed)->clock, lane_now.thread,
               reach_of(whom));
}

void checker::warp_meets(uint3, unsigned warp, heddle_host::warp_operation what, unsigned,
                         unsigned present) {
  standstill_.something_happens();
  if (what != heddle_host::warp_operation::sync) return;  // the others do not order memory
  races_.warp_sync(*static_cast<block_record*>(lane_now.observed)->clock, warp, present);
}

void checker::threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) {
  standstill_.something_happens();
  block_clock& block = *static_cast<block_record*>(lane_now.observed)->clock;
  if (are_all) return races_.block_barrier(block);
  std::vector<unsigned> threads;
  for (unsigned warp = 0; warp < warps; ++warp) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (lanes_of_warp[warp] >> lane & 1) threads.push_back(warp * 32 + lane);
    }
  }
  races_.partial_barrier(block, threads);
}

void checker::grid_meets() {
  standstill_.something_happens();
  races_.grid_barrier(running_);
}

void checker::cluster_meets(void* const* observed, unsigned blocks) {
  standstill_.something_happens();
  std::vector<block_clock*> clocks;
  for (unsigned i = 0; i < blocks; ++i) {
    clocks.push_back(static_cast<block_record*>(observed[i])->clock);
  }
  races_.cluster_barrier(clocks);
}

heddle_host::lane_place checker::place_of(const side& who) const {
  heddle_host::lane_place place{};
  place.doing = doing(who.does);
  place.code = who.code;
  place.is_return_address = true;
  const auto found = grids_.find(who.of);
  if (who.is_host || found == grids_.end()) return place;
  const grid_record& grid = found->second;
  const auto block = static_cast<unsigned>(who.block % (std::uint64_t{grid.grid.x} * grid.grid.y));
  place.block = {block % grid.grid.x, block / grid.grid.x,
                 static_cast<unsigned>(who.block / (std::uint64_t{grid.grid.x} * grid.grid.y))};
  const unsigned row = who.thread / grid.block.x;
  place.thread = {who.thread % grid.block.x, row % grid.block.y, row / grid.block.y};
  place.warp = who.thread / 32;
  place.lane = who.thread % 32;
  place.kernel = grid.kernel.c_str();
  return place;
}

void checker::hear_of_race(const race& what) {
  finding wrong{finding_kind::race, cudaSuccess, grid_ ? grid_->kernel->signature : "", {}, {}};
  wrong.detail = what.cause == race_cause::scope
                     ? "the scope of one atomic operation leaves the other thread out"
                 : what.cause == race_cause::size
                     ? "atomic operations on overlapping bytes are not of the same size"
                     : "nothing orders these two accesses";
  wrong.places.push_back(place_of(what.second));
  wrong.places.push_back(place_of(what.first));
  describe({what.address, 0, direction::read, strength::plain, {}, {}, nullptr}, wrong);
  collect(std::move(wrong));
}

void checker::index_leaves_array(const char* array, std::intptr_t index, const void* code) {
  if (!heddle_host::in_lane()) return;
  finding wrong{
      finding_kind::out_of_bounds, cudaErrorIllegalAddress, grid_->kernel->signature, {}, {}};
  wrong.detail = "index " + std::to_string(index) + " leaves an array of type " + array;
  wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
  collect(std::move(wrong));
}

void checker::barrier_has_places(const std::vector<heddle_host::lane_place>& places) {
  finding wrong{finding_kind::divergent_barrier, cudaSuccess, grid_->kernel->signature, {}, {}};
  wrong.detail = "threads of a block meet at barriers in different places of the code";
  wrong.places = places;
  collect(std::move(wrong));
}

void checker::pointer_is_misaligned(std::uintptr_t address, unsigned alignment, const void* code) {
  if (!heddle_host::in_lane() || !arena_.contains(address)) return;
  finding wrong{
      finding_kind::misaligned, cudaErrorMisalignedAddress, grid_->kernel->signature, {}, {}};
  char text[96];
  std::snprintf(text, sizeof text, "the address is no multiple of the %u bytes that the type needs",
                alignment);
  wrong.detail = text;
  wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
  describe({address, alignment, direction::read, strength::plain, {}, {}, code}, wrong);
  collect(std::move(wrong));
}

// What the memory around an access is called.
void checker::describe(const access& what, finding& in) {
  const allocation* const one = allocations_.nearest(what.address);
  if (one == nullptr) return;
  heddle_host::memory_spot spot;
  spot.variable = one->name;
  spot.is_shared = one->is_shared_memory;
  spot.offset = static_cast<std::ptrdiff_t>(what.address - one->begin);
  spot.access_bytes = what.bytes;
  spot.bytes = one->bytes;
  spot.allocated_at = one->made;
  spot.freed_at = one->freed;
  in.memory = std::move(spot);
}

void checker::report_bad_access(access what) {
  const allocation* const one = allocations_.nearest(what.address);
  const bool was_freed = one != nullptr && one->is_freed && what.address >= one->begin &&
                         what.address - one->begin < one->bytes;
  finding wrong{was_freed ? finding_kind::use_after_free : finding_kind::out_of_bounds,
                cudaErrorIllegalAddress,
                grid_->kernel->signature,
                {},
                {}};
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(what.way);
  describe(what, wrong);
  if (one != nullptr && one->is_shared_memory && one->name.empty()) add_launch(wrong);
  collect(std::move(wrong));
}

void checker::note_unwritten(access what) {
  finding wrong{finding_kind::uninitialized, cudaSuccess, grid_->kernel->signature, {}, {}};
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(what.way);
  describe(what, wrong);
  collect(std::move(wrong));
}

void checker::grid_begins(const heddle_host::launch_request& request) {
  end_copy();  // of a graph that does more than copy
  if (done_by_) known_to_work_ = {*done_by_};
  grid_ = &request;
  parameters_ = {number(request.closure.get()), request.kernel->closure_bytes};
  running_ = races_.begin_grid(known_to_work_);
  grids_[running_] = {request.kernel->signature, request.grid, request.block};
  watched_.grid_begins(std::uint64_t{request.grid.x} * request.grid.y * request.grid.z);
}

void checker::grid_ends(const heddle_host::launch_request&, cudaError_t how) {
  has_failed_ = has_failed_ || how != cudaSuccess;
  races_.end_grid(running_);
  done_by_ = running_;
  aba_.clear();
}

void checker::work_begins(std::uint64_t submitted, std::uint64_t stream,
                          const heddle_host::work_point* before, std::size_t count) {
  known_to_work_ = order_.known_to_work(submitted, stream, before, count);
  done_by_.reset();
}

void checker::end_copy() {
  if (copying_ == nullptr) return;
  races_.end_block(copying_);
  copying_ = nullptr;
}

void checker::end_host_action() {
  if (host_ == nullptr) return;
  order_.host_has_done(races_.agent_of(*host_));
  races_.end_block(host_);
  host_ = nullptr;
}

std::uint64_t checker::work_is_submitted() {
  end_host_action();
  return order_.moment();
}

void checker::work_ends(std::uint64_t stream, std::uint64_t number) {
  // Also what does nothing by itself stands between others: the wait for an event.
  end_copy();
  if (!done_by_) {
    block_clock* const nothing = races_.begin_host_action(known_to_work_);
    done_by_ = races_.agent_of(*nothing);
    races_.end_block(nothing);
  }
  order_.work_is_done(stream, number, *done_by_);
}

void checker::host_has_waited(std::uint64_t stream, std::uint64_t number) {
  end_host_action();
  order_.host_has_waited(stream, number);
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
  const auto add = [&](unsigned char* base, std::size_t bytes, std::string name) {
    if (bytes == 0) return;
    memory_.begin(number(base), bytes);
    allocation shared;
    shared.begin = number(base);
    shared.bytes = bytes;
    shared.is_shared_memory = true;
    shared.name = std::move(name);
    allocations_.add(std::move(shared));
  };
  for (const heddle_host::shared_declaration& one : heddle_host::shared_declarations()) {
    add(memory.shared + one.offset, one.bytes - heddle_host::room_behind_shared,
        names_in(one.slot_type));
  }
  add(memory.dynamic_shared, memory.dynamic_shared_bytes, "");
  mine->clock = races_.begin_block(running_, memory.linear_block, memory.threads,
                                   number(memory.shared), memory.shared_bytes);
  races_.forget(number(memory.dynamic_shared), memory.dynamic_shared_bytes);
  return mine;
}

void checker::block_ends(uint3) {
  auto* const mine = static_cast<block_record*>(lane_now.observed);
  const auto remove = [&](unsigned char* base, std::size_t bytes) {
    if (bytes == 0) return;
    memory_.end(number(base), bytes);
    allocations_.remove(number(base));
  };
  for (const heddle_host::shared_declaration& one : heddle_host::shared_declarations()) {
    remove(mine->memory.shared + one.offset, one.bytes);
  }
  remove(mine->memory.dynamic_shared, mine->memory.dynamic_shared_bytes);
  races_.end_block(mine->clock);
  idle_blocks_.push_back(mine);
}

void checker::memory_begins(const void* base, std::size_t bytes, memory_kind kind) {
  if (!arena_.contains(number(base))) {
    if (kind == memory_kind::registered) registered_[number(base)] = bytes;
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
  if (!arena_.contains(number(base))) return;
  memory_.end(number(base), bytes);
  if (allocation* const one = allocations_.find(number(base))) {
    one->is_freed = true;
    one->freed = calls_of_host();
  }
}

void checker::bytes_arrive(void* to, const void* from, std::size_t bytes) {
  // Neither is looked at: the machine's own image of pageable memory, which is no work of a stream.
  if (!arena_.contains(number(to)) && !arena_.contains(number(from))) return;
  if (copying_ == nullptr) {
    if (done_by_) known_to_work_ = {*done_by_};
    copying_ = races_.begin_host_action(known_to_work_);
    done_by_ = races_.agent_of(*copying_);
  }
  if (from != nullptr && arena_.contains(number(from))) {
    races_.access(*copying_, 0, number(from), bytes, direction::read, nullptr);
  }
  if (!arena_.contains(number(to))) return;
  memory_.write(number(to), bytes);
  races_.access(*copying_, 0, number(to), bytes, direction::write, nullptr);
}

void checker::finish() {
  report_leaks();
  std::string told = text_of(how_);
  if (how_.blocks != 0) {
    told += " watched=" + std::to_string(watched_.watched()) + "/" + std::to_string(watched_.all());
  }
  heddle_report_checked_run(found_.findings(), digest_, told.c_str(), how_.findings_file.c_str());
}

checker* checker_in_force = nullptr;

namespace {

// Before static objects of the program, because the machine must know before its first grid. Never
// destroyed: accesses may come while the program ends.
[[gnu::constructor(200)]] void begin_checking() {
  try {
    settings how = read_settings(std::getenv("HEDDLE_CHECK"));
    heddle_host::run_checked(
        make_schedule(how.schedule, how.seed, how.parts_active_lanes).release());
    checker_in_force = new checker(std::move(how));
    heddle_host::observe(checker_in_force);
    heddle_host::listen_to_findings([](const finding& what) { checker_in_force->hear(what); });
    std::atexit([] { checker_in_force->finish(); });
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "heddle: %s\n", failure.what());
    std::_Exit(2);
  }
}

}  // namespace

}  // namespace heddle_checker
