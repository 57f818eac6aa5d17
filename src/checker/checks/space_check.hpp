// Finds accesses to the wrong address space: host memory in a kernel, device memory on the host,
// another lane's local memory, stores to __constant__ memory.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/observer.hpp>

#include "checker/checks/bounds_check.hpp"
#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class space_check final : public heddle_host::observer {
 public:
  space_check(run_state& run, bounds_check& bounds) : run_(run), bounds_(bounds) {}

  // A lane accesses memory that belongs neither to the device nor to the lane.
  [[gnu::cold, gnu::noinline]] void lane_touches_foreign(const access& what) {
    using heddle_host::memory_owner;
    if (run_.memory.parameters.contains(what.address)) return;
    const memory_owner owner = heddle_host::find_owner(reinterpret_cast<const void*>(what.address));
    if (owner == memory_owner::machine || owner == memory_owner::running_lane) return;
    if (known_.contains(what.code) || is_registered(what.address)) return;
    if (owner == memory_owner::nobody && !is_mapped(what.address)) return;
    known_.insert(what.code);
    if (owner == memory_owner::nobody && bounds_.leaves_registered(what)) return;
    finding wrong = wrong_access(owner == memory_owner::other_lane ? finding_cause::local_memory
                                                                   : finding_cause::host_memory,
                                 what);
    if (owner == memory_owner::nobody) run_.where.add_launch_of(run_.running, wrong);
    run_.collect(std::move(wrong));
  }

  [[gnu::cold, gnu::noinline]] void report_store_to_constant(const access& what) {
    finding wrong = wrong_access(finding_cause::constant_memory, what);
    run_.describe(what, wrong);
    run_.collect(std::move(wrong));
  }

  // The host accesses the arena. False: the access was reported and must not be followed further.
  bool host_may_touch(const access& what) {
    const allocation* one = run_.memory.allocated.find(what.address);
    const bool is_inside =
        one != nullptr && what.address - one->begin + what.bytes <= one->bytes && !one->is_freed;
    const bool may_touch = one != nullptr && one->kind != heddle_host::memory_kind::device &&
                           !one->is_shared_memory && !one->is_of_device_heap;
    if (is_inside && may_touch) return true;
    if (one == nullptr) one = run_.memory.allocated.nearest(what.address);
    if (one == nullptr) return false;
    const bool was_freed = one->is_freed && what.address - one->begin < one->bytes;
    const bool is_device_memory = !may_touch && one->kind == heddle_host::memory_kind::device;
    finding wrong{was_freed           ? finding_kind::use_after_free
                  : !is_device_memory ? finding_kind::out_of_bounds
                                      : finding_kind::wrong_space,
                  cudaErrorIllegalAddress,
                  {}};
    if (wrong.kind == finding_kind::wrong_space) wrong.cause = finding_cause::device_memory;
    wrong.places.push_back(host_place(what.code, doing(what.way)));
    run_.describe(what, wrong);
    run_.collect(std::move(wrong));
    return false;
  }

  // A part of the program that is checked separately starts with its own set.
  std::set<const void*> replace_known(std::set<const void*> by) {
    return std::exchange(known_, std::move(by));
  }

 private:
  using finding = heddle_host::finding;
  using finding_cause = heddle_host::finding_cause;
  using finding_kind = heddle_host::finding_kind;

  finding wrong_access(finding_cause cause, const access& what) const {
    finding wrong{finding_kind::wrong_space, cudaErrorIllegalAddress, run_.kernel(), cause};
    wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
    wrong.places.back().doing = doing(what.way);
    return wrong;
  }
  [[nodiscard]] bool is_registered(std::uintptr_t address) const {
    const auto next = run_.memory.registered.upper_bound(address);
    return next != run_.memory.registered.begin() &&
           address - std::prev(next)->first < std::prev(next)->second;
  }
  // An access to an unmapped page raises a signal, and is reported then.
  static bool is_mapped(std::uintptr_t address) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    unsigned char ignored = 0;
    return mincore(reinterpret_cast<void*>(address / page * page), 1, &ignored) == 0;
  }

  run_state& run_;
  bounds_check& bounds_;
  std::set<const void*> known_;  // code that was seen to access foreign memory
};

}  // namespace heddle_checker
