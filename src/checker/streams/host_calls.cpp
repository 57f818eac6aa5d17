// Calls of the host that fail, and what it never gives back.
#include <cuda_runtime_api.h>

#include <utility>

#include "checker/checker.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;
using heddle_host::handle_kind;

void checker::handle_begins(const void* handle, handle_kind kind) {
  const visit inside(door_for_host());
  handles_[handle] = {kind, calls_of_host(), {}};
  kept_.erase(handle);
}

void checker::handle_ends(const void* handle, handle_kind) {
  const visit inside(door_for_host());
  if (const auto found = handles_.find(handle); found != handles_.end()) {
    found->second.ended = calls_of_host();
  }
}

void checker::call_fails(const heddle_host::failed_call& what) {
  const visit inside(door_for_host());
  const std::uintptr_t subject = number(what.subject);
  const allocation* const memory = arena_.contains(subject) ? allocations_.find(subject) : nullptr;
  finding wrong{what.is_wrong_space ? finding_kind::wrong_space : finding_kind::api_error,
                what.error, what.kernel != nullptr ? what.kernel : "",
                what.is_wrong_space ? finding_cause::copy_direction : finding_cause::failed_call};
  wrong.fact =
      heddle_host::cuda_error{cudaGetErrorName(what.error), cudaGetErrorString(what.error)};
  const auto calls = what.launched_by != nullptr ? *what.launched_by : calls_of_host();
  for (const void* call : calls) wrong.places.push_back(host_place(call, activity::running));
  if (memory != nullptr) {
    // To free memory twice is a call's error; to copy from what was freed is a use.
    if (memory->is_freed && subject != memory->begin) {
      wrong.kind = finding_kind::use_after_free;
      wrong.cause = finding_cause::failed_call;
    }
    describe({subject, 0, direction::read, strength::plain, {}, {}, nullptr}, wrong);
  } else if (const auto found = handles_.find(what.subject); found != handles_.end()) {
    heddle_host::memory_spot spot;
    spot.allocated_at = found->second.made;
    spot.freed_at = found->second.ended;
    wrong.memory = std::move(spot);
  }
  collect(std::move(wrong));
}

void checker::report_leaks() {
  if (has_failed_) return;
  const auto tell = [&](const std::vector<const void*>& made, finding_cause what) -> finding {
    finding wrong{finding_kind::leak, cudaSuccess, {}, what};
    for (const void* call : made) wrong.places.push_back(host_place(call, activity::running));
    return wrong;
  };
  allocations_.for_each([&](const allocation& one) {
    const bool is_declared = one.kind == heddle_host::memory_kind::symbol;
    if (one.is_freed || one.is_shared_memory || is_declared) return;
    if (kept_.contains(reinterpret_cast<const void*>(one.begin))) return;
    finding wrong = tell(one.made, one.is_of_device_heap ? finding_cause::leaked_heap_memory
                                                         : finding_cause::leaked_memory);
    describe({one.begin, 0, direction::read, strength::plain, {}, {}, nullptr}, wrong);
    collect(std::move(wrong));
  });
  for (const auto& [handle, one] : handles_) {
    if (!one.ended.empty() || kept_.contains(handle)) continue;
    if (one.kind != handle_kind::stream && one.kind != handle_kind::event) continue;
    finding wrong = tell(one.made, one.kind == handle_kind::stream ? finding_cause::leaked_stream
                                                                   : finding_cause::leaked_event);
    heddle_host::memory_spot spot;
    spot.allocated_at = one.made;
    wrong.memory = std::move(spot);
    collect(std::move(wrong));
  }
}

}  // namespace heddle_checker
