// What is told of accesses that are wrong: who, where, and to which memory.
#include <utility>

#include <heddle_host/fault.hpp>

#include "checker/checker.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;

heddle_host::lane_place checker::place_of(const side& who) const {
  const auto found = grids_.find(who.of);
  if (who.is_host || found == grids_.end()) return place_on_host(who);
  heddle_host::lane_place place{};
  place.doing = doing(who.does);
  place.code = who.code;
  place.is_return_address = true;
  place.is_copy = who.is_copy;
  const grid_record& grid = found->second;
  const auto block = static_cast<unsigned>(who.block % (std::uint64_t{grid.grid.x} * grid.grid.y));
  place.block = {block % grid.grid.x, block / grid.grid.x,
                 static_cast<unsigned>(who.block / (std::uint64_t{grid.grid.x} * grid.grid.y))};
  const unsigned row = who.thread / grid.block.x;
  place.thread = {who.thread % grid.block.x, row % grid.block.y, row / grid.block.y};
  place.warp = who.thread / 32;
  place.lane = who.thread % 32;
  place.kernel = grid.kernel.c_str();
  return place;
}

void checker::hear_of_race(const race& what) {
  if (is_freeing_) return hear_of_use_beside_free(what);
  finding wrong{finding_kind::race, cudaSuccess, {}};
  wrong.cause = what.cause == race_cause::scope  ? finding_cause::scope
                : what.cause == race_cause::size ? finding_cause::size
                                                 : finding_cause::unordered;
  // The side that the program wants to come first is the second place.
  const bool is_swapped = what.intended == program_order::second_side;
  const side& early = is_swapped ? what.second : what.first;
  const side& late = is_swapped ? what.first : what.second;
  if (what.intended == program_order::unknown) {
    wrong.fact = heddle_host::unknown_order{};
    wrong.texts = what.texts;
  }
  for (const side* each : {&late, &early}) {
    wrong.places.push_back(place_of(*each));
    if (wrong.kernel.empty() && wrong.places.back().kernel != nullptr) {
      wrong.kernel = wrong.places.back().kernel;
    }
  }
  if (what.first.of != what.second.of) {
    for (const side* each : {&what.first, &what.second}) add_launch_of(each->of, wrong);
  }
  describe({what.address, 0, direction::read, strength::plain, {}, {}, nullptr}, wrong);
  collect(std::move(wrong));
}

void checker::barrier_has_places(const std::vector<heddle_host::lane_place>& places) {
  finding wrong{finding_kind::divergent_barrier, cudaSuccess, grid_->kernel->signature};
  wrong.places = places;
  collect(std::move(wrong));
}

void checker::pointer_is_misaligned(std::uintptr_t address, unsigned alignment, direction way,
                                    const void* code) {
  if (!heddle_host::in_lane() || !is_seen_by_others(address)) return;
  finding wrong{finding_kind::misaligned, cudaErrorMisalignedAddress, grid_->kernel->signature,
                finding_cause::type_alignment};
  wrong.fact = heddle_host::alignment_rule{alignment, 0};
  wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
  wrong.places.back().doing = doing(way);
  describe({address, alignment, direction::read, strength::plain, {}, {}, code}, wrong);
  collect(std::move(wrong));
}

void checker::copy_is_misaligned(const heddle_host::lane_copy& what, copy_part part,
                                 std::size_t alignment) {
  const bool is_read = part == copy_part::source;
  finding wrong{finding_kind::misaligned, cudaErrorMisalignedAddress, grid_->kernel->signature,
                part == copy_part::size ? finding_cause::copy_size
                : is_read               ? finding_cause::copy_source
                                        : finding_cause::copy_destination};
  wrong.fact = heddle_host::alignment_rule{alignment, what.bytes};
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(is_read ? direction::read : direction::write);
  wrong.places.back().is_copy = true;
  describe({number(is_read ? what.from : what.to),
            static_cast<unsigned>(alignment),
            direction::read,
            strength::plain,
            {},
            {},
            what.code},
           wrong);
  collect(std::move(wrong));
}

// What the memory around an access is called.
void checker::describe(const access& what, finding& in) {
  // Between variables of the program lies what is none of the device's.
  const allocation* const one = arena_.contains(what.address) ? allocations_.nearest(what.address)
                                                              : allocations_.find(what.address);
  if (one != nullptr) in.memory = spot_in(*one, what);
}

heddle_host::memory_spot checker::spot_in(const allocation& memory, const access& what) {
  heddle_host::memory_spot spot;
  spot.variable = memory.name;
  spot.is_shared = memory.is_shared_memory;
  spot.offset = static_cast<std::ptrdiff_t>(what.address - memory.begin);
  spot.access_bytes = what.bytes;
  spot.bytes = memory.bytes;
  spot.allocated_at = memory.made;
  spot.declared = memory.declared;
  spot.freed_at = memory.freed;
  return spot;
}

void checker::report_bad_access(access what) {
  const allocation* const one = allocations_.nearest(what.address);
  const bool was_freed = one != nullptr && one->is_freed && what.address >= one->begin &&
                         what.address - one->begin < one->bytes;
  finding wrong{was_freed ? finding_kind::use_after_free : finding_kind::out_of_bounds,
                cudaErrorIllegalAddress, grid_->kernel->signature};
  if (was_freed && one->is_shared_memory) wrong.cause = finding_cause::exited_block;
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(what.way);
  describe(what, wrong);
  collect(std::move(wrong));
}

}  // namespace heddle_checker
