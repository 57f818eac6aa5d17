// CUDA's warp operations, implemented as meetings.
#include <device_functions.h>

#include <bit>
#include <cstdint>

#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "machine/block_state.hpp"
#include "machine/meeting/meet.hpp"

// Each operation passes on its caller's address, so that a waiting lane can be found in the source.
#define HEDDLE_CALLER __builtin_return_address(0)

namespace heddle_host {
namespace {

// The lane to read from, by PTX's rules for shfl.sync: within sections of `width` lanes; the lane
// itself if the source would lie outside its section.
[[gnu::always_inline]] inline unsigned source_lane(warp_operation mode, unsigned lane,
                                                   unsigned operand, int width) {
  const unsigned section_bits = 32u - static_cast<unsigned>(width);
  const unsigned first = lane & section_bits;
  const unsigned last = first | (~section_bits & 31u);
  const unsigned distance = operand & 31u;
  switch (mode) {
    case warp_operation::shuffle_up:
      return distance <= lane - first ? lane - distance : lane;
    case warp_operation::shuffle_down:
      return lane + distance <= last ? lane + distance : lane;
    case warp_operation::shuffle_xor:
      return (lane ^ distance) <= last ? lane ^ distance : lane;
    default:
      return first | (distance & ~section_bits);
  }
}

[[gnu::noinline]] arrival<std::uint64_t> arrive_at_shuffle_in_general(warp_operation mode,
                                                                      unsigned mask,
                                                                      std::uint64_t value,
                                                                      unsigned operand, int width,
                                                                      const void* where) {
  const unsigned lane = lane_now.block->running_thread() % lanes_per_warp;
  const unsigned source = source_lane(mode, lane, operand, width);
  if (policy().follows_warp_operations)
    lane_now.block->track_lanes().sources[lane] = {source, where};
  const auto booked = arrive_in_general(mode, mask, value, where);
  return {booked.next, &booked.result->values[source]};
}

[[gnu::always_inline]] inline arrival<std::uint64_t> arrive_at_shuffle(warp_operation mode,
                                                                       unsigned mask,
                                                                       std::uint64_t value,
                                                                       unsigned operand, int width,
                                                                       const void* where) {
  leave_lane_code();
  if (__builtin_expect(!comes_as_usual(mode, mask), 0)) {
    return arrive_at_shuffle_in_general(mode, mask, value, operand, width, where);
  }
  return arrive_as_usual(
      value, [=](const warp_meeting::round& round, unsigned lane) -> const std::uint64_t& {
        return round.values[source_lane(mode, lane, operand, width)];
      });
}

[[gnu::always_inline]] inline arrival<warp_meeting::round> arrive(warp_operation operation,
                                                                  unsigned mask,
                                                                  std::uint64_t value,
                                                                  const void* where) {
  leave_lane_code();
  if (__builtin_expect(!comes_as_usual(operation, mask), 0)) {
    return arrive_in_general(operation, mask, value, where);
  }
  return arrive_as_usual(
      value, [](const warp_meeting::round& round, unsigned) -> const auto& { return round; });
}

// In a checked run, records where a lane waits that switches here and not in its own code.
class waiting_place {
 public:
  explicit waiting_place(const void* where) {
    if (!policy().follows_warp_operations) return;
    record_ = &lane_now.block->record(lane_now.thread);
    record_->where = where;
  }
  ~waiting_place() {
    if (record_ != nullptr) record_->where = nullptr;
  }
  waiting_place(const waiting_place&) = delete;
  waiting_place& operator=(const waiting_place&) = delete;

 private:
  lane_record* record_ = nullptr;
};

}  // namespace

arrival<std::uint64_t> arrive_at_shuffle_index(unsigned mask, std::uint64_t value, unsigned operand,
                                               int width) {
  return arrive_at_shuffle(warp_operation::shuffle_index, mask, value, operand, width,
                           HEDDLE_CALLER);
}

arrival<std::uint64_t> arrive_at_shuffle_up(unsigned mask, std::uint64_t value, unsigned operand,
                                            int width) {
  return arrive_at_shuffle(warp_operation::shuffle_up, mask, value, operand, width, HEDDLE_CALLER);
}

arrival<std::uint64_t> arrive_at_shuffle_down(unsigned mask, std::uint64_t value, unsigned operand,
                                              int width) {
  return arrive_at_shuffle(warp_operation::shuffle_down, mask, value, operand, width,
                           HEDDLE_CALLER);
}

arrival<std::uint64_t> arrive_at_shuffle_xor(unsigned mask, std::uint64_t value, unsigned operand,
                                             int width) {
  return arrive_at_shuffle(warp_operation::shuffle_xor, mask, value, operand, width, HEDDLE_CALLER);
}

arrival<std::uint64_t> arrive_at_meeting(warp_operation operation, unsigned mask,
                                         std::uint64_t value) {
  const auto booked = arrive(operation, mask, value, HEDDLE_CALLER);
  return {booked.next, &booked.result->result};
}

unsigned match_any(unsigned mask, std::uint64_t value) {
  const waiting_place here(HEDDLE_CALLER);
  const auto booked = arrive(warp_operation::match_any, mask, value, HEDDLE_CALLER);
  if (booked.next != nullptr) switch_fiber(*lane_now.stopping, booked.next);
  unsigned same = 0;
  for (std::uint32_t lanes = booked.result->present; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    same |= static_cast<unsigned>(booked.result->values[lane] == value) << lane;
  }
  enter_lane_code();
  return same;
}

void make_part_of_lanes(unsigned mask) {
  const waiting_place here(HEDDLE_CALLER);
  const auto booked = arrive(warp_operation::make_group, mask, 0, HEDDLE_CALLER);
  if (booked.next != nullptr) switch_fiber(*lane_now.stopping, booked.next);
  enter_lane_code();
}

void note_end_of_kernel() {
  lane_now.block->track_lanes().at_end |= 1u << lane_now.thread % lanes_per_warp;
}

}  // namespace heddle_host
