// Finds misaligned pointers, atomic operations and asynchronous copies.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/observer.hpp>

#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class alignment_check final : public heddle_host::observer {
 public:
  explicit alignment_check(run_state& run) : run_(run) {}

  void pointer_is_misaligned(std::uintptr_t address, unsigned alignment, direction way,
                             const void* code) {
    if (address % std::min(alignment, widest_access) == 0) return;
    if (!heddle_host::in_lane() || !run_.memory.is_seen_by_others(address)) return;
    finding wrong = misaligned(finding_cause::type_alignment, alignment, 0, way, code);
    run_.describe({address, alignment, direction::read, strength::plain, {}, {}, code}, wrong);
    run_.collect(std::move(wrong));
  }

  // The hardware would reject the operation, so this ends the grid.
  [[noreturn]] void end_at_misaligned_atomic(const access& what) {
    finding wrong = misaligned(finding_cause::atomic_alignment, what.bytes, 0, what.way, what.code);
    run_.describe(what, wrong);
    heddle_host::fail_launch(std::move(wrong));
  }

  void copy_needs_alignment(const heddle_host::lane_copy& what, std::size_t alignment) override {
    const auto is_multiple = [=](std::uintptr_t value) {
      return alignment != 0 && value % alignment == 0;
    };
    // Alignment 0: no copy of this size exists, so the addresses have nothing to comply with.
    if (!is_multiple(what.bytes)) report_copy(what, finding_cause::copy_size, alignment);
    if (alignment == 0) return;
    if (!is_multiple(number(what.from))) report_copy(what, finding_cause::copy_source, alignment);
    if (!is_multiple(number(what.to))) {
      report_copy(what, finding_cause::copy_destination, alignment);
    }
  }

 private:
  // In bytes. Some types, as in CUB, are aligned more strictly, but no load of a lane needs that.
  static constexpr unsigned widest_access = 16;

  using finding = heddle_host::finding;
  using finding_cause = heddle_host::finding_cause;

  finding misaligned(finding_cause cause, std::size_t alignment, std::size_t copied, direction way,
                     const void* code) const {
    finding wrong{heddle_host::finding_kind::misaligned, cudaErrorMisalignedAddress, run_.kernel(),
                  cause};
    wrong.fact = heddle_host::alignment_rule{alignment, copied};
    wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
    wrong.places.back().doing = doing(way);
    return wrong;
  }

  [[gnu::cold]] void report_copy(const heddle_host::lane_copy& what, finding_cause cause,
                                 std::size_t alignment) {
    const bool is_read = cause == finding_cause::copy_source;
    finding wrong = misaligned(cause, alignment, what.bytes,
                               is_read ? direction::read : direction::write, what.code);
    wrong.places.back().is_copy = true;
    run_.describe({number(is_read ? what.from : what.to),
                   static_cast<unsigned>(alignment),
                   direction::read,
                   strength::plain,
                   {},
                   {},
                   what.code},
                  wrong);
    run_.collect(std::move(wrong));
  }

  run_state& run_;
};

}  // namespace heddle_checker
