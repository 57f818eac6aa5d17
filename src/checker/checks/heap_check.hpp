// Serves malloc, free, new and delete of lanes from the arena, so that every check applies to the
// device heap, and finds wrong frees.
#pragma once
#include <cstddef>
#include <utility>

#include <heddle_host/arena.hpp>
#include <heddle_host/fault.hpp>
#include <heddle_host/observer.hpp>

#include "checker/memory/poisons.hpp"
#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class heap_check final : public heddle_host::observer {
 public:
  explicit heap_check(run_state& run) : run_(run) {}

  void* lane_allocates(std::size_t bytes, const void* code) {
    void* const block = heddle_host::take_from_arena(bytes);
    if (block == nullptr) return nullptr;
    allocation made;
    made.begin = number(block);
    made.bytes = bytes;
    made.is_of_device_heap = true;
    made.made = {code};
    run_.memory.state.begin(made.begin, bytes);
    run_.memory.allocated.add(std::move(made));
    fill_with_poison(block, bytes);
    run_.progress.something_happens();
    return block;
  }

  void lane_frees(void* pointer, const void* code) {
    using heddle_host::finding_cause;
    using heddle_host::finding_kind;
    if (pointer == nullptr) return;
    allocation* const one = run_.memory.allocated.find(number(pointer));
    if (one != nullptr && one->is_of_device_heap && one->begin == number(pointer) &&
        !one->is_freed) {
      run_.memory.state.end(one->begin, one->bytes);
      one->is_freed = true;
      one->freed = {code};
      run_.progress.something_happens();
      return;
    }
    const bool was_freed = one != nullptr && one->is_freed;
    heddle_host::finding wrong{was_freed ? finding_kind::use_after_free : finding_kind::wrong_space,
                               cudaErrorIllegalAddress, run_.kernel(),
                               was_freed ? finding_cause::freed_twice : finding_cause::not_of_heap};
    wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
    run_.describe({number(pointer), 0, direction::write, strength::plain, {}, {}, code}, wrong);
    run_.collect(std::move(wrong));
  }

 private:
  run_state& run_;
};

}  // namespace heddle_checker
