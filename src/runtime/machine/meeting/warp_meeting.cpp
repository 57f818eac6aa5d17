// Gathers the lanes of a mask and releases them when all have arrived.
#include "machine/meeting/warp_meeting.hpp"

#include <bit>

#include <heddle_host/fault.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "machine/block_state.hpp"
#include "machine/listeners.hpp"
#include "machine/meeting/barrier_reports.hpp"
#include "machine/meeting/meet.hpp"

namespace heddle_host {

std::uint64_t value_of_absent_lane = 0x7ff4'dead'7fb4'deadull;

void set_value_of_absent_lanes(std::uint64_t bits) { value_of_absent_lane = bits; }

warp_meeting& warp_meetings::find_or_make(std::uint32_t mask, std::uint32_t ready,
                                          std::uint32_t exited) {
  warp_meeting* idle = nullptr;
  const auto consider = [&](warp_meeting& meeting) {
    if (meeting.mask == mask) return true;
    const std::uint32_t readers = meeting.rounds[0].present | meeting.rounds[1].present;
    if (meeting.arrived(exited) == 0 && (readers & ready) == 0) idle = &meeting;
    return false;
  };
  if (consider(first_)) return remember(first_);
  for (auto& meeting : others_) {
    if (consider(*meeting)) return remember(*meeting);
  }
  if (idle == nullptr) {
    others_.push_back(std::make_unique<warp_meeting>());
    idle = others_.back().get();
  }
  idle->mask = mask;
  idle->awaited = mask & ~exited;
  for (auto& round : idle->rounds) round.present = 0;
  return remember(*idle);
}

// A checked run has no recent meeting: every lane takes the general path, which records more.
warp_meeting& warp_meetings::remember(warp_meeting& met) {
  static warp_meeting unused;
  recent_ = policy().follows_warp_operations ? &unused : &met;
  return met;
}

void warp_meetings::clear() {
  others_.clear();
  first_.mask = 0;
  recent_ = &first_;
}

const warp_meeting* warp_meetings::awaited_by(unsigned lane, std::uint32_t exited) const {
  if (first_.arrived(exited) >> lane & 1) return &first_;
  for (const auto& meeting : others_) {
    if (meeting->arrived(exited) >> lane & 1) return meeting.get();
  }
  return nullptr;
}

bool warp_meetings::keeps(const std::byte* address) const {
  for (const auto& meeting : others_) {
    const auto* const first = reinterpret_cast<const std::byte*>(meeting.get());
    if (address >= first && address < first + sizeof *meeting) return true;
  }
  return false;
}

namespace {

template <typename Combine>
std::uint64_t fold(const warp_meeting::round& round, Combine combine) {
  std::uint32_t lanes = round.present;
  std::uint64_t result = round.values[static_cast<unsigned>(std::countr_zero(lanes))];
  for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
    result = combine(result, round.values[static_cast<unsigned>(std::countr_zero(lanes))]);
  }
  return result;
}

std::uint32_t lanes_with_true(const warp_meeting::round& round) {
  std::uint32_t ballot = 0;
  for (std::uint32_t lanes = round.present; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    ballot |= static_cast<std::uint32_t>(round.values[lane] != 0) << lane;
  }
  return ballot;
}

bool all_are_equal(const warp_meeting::round& round) {
  const auto first = round.values[static_cast<unsigned>(std::countr_zero(round.present))];
  for (std::uint32_t lanes = round.present; lanes; lanes &= lanes - 1) {
    if (round.values[static_cast<unsigned>(std::countr_zero(lanes))] != first) return false;
  }
  return true;
}

std::uint64_t common_result(warp_operation operation, const warp_meeting::round& round) {
  using u64 = std::uint64_t;
  switch (operation) {
    case warp_operation::ballot:
      return lanes_with_true(round);
    case warp_operation::vote_any:
      return lanes_with_true(round) != 0;
    case warp_operation::vote_all:
      return lanes_with_true(round) == round.present;
    case warp_operation::vote_uniform: {
      const std::uint32_t ballot = lanes_with_true(round);
      return ballot == 0 || ballot == round.present;
    }
    case warp_operation::match_all:
      return all_are_equal(round) ? round.present : 0;
    case warp_operation::reduce_add:
      return fold(round, [](u64 a, u64 b) { return a + b; });
    case warp_operation::reduce_min:
      return fold(round, [](u64 a, u64 b) { return a < b ? a : b; });
    case warp_operation::reduce_max:
      return fold(round, [](u64 a, u64 b) { return a < b ? b : a; });
    case warp_operation::reduce_and:
      return fold(round, [](u64 a, u64 b) { return a & b; });
    case warp_operation::reduce_or:
      return fold(round, [](u64 a, u64 b) { return a | b; });
    case warp_operation::reduce_xor:
      return fold(round, [](u64 a, u64 b) { return a ^ b; });
    default:
      return 0;
  }
}

bool gives_common_result(warp_operation operation) {
  return operation >= warp_operation::vote_any && operation != warp_operation::match_any;
}

bool is_shuffle(warp_operation operation) {
  return operation >= warp_operation::shuffle_index && operation <= warp_operation::shuffle_xor;
}

// Reports the lanes that will read a value that no lane has provided.
void report_absent_lanes(const warp_state& warp, std::uint32_t present) {
  observer* const watching = current_observer();
  if (watching == nullptr) return;
  for (std::uint32_t lanes = present; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const shuffle_source& from = warp.sources[lane];
    if (present >> from.lane & 1) continue;
    lane_place reader = lane_now.block->place(warp.number * lanes_per_warp + lane);
    reader.doing = activity::reading;
    reader.code = from.where;
    reader.mask = 0;
    watching->lane_reads_absent_lane(reader, from.lane, (warp.exited >> from.lane & 1) != 0);
  }
}

// Reports a group that is partitioned without lanes that have reached the end of the kernel.
void report_ended_lanes(const warp_state& warp, std::uint32_t mask) {
  const std::uint32_t ended = mask & warp.exited & warp.at_end;
  if (ended == 0 || current_observer() == nullptr) return;
  lanes_of_warps makers{};
  makers[warp.number] = mask & ~warp.exited;
  report_incomplete_group(
      *lane_now.block, makers,
      warp.number * lanes_per_warp + static_cast<unsigned>(std::countr_zero(ended)));
}

}  // namespace

void complete(warp_state& warp, warp_meeting& meeting) {
  warp_meeting::round& round = *meeting.gathering;
  round.present = meeting.mask & ~warp.exited;
  // The observer may choose another value for the lanes that read it.
  if (is_shuffle(meeting.operation) && policy().follows_warp_operations)
    report_absent_lanes(warp, round.present);
  for (std::uint32_t absent = ~round.present; absent; absent &= absent - 1) {
    round.values[static_cast<unsigned>(std::countr_zero(absent))] = value_of_absent_lane;
  }
  if (gives_common_result(meeting.operation)) {
    round.result = common_result(meeting.operation, round);
  }
  if (meeting.operation == warp_operation::make_group) report_ended_lanes(warp, meeting.mask);
  lane_now.block->count_meeting();
  meeting.awaited = round.present;
  meeting.gathering = &meeting.rounds[&round == &meeting.rounds[0] ? 1 : 0];
  if (observer* watching = current_observer()) {
    watching->warp_meets(lane_now.block->index(), warp.number, meeting.operation, meeting.mask,
                         round.present);
  }
}

namespace {

[[noreturn, gnu::cold]] void fail_mask(const void* where, unsigned mask, finding_cause cause,
                                       finding_kind kind = finding_kind::mask) {
  block_state& block = *lane_now.block;
  finding what = block.describe_waiting(kind, cudaErrorLaunchFailure);
  const unsigned warp = lane_now.thread / lanes_per_warp;
  std::erase_if(what.places, [&](const lane_place& place) { return place.warp != warp; });
  lane_place running = place_of_running_lane(where, true);
  running.doing = activity::exchanging;
  running.mask = mask;
  what.places.insert(what.places.begin(), running);
  what.cause = cause;
  block.fail(std::move(what));
}

}  // namespace

arrival<warp_meeting::round> arrive_in_general(warp_operation operation, std::uint32_t mask,
                                               std::uint64_t value, const void* where) {
  warp_state& warp = lane_now.block->track_lanes();
  const unsigned lane = lane_now.thread % lanes_per_warp;
  const std::uint32_t me = 1u << lane;
  if ((mask & me) == 0) fail_mask(where, mask, finding_cause::caller_outside_mask);
  warp_meeting& meeting = warp.meetings.of(mask, warp.ready | warp.offered, warp.exited);
  if (meeting.arrived(warp.exited) == 0) {
    meeting.operation = operation;
  } else if (meeting.operation != operation) {
    const bool makes_group =
        operation == warp_operation::make_group || meeting.operation == warp_operation::make_group;
    fail_mask(where, mask, finding_cause::different_operations,
              makes_group ? finding_kind::divergent_collective : finding_kind::mask);
  }
  warp_meeting::round& round = *meeting.gathering;
  round.values[lane] = value;
  meeting.awaited &= ~me;
  if (meeting.awaited == 0) {
    complete(warp, meeting);
    lane_now.block->order().make_ready(warp, round.present & ~me);
    return {nullptr, &round};
  }
  return {stop(warp, warp.lanes[lane]), &round};
}

void complete_without_exited(warp_state& warp, warp_meeting& meeting) {
  const warp_meeting::round& round = *meeting.gathering;
  complete(warp, meeting);
  lane_now.block->order().make_ready(warp, round.present);
}

}  // namespace heddle_host
