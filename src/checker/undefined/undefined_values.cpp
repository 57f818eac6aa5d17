// Values that nobody has written, or that absent lanes should have brought: whether the program
// depends on them.
#include <bit>
#include <map>
#include <memory>
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/meeting.hpp>

#include "checker/checker.hpp"
#include "checker/lane_accesses.hpp"
#include "checker/memory/plain_word.hpp"
#include "checker/memory/poisons.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;
using heddle_host::lane_place;

namespace {

// No plausible number of any type, and no pattern of fresh memory.
constexpr std::uint64_t absent_value = std::rotl(first_poison, 24);

}  // namespace

void checker::look_closely(access what) {
  lent_.give_back();
  if (left_index_.accesses_to_look_at != 0) name_left_array(what);
  if (probe_.follows()) {
    probe_.follow(running_lane(), what.address, what.bytes, what.way != direction::read, what.code);
  }
  looks_closely_ = left_index_.accesses_to_look_at != 0 || probe_.follows();
}

void checker::lane_prints(const char* text, std::size_t bytes) {
  if (probe_.follows()) probe_.follow_text(running_lane(), text, bytes);
}

finding checker::unwritten_load(const access& what) {
  lane_place place = heddle_host::place_of_running_lane(what.code, true);
  place.doing = doing(what.way);
  if (const finding* const copied = origins_.find(what.address)) {
    finding wrong = *copied;
    wrong.count = 1;
    if (wrong.places.back().code != place.code) wrong.places.push_back(place);
    return wrong;
  }
  finding wrong{finding_kind::uninitialized,
                cudaSuccess,
                grid_->kernel->signature,
                finding_cause::none,
                {place}};
  if (!locals_.contains(what.address)) {
    describe(what, wrong);
  } else if (const local_array* const one = locals_.around(what.address)) {
    wrong.memory = spot_in(allocation_of(*one), what);
  }
  return wrong;
}

// An update has been noted as a store already.
bool checker::is_unwritten(std::uintptr_t byte, const access& of) const {
  if (of.way != direction::read) return true;
  return locals_.contains(byte) ? !locals_.is_written(byte) : !memory_.is_written(byte, 1);
}

void checker::lane_loads_unwritten(const access& what) {
  if (explorer_ != nullptr) {  // it is asked when the interleaving is run again
    finding candidate = unwritten_load(what);
    candidate.is_candidate = true;
    return collect(std::move(candidate));
  }
  if (probe_.is_open(what.code) && !foresight_.is_busy()) {
    probe_.ask(what.code, false, unwritten_load(what));
    looks_closely_ = true;
  } else {
    probe_.count(what.code);
  }
  if (!probe_.is_rerun()) return;
  for (unsigned i = 0; i < what.bytes; ++i) {
    if (is_unwritten(what.address + i, what)) probe_.prepare_byte(what.code, what.address + i);
  }
}

void checker::lane_reads_absent_lane(const lane_place& reader, unsigned absent, bool has_exited) {
  const auto& block = *static_cast<block_record*>(heddle_host::lane_now.observed);
  const unsigned thread = reader.warp * 32 + absent;
  // The machine takes the lanes that a block does not have for exited.
  const bool exists = thread < block.exits.size();
  finding wrong{finding_kind::mask,
                cudaSuccess,
                grid_->kernel->signature,
                !exists      ? finding_cause::source_missing
                : has_exited ? finding_cause::source_exited
                             : finding_cause::source_outside_mask,
                {reader}};
  if (exists && has_exited) {
    add_exit({running_, false, false, block.linear_block, thread}, block.exits[thread], wrong);
  }
  if (explorer_ != nullptr) {
    wrong.is_candidate = true;
    return collect(std::move(wrong));
  }
  if (probe_.is_open(reader.code) && !foresight_.is_busy()) {
    probe_.ask(reader.code, true, std::move(wrong));
    looks_closely_ = true;
  } else {
    probe_.count(reader.code);
  }
  heddle_host::set_value_of_absent_lanes(probe_.value_at(reader.code, absent_value));
}

void checker::judge_undefined_values(cudaError_t how) {
  const auto visible = [this](std::uintptr_t word) {
    if (!arena_.contains(word)) return std::uint8_t{0xff};  // a variable
    unsigned bytes = 0;
    for (unsigned i = 0; i < 8; ++i) bytes |= memory_.exists(word + i, 1) ? 1u << i : 0;
    return static_cast<std::uint8_t>(bytes);
  };
  for (value_probe::verdict& one : probe_.end_grid(how, visible)) {
    if (one.matters) {
      collect(std::move(one.about));
      continue;
    }
    // The copies are as undefined as what they were copied from.
    for (const value_probe::copied_word& word : one.copies) {
      for (unsigned left = word.bytes; left != 0; left &= left - 1) {
        const auto byte = static_cast<unsigned>(std::countr_zero(left));
        if (arena_.contains(word.address)) memory_.forget_write(word.address + byte, 1);
      }
    }
    origins_.add(std::move(one.about), one.copies);
  }
}

// The host gets bytes that nobody has written: a defect if it makes something of them.
void checker::host_gets_unwritten(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (!memory_.exists(from, bytes) || memory_.is_written(from, bytes)) return;
  const call_chain& calls = asked_by_ != nullptr ? *asked_by_ : calls_of_host();
  std::map<const finding*, host_values::copy> copies;  // by the load that the bytes come from
  for (std::size_t i = 0; i < bytes; ++i) {
    if (memory_.is_written(from + i, 1)) continue;
    const finding* const origin = origins_.find(from + i);
    host_values::copy& by = copies[origin];
    if (by == nullptr) {
      finding wrong =
          origin != nullptr ? *origin : finding{finding_kind::uninitialized, cudaSuccess, {}};
      wrong.count = 1;
      wrong.places.push_back(place_of(*errands_.keep(activity::copying_from, calls)));
      if (origin == nullptr) {
        describe({from + i, 0, direction::read, strength::plain, {}, {}, nullptr}, wrong);
      }
      by = std::make_shared<const finding>(std::move(wrong));
    }
    host_values_.add(to + i, static_cast<std::uint8_t>(load_word(from + i, 1)), by);
  }
}

void checker::host_copies(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  const visit inside(door_for_host());
  host_values_.move_along(to, from, bytes);
}

void checker::host_uses_undefined(access what) {
  const visit inside(door_for_host());
  auto wrong = host_values_.take(what.address, what.bytes);
  if (!wrong) return;
  wrong->places.push_back(host_place(what.code, activity::reading));
  collect(std::move(*wrong));
}

}  // namespace heddle_checker
