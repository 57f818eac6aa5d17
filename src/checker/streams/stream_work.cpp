// Work of streams, and what copies, fills, host functions and frees among it do to memory.
#include "checker/checker.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::actor;
using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;

thread_local const call_chain* checker::asked_by_ = nullptr;

// Never destroyed: the thread that ends the program does what is left.
checker::work_in_hand& checker::work_of_thread() {
  static thread_local auto* const mine = new work_in_hand;
  return *mine;
}

std::uint64_t checker::work_is_submitted() {
  const visit inside(door_for_host());
  end_host_action();
  submissions_.push_back(
      {order_.moment(), &errands_.keep(activity::running, calls_of_host())->calls});
  return submissions_.size() - 1;
}

void checker::work_begins(std::uint64_t submitted, std::uint64_t stream,
                          const heddle_host::work_point* before, std::size_t count) {
  const visit inside(door_for_host());
  const submission& asked = submissions_[submitted];
  work_in_hand& mine = work_of_thread();
  mine.known = order_.known_to_work(asked.moment, stream, before, count);
  mine.done_by.reset();
  asked_by_ = asked.calls;
}

void checker::work_ends(std::uint64_t stream, std::uint64_t number) {
  const visit inside(door_for_host());
  asked_by_ = nullptr;
  // Also what does nothing by itself stands between others: the wait for an event.
  if (!work_of_thread().done_by) work_at_hand();
  end_work_at_hand();
  order_.work_is_done(stream, number, *work_of_thread().done_by);
}

void checker::host_has_waited(std::uint64_t stream, std::uint64_t number) {
  const visit inside(door_for_host());
  end_host_action();
  order_.host_has_waited(stream, number);
}

// A graph does several things one after the other.
block_clock& checker::work_at_hand() {
  work_in_hand& mine = work_of_thread();
  if (mine.running == nullptr) {
    if (mine.done_by) mine.known = {*mine.done_by};
    mine.running = races_.begin_host_action(mine.known);
    mine.done_by = races_.agent_of(*mine.running);
    works_.insert(*mine.done_by);
  }
  return *mine.running;
}

void checker::end_work_at_hand() {
  work_in_hand& mine = work_of_thread();
  if (mine.running == nullptr) return;
  races_.end_block(mine.running);
  mine.running = nullptr;
}

void checker::end_host_action() {
  if (host_ == nullptr) return;
  order_.host_has_done(races_.agent_of(*host_));
  races_.end_block(host_);
  host_ = nullptr;
}

// Memory of the device, and variables of it; what else the host copies is its own business.
bool checker::is_copied_with_care(std::uintptr_t address) const {
  if (arena_.contains(address)) return true;
  const auto next = symbols_.upper_bound(address);
  return next != symbols_.begin() && address - std::prev(next)->first < std::prev(next)->second;
}

void checker::bytes_arrive(void* to, const void* from, std::size_t bytes) {
  const visit inside(door_for_host());
  const bool reads = from != nullptr && is_copied_with_care(number(from));
  const bool writes = is_copied_with_care(number(to));
  if (reads) copy_touches(number(from), bytes, direction::read, activity::copying_from);
  if (reads && !writes && arena_.contains(number(from))) {
    host_gets_unwritten(number(to), number(from), bytes);
  }
  if (writes) {
    copy_touches(number(to), bytes, direction::write,
                 from == nullptr ? activity::filling : activity::copying_to);
  }
  if (reads && writes && memory_.exists(number(from), bytes) && memory_.exists(number(to), bytes)) {
    memory_.copy(number(to), number(from), bytes);
    origins_.move_along(number(to), number(from), bytes);
  }
}

void checker::copy_touches(std::uintptr_t address, std::size_t bytes, direction way,
                           activity what) {
  // Pageable memory is copied by the call itself: that is no work of a stream.
  const errand& by = *errands_.keep(what, asked_by_ != nullptr ? *asked_by_ : calls_of_host());
  if (arena_.contains(address)) {
    if (!memory_.exists(address, bytes)) return report_bad_copy(address, bytes, by);
    if (way == direction::write) memory_.write(address, bytes);
  }
  if (asked_by_ != nullptr) races_.access(work_at_hand(), 0, address, bytes, way, &by);
}

// The memory was there when the host has asked for the copy, or was none of CUDA's any more.
void checker::report_bad_copy(std::uintptr_t address, std::size_t bytes, const errand& by) {
  const allocation* const one = allocations_.nearest(address);
  const bool was_freed = one != nullptr && one->is_freed && address - one->begin < one->bytes;
  finding wrong{was_freed ? finding_kind::use_after_free : finding_kind::out_of_bounds,
                cudaErrorInvalidValue,
                {},
                finding_cause::none,
                {place_of(by)}};
  describe({address, static_cast<unsigned>(bytes), direction::read, strength::plain, {}, {}, &by},
           wrong);
  collect(std::move(wrong));
}

// Like a store to all of it: whoever touches the memory must come before.
void checker::free_in_stream(std::uintptr_t base, std::size_t bytes) {
  is_freeing_ = true;
  races_.access(work_at_hand(), 0, base, bytes, direction::write,
                errands_.keep(activity::running, *asked_by_));
  is_freeing_ = false;
}

void checker::hear_of_use_beside_free(const race& what) {
  finding wrong{finding_kind::use_after_free,
                cudaErrorIllegalAddress,
                {},
                finding_cause::unordered,
                {place_of(what.first)}};
  if (wrong.places.front().kernel != nullptr) wrong.kernel = wrong.places.front().kernel;
  add_launch_of(what.first.of, wrong);
  describe({what.address, 0, direction::read, strength::plain, {}, {}, nullptr}, wrong);
  collect(std::move(wrong));
}

heddle_host::lane_place checker::place_of(const errand& what) {
  heddle_host::lane_place place = host_place(nullptr, what.what);
  place.calls = &what.calls;
  if (what.what != activity::launching) place.who = actor::stream;
  return place;
}

heddle_host::lane_place checker::place_on_host(const side& who) const {
  if (const errand* const asked = errands_.find(who.code)) return place_of(*asked);
  heddle_host::lane_place place = host_place(who.code, doing(who.does));
  if (works_.contains(who.of)) place.who = actor::stream;
  return place;
}

void checker::add_launch_of(agent grid, finding& to) const {
  const auto found = grids_.find(grid);
  if (found == grids_.end()) return;
  to.places.push_back(place_of(*found->second.launch));
  to.places.back().kernel = found->second.kernel.c_str();
}

}  // namespace heddle_checker
