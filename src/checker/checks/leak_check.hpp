// Reports device memory, streams and events that the program never frees.
#pragma once
#include <set>
#include <utility>
#include <vector>

#include <heddle_host/observer.hpp>

#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class leak_check final : public heddle_host::observer {
 public:
  explicit leak_check(run_state& run) : run_(run) {}

  void handle_begins(const void* handle, heddle_host::handle_kind) override {
    excused_.erase(handle);
  }

  void report() {
    if (run_.has_failed) return;
    run_.memory.allocated.for_each([&](const allocation& one) {
      const bool is_variable = one.kind == heddle_host::memory_kind::symbol;
      if (one.is_freed || one.is_shared_memory || is_variable) return;
      if (excused_.contains(reinterpret_cast<const void*>(one.begin))) return;
      finding wrong = leak(one.made, one.is_of_device_heap ? finding_cause::leaked_heap_memory
                                                           : finding_cause::leaked_memory);
      run_.describe(spot_at(one.begin), wrong);
      run_.collect(std::move(wrong));
    });
    run_.handles.for_each_open([&](const void* handle, const handle_record& one) {
      if (excused_.contains(handle)) return;
      const bool is_stream = one.kind == heddle_host::handle_kind::stream;
      if (!is_stream && one.kind != heddle_host::handle_kind::event) return;
      finding wrong =
          leak(one.made, is_stream ? finding_cause::leaked_stream : finding_cause::leaked_event);
      heddle_host::memory_spot spot;
      spot.allocated_at = one.made;
      wrong.memory = std::move(spot);
      run_.collect(std::move(wrong));
    });
  }

  // A part of the program that is checked separately does not leak what it did not allocate.
  void begin_part() {
    before_part_ = excused_;
    for_each_open([&](const void* one) { excused_.insert(one); });
  }
  // The whole program does not leak what was reported for the part.
  void end_part() {
    std::set<const void*> excused = std::move(before_part_);
    for_each_open([&](const void* one) {
      if (!excused_.contains(one)) excused.insert(one);
    });
    excused_ = std::move(excused);
  }

 private:
  using finding = heddle_host::finding;
  using finding_cause = heddle_host::finding_cause;

  static finding leak(const std::vector<const void*>& made, finding_cause what) {
    finding wrong{heddle_host::finding_kind::leak, cudaSuccess, {}, what};
    for (const void* call : made) {
      wrong.places.push_back(host_place(call, heddle_host::activity::running));
    }
    return wrong;
  }
  template <typename Function>
  void for_each_open(Function see) const {
    run_.memory.allocated.for_each([&](const allocation& one) {
      if (!one.is_freed) see(reinterpret_cast<const void*>(one.begin));
    });
    run_.handles.for_each_open([&](const void* handle, const handle_record&) { see(handle); });
  }

  run_state& run_;
  std::set<const void*> excused_, before_part_;  // memory and handles
};

}  // namespace heddle_checker
