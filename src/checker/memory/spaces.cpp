// Accesses to memory that is not the toucher's: of the host, of another lane, or no longer there.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>

#include "checker/checker.hpp"
#include "checker/lane_accesses.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;
using heddle_host::lane_now;
using heddle_host::memory_kind;
using heddle_host::memory_owner;

namespace {

// What is not there at all ends the kernel by a signal, which tells of it.
bool is_mapped(std::uintptr_t address) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char ignored = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &ignored) == 0;
}

}  // namespace

void checker::lane_touches_other_memory(access what) {
  if (__builtin_expect(left_index_.accesses_to_look_at != 0, 0)) name_left_array(what);
  if (locals_.contains(what.address)) return lane_touches_local_array(what);
  switch (elsewhere_.place_of(what.address)) {
    case memory_place::of_thread:
    case memory_place::of_stack:
      return;
    case memory_place::elsewhere:
      return touch_foreign_memory(what);
    case memory_place::of_variable:
      if (what.way != direction::read && is_constant(what.address)) {
        return report_store_to_constant(what);
      }
      if (!what.may_order_memory() && !static_cast<block_record*>(lane_now.observed)->is_watched) {
        return touch_unwatched(what);
      }
      if (what.way != direction::read) {
        standstill_.something_happens_unless(what.how == strength::atomic);
      }
      if (looks_closely_) look_closely(what);
      touch(what);
  }
}

// Memory around what the host has registered is the host's as well. An access just beside it is
// taken for a wrong index, unless the kernel was given a pointer to what lies there.
bool checker::leaves_registered(const access& what) {
  constexpr std::size_t beside = 256;
  const auto next = registered_.upper_bound(what.address);
  allocation left;
  if (next != registered_.end() && next->first - what.address <= beside) {
    left.begin = next->first;
    left.bytes = next->second;
  } else if (next != registered_.begin()) {
    const auto& [begin, bytes] = *std::prev(next);
    if (what.address - (begin + bytes) > beside) return false;
    left.begin = begin;
    left.bytes = bytes;
  } else {
    return false;
  }
  for (std::size_t i = 0; i + sizeof(void*) <= parameters_.bytes; i += sizeof(void*)) {
    std::uintptr_t given = 0;
    std::memcpy(&given, reinterpret_cast<const void*>(parameters_.begin + i), sizeof given);
    const bool is_of_left = given - left.begin <= left.bytes;
    if (!is_of_left && given - what.address + beside <= 2 * beside) return false;
  }
  finding wrong{finding_kind::out_of_bounds, cudaErrorIllegalAddress, grid_->kernel->signature};
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(what.way);
  wrong.memory = spot_in(left, what);
  collect(std::move(wrong));
  return true;
}

void checker::touch_foreign_memory(const access& what) {
  if (parameters_.contains(what.address)) return;
  const memory_owner owner = heddle_host::find_owner(reinterpret_cast<const void*>(what.address));
  if (owner == memory_owner::machine || owner == memory_owner::running_lane) return;
  if (known_foreign_.contains(what.code)) return;
  const auto next = registered_.upper_bound(what.address);
  if (next != registered_.begin()) {
    const auto& [begin, bytes] = *std::prev(next);
    if (what.address - begin < bytes) return;
  }
  if (owner == memory_owner::nobody && !is_mapped(what.address)) return;
  known_foreign_.insert(what.code);
  if (owner == memory_owner::nobody && leaves_registered(what)) return;
  finding wrong{
      finding_kind::wrong_space, cudaErrorIllegalAddress, grid_->kernel->signature,
      owner == memory_owner::other_lane ? finding_cause::local_memory : finding_cause::host_memory};
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(what.way);
  if (owner == memory_owner::nobody) add_launch_of(running_, wrong);
  collect(std::move(wrong));
}

// A function of the host's that a stream calls knows what the stream knows.
void checker::note_access_of_host(const access& what) {
  if (asked_by_ == nullptr && host_ == nullptr) {
    host_ = races_.begin_host_action(order_.known_to_host());
  }
  block_clock& toucher = asked_by_ != nullptr ? work_at_hand() : *host_;
  if (what.how == strength::plain) {
    races_.access(toucher, 0, what.address, what.bytes, what.way, what.code);
  } else {
    races_.strong_access(toucher, 0, what.address, what.bytes, what.way, what.how, scope::system,
                         what.ordering, what.code);
  }
  if (what.way != direction::read) somebody_goes_on();
}

void checker::host_touches(access what) {
  const visit inside(door_for_host());
  if (!arena_.contains(what.address)) return note_access_of_host(what);
  const allocation* one = allocations_.find(what.address);
  const bool is_inside =
      one != nullptr && what.address - one->begin + what.bytes <= one->bytes && !one->is_freed;
  const bool may_touch = one != nullptr && one->kind != memory_kind::device &&
                         !one->is_shared_memory && !one->is_of_device_heap;
  if (is_inside && may_touch) {
    note_access_of_host(what);
    if (what.way != direction::read) memory_.write(what.address, what.bytes);
    return;
  }
  if (one == nullptr) one = allocations_.nearest(what.address);
  if (one == nullptr) return;
  const bool was_freed = one->is_freed && what.address - one->begin < one->bytes;
  finding wrong{was_freed                                       ? finding_kind::use_after_free
                : may_touch || one->kind != memory_kind::device ? finding_kind::out_of_bounds
                                                                : finding_kind::wrong_space,
                cudaErrorIllegalAddress,
                {}};
  if (wrong.kind == finding_kind::wrong_space) wrong.cause = finding_cause::device_memory;
  wrong.places.push_back(host_place(what.code, doing(what.way)));
  describe(what, wrong);
  collect(std::move(wrong));
}

void checker::active_lanes_are_parted(const heddle_host::lane_place& asking) {
  finding wrong{finding_kind::schedule_dependent,
                cudaSuccess,
                grid_->kernel->signature,
                finding_cause::none,
                {asking}};
  wrong.is_candidate = true;
  collect(std::move(wrong));
}

void checker::end_at_misaligned_atomic(const access& what) {
  finding wrong{finding_kind::misaligned, cudaErrorMisalignedAddress, grid_->kernel->signature,
                finding_cause::atomic_alignment};
  wrong.fact = heddle_host::alignment_rule{what.bytes, 0};
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(what.way);
  describe(what, wrong);
  heddle_host::fail_launch(std::move(wrong));
}

}  // namespace heddle_checker
