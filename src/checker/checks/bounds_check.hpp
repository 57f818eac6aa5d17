// Finds accesses outside an allocation or array, and to memory whose lifetime has ended.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/observer.hpp>

#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class bounds_check final : public heddle_host::observer {
 public:
  explicit bounds_check(run_state& run) : run_(run) {}

  // An access to the arena that is not entirely to existing memory.
  [[gnu::cold, gnu::noinline]] void report(access what) {
    const allocation* const one = run_.memory.allocated.nearest(what.address);
    const bool was_freed = one != nullptr && one->is_freed && what.address >= one->begin &&
                           what.address - one->begin < one->bytes;
    finding wrong =
        wrong_access(was_freed ? finding_kind::use_after_free : finding_kind::out_of_bounds, what);
    if (was_freed && one->is_shared_memory) wrong.cause = finding_cause::exited_block;
    run_.describe(what, wrong);
    run_.collect(std::move(wrong));
  }

  // An access to local arrays that is not fine.
  [[gnu::cold, gnu::noinline]] void report_local(const access& what, local_verdict verdict) {
    finding wrong = wrong_access(finding_kind::out_of_bounds, what);
    if (verdict == local_verdict::ended) {
      wrong.kind = finding_kind::use_after_free;
      wrong.cause = finding_cause::ended_scope;
    } else if (verdict == local_verdict::of_another_lane) {
      wrong.kind = finding_kind::wrong_space;
      wrong.cause = finding_cause::local_memory;
    }
    if (const local_array* const one = run_.memory.locals.around(what.address)) {
      wrong.memory = device_memory::spot_in(device_memory::allocation_of(*one), what);
    }
    run_.collect(std::move(wrong));
  }

  // Memory next to what the host has registered also belongs to the host. An access just outside
  // counts as a wrong index, unless the kernel was given a pointer to what lies there.
  bool leaves_registered(const access& what) {
    constexpr std::size_t beside = 256;
    const auto next = run_.memory.registered.upper_bound(what.address);
    allocation left;
    if (next != run_.memory.registered.end() && next->first - what.address <= beside) {
      left.begin = next->first;
      left.bytes = next->second;
    } else if (next != run_.memory.registered.begin()) {
      const auto& [begin, bytes] = *std::prev(next);
      if (what.address - (begin + bytes) > beside) return false;
      left.begin = begin;
      left.bytes = bytes;
    } else {
      return false;
    }
    const heddle_host::address_range parameters = run_.memory.parameters;
    for (std::size_t i = 0; i + sizeof(void*) <= parameters.bytes; i += sizeof(void*)) {
      std::uintptr_t given = 0;
      std::memcpy(&given, reinterpret_cast<const void*>(parameters.begin + i), sizeof given);
      const bool is_of_left = given - left.begin <= left.bytes;
      if (!is_of_left && given - what.address + beside <= 2 * beside) return false;
    }
    finding wrong = wrong_access(finding_kind::out_of_bounds, what);
    wrong.memory = device_memory::spot_in(left, what);
    run_.collect(std::move(wrong));
    return true;
  }

  // The compiler reports an index outside an array of known size. Only the access that follows has
  // the address, which shows which array it was.
  void index_leaves_array(const char* array, std::intptr_t index, const void* code) {
    if (!heddle_host::in_lane()) return;
    finding wrong{finding_kind::out_of_bounds, cudaErrorIllegalAddress, run_.kernel(),
                  finding_cause::index};
    wrong.fact = heddle_host::array_index{index, array};
    wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
    if (code_of_left_arrays_.insert(code).second) {
      left_ = {accesses_to_look_at,
               heddle_host::lane_now.observed,
               heddle_host::lane_now.thread,
               {index, extents_in(array)},
               wrong};
      run_.looks_closely = true;
    }
    run_.collect(std::move(wrong));
  }
  [[nodiscard]] bool looks_for_array() const { return left_.accesses_left != 0; }
  [[gnu::cold, gnu::noinline]] void name_left_array(const access& what) {
    if (left_.block != heddle_host::lane_now.observed ||
        left_.thread != heddle_host::lane_now.thread) {
      return;
    }
    --left_.accesses_left;
    const allocation* array = nullptr;
    run_.memory.allocated.for_each([&](const allocation& one) {
      if (!one.is_freed && is_left_by(one, left_.how, what.address)) array = &one;
    });
    allocation local;
    const local_arrays& locals = run_.memory.locals;
    if (locals.contains(what.address) && locals.around(what.address) != nullptr) {
      local = device_memory::allocation_of(*locals.around(what.address));
      if (is_left_by(local, left_.how, what.address)) array = &local;
    }
    if (array == nullptr) return;
    left_.accesses_left = 0;
    finding named = left_.reported;
    named.memory = device_memory::spot_in(*array, what);
    named.places.back().doing = doing(what.way);
    named.count = 0;  // already counted
    run_.collect(std::move(named));
  }

 private:
  using finding = heddle_host::finding;
  using finding_cause = heddle_host::finding_cause;
  using finding_kind = heddle_host::finding_kind;

  // Other operands of the statement may be accessed first.
  static constexpr unsigned accesses_to_look_at = 8;

  struct left_index {
    unsigned accesses_left = 0;
    void* block = nullptr;
    unsigned thread = 0;
    array_index how;
    finding reported{};
  };

  finding wrong_access(finding_kind kind, const access& what) const {
    finding wrong{kind, cudaErrorIllegalAddress, run_.kernel()};
    wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
    wrong.places.back().doing = doing(what.way);
    return wrong;
  }

  // Returns {4, 5} for 'float [4][5]'.
  static std::vector<std::size_t> extents_in(const char* type) {
    std::vector<std::size_t> extents;
    for (const char* at = std::strchr(type, '['); at != nullptr; at = std::strchr(at + 1, '[')) {
      extents.push_back(std::strtoul(at + 1, nullptr, 10));
    }
    return extents;
  }

  run_state& run_;
  left_index left_;
  std::set<const void*> code_of_left_arrays_;  // whose array was already searched for
};

}  // namespace heddle_checker
