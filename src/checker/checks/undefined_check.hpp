// Finds uses of undefined values: memory that nobody has written, and values that a shuffle, vote
// or match should get from an absent lane.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/meeting.hpp>
#include <heddle_host/observer.hpp>

#include "checker/memory/plain_word.hpp"
#include "checker/memory/poisons.hpp"
#include "checker/places.hpp"
#include "checker/run_state.hpp"
#include "checker/undefined/host_values.hpp"
#include "checker/undefined/origins.hpp"

namespace heddle_checker {

class undefined_check final : public heddle_host::observer {
 public:
  explicit undefined_check(run_state& run) : run_(run) {}

  // The running lane loads bytes that nobody has written.
  [[gnu::cold, gnu::noinline]] void lane_loads_unwritten(const access& what) {
    if (run_.order.exploring != nullptr) {  // decided when the interleaving runs again
      finding candidate = unwritten_load(what);
      candidate.is_candidate = true;
      return run_.collect(std::move(candidate));
    }
    if (run_.probe.is_open(what.code) && !run_.weak.promises.is_busy()) {
      run_.probe.ask(what.code, false, unwritten_load(what));
      run_.looks_closely = true;
    } else {
      run_.probe.count(what.code);
    }
    if (!run_.probe.is_rerun()) return;
    for (unsigned i = 0; i < what.bytes; ++i) {
      if (is_unwritten(what.address + i, what)) {
        run_.probe.prepare_byte(what.code, what.address + i);
      }
    }
  }

  void lane_reads_absent_lane(const heddle_host::lane_place& reader, unsigned absent,
                              bool has_exited) override {
    const block_record& block = running_block();
    const unsigned thread = reader.warp * 32 + absent;
    // The runtime counts the missing lanes of a partial warp as exited.
    const bool exists = thread < block.exits.size();
    finding wrong{finding_kind::mask,
                  cudaSuccess,
                  run_.kernel(),
                  !exists      ? finding_cause::source_missing
                  : has_exited ? finding_cause::source_exited
                               : finding_cause::source_outside_mask,
                  {reader}};
    if (exists && has_exited && block.exits[thread] != nullptr) {
      wrong.places.push_back(run_.exit_of({run_.running, false, false, block.linear_block, thread},
                                          block.exits[thread]));
    }
    if (run_.order.exploring != nullptr) {
      wrong.is_candidate = true;
      return run_.collect(std::move(wrong));
    }
    if (run_.probe.is_open(reader.code) && !run_.weak.promises.is_busy()) {
      run_.probe.ask(reader.code, true, std::move(wrong));
      run_.looks_closely = true;
    } else {
      run_.probe.count(reader.code);
    }
    heddle_host::set_value_of_absent_lanes(run_.probe.value_at(reader.code, absent_value));
  }

  // Called while values are followed.
  void lane_touches(const access& what) {
    if (run_.probe.follows()) {
      run_.probe.follow(running_lane(), what.address, what.bytes, what.way != direction::read,
                        what.code);
    }
  }
  void lane_prints(const char* text, std::size_t bytes) {
    if (run_.probe.follows()) run_.probe.follow_text(running_lane(), text, bytes);
  }

  void grid_ends(const heddle_host::launch_request&, cudaError_t how) override {
    const auto visible = [this](std::uintptr_t word) {
      if (!run_.memory.arena.contains(word)) return std::uint8_t{0xff};  // a variable
      unsigned bytes = 0;
      for (unsigned i = 0; i < 8; ++i) bytes |= run_.memory.state.exists(word + i, 1) ? 1u << i : 0;
      return static_cast<std::uint8_t>(bytes);
    };
    for (value_probe::verdict& one : run_.probe.end_grid(how, visible)) {
      if (one.matters) {
        run_.collect(std::move(one.about));
        continue;
      }
      // Copies are as undefined as their source.
      for (const value_probe::copied_word& word : one.copies) {
        for (unsigned left = word.bytes; left != 0; left &= left - 1) {
          const auto byte = static_cast<unsigned>(std::countr_zero(left));
          if (run_.memory.arena.contains(word.address)) {
            run_.memory.state.forget_write(word.address + byte, 1);
          }
        }
      }
      origins_.add(std::move(one.about), one.copies);
    }
  }

  // A copy within device memory.
  void bytes_are_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
    origins_.move_along(to, from, bytes);
  }

  // A copy to the host of bytes that nobody has written: a defect if the host uses them.
  void host_gets(std::uintptr_t to, std::uintptr_t from, std::size_t bytes,
                 const call_chain& calls) {
    if (!run_.memory.state.exists(from, bytes) || run_.memory.state.is_written(from, bytes)) return;
    std::map<const finding*, host_values::copy> copies;  // by the load that the bytes come from
    for (std::size_t i = 0; i < bytes; ++i) {
      if (run_.memory.state.is_written(from + i, 1)) continue;
      const finding* const origin = origins_.find(from + i);
      host_values::copy& by = copies[origin];
      if (by == nullptr) {
        finding wrong =
            origin != nullptr ? *origin : finding{finding_kind::uninitialized, cudaSuccess, {}};
        wrong.count = 1;
        wrong.places.push_back(
            locations::place_of(*run_.where.keep(heddle_host::activity::copying_from, calls)));
        if (origin == nullptr) run_.describe(spot_at(from + i), wrong);
        by = std::make_shared<const finding>(std::move(wrong));
      }
      host_values_.add(to + i, static_cast<std::uint8_t>(load_word(from + i, 1)), by);
    }
  }
  [[nodiscard]] bool may_be_undefined_on_host(std::uintptr_t address) const {
    return host_values_.may_hold(address);
  }
  void host_copies(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
    host_values_.move_along(to, from, bytes);
  }
  void host_uses(const access& what) {
    auto wrong = host_values_.take(what.address, what.bytes);
    if (!wrong) return;
    wrong->places.push_back(host_place(what.code, heddle_host::activity::reading));
    run_.collect(std::move(*wrong));
  }

 private:
  using finding = heddle_host::finding;
  using finding_cause = heddle_host::finding_cause;
  using finding_kind = heddle_host::finding_kind;

  // Not a plausible number of any type, nor a pattern of fresh memory.
  static constexpr std::uint64_t absent_value = std::rotl(first_poison, 24);

  // An update has already been recorded as a store.
  [[nodiscard]] bool is_unwritten(std::uintptr_t byte, const access& of) const {
    if (of.way != direction::read) return true;
    return run_.memory.locals.contains(byte) ? !run_.memory.locals.is_written(byte)
                                             : !run_.memory.state.is_written(byte, 1);
  }

  [[nodiscard]] finding unwritten_load(const access& what) {
    heddle_host::lane_place place = heddle_host::place_of_running_lane(what.code, true);
    place.doing = doing(what.way);
    if (const finding* const copied = origins_.find(what.address)) {
      finding wrong = *copied;
      wrong.count = 1;
      if (wrong.places.back().code != place.code) wrong.places.push_back(place);
      return wrong;
    }
    finding wrong{
        finding_kind::uninitialized, cudaSuccess, run_.kernel(), finding_cause::none, {place}};
    if (!run_.memory.locals.contains(what.address)) {
      run_.describe(what, wrong);
    } else if (const local_array* const one = run_.memory.locals.around(what.address)) {
      wrong.memory = device_memory::spot_in(device_memory::allocation_of(*one), what);
    }
    return wrong;
  }

  run_state& run_;
  origins origins_;          // of undefined values that were copied
  host_values host_values_;  // undefined values that were copied to the host
};

}  // namespace heddle_checker
