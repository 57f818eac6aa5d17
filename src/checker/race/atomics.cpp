// Releases and acquires through atomic accesses and fences.
#include <algorithm>
#include <bit>
#include <utility>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {
namespace {

constexpr std::size_t most_marks = 4;
constexpr std::uint32_t no_device = ~0u;

lane_messages& messages_of(lane_clock& lane) {
  if (lane.messages == nullptr) lane.messages = std::make_unique<lane_messages>();
  return *lane.messages;
}

lane_messages::mark* find_mark(lane_messages& messages, std::uintptr_t location) {
  const auto found = std::ranges::find(messages.marks, location, &lane_messages::mark::location);
  return found == messages.marks.end() ? nullptr : &*found;
}

lane_messages::mark& mark_of(lane_messages& messages, std::uintptr_t location) {
  if (lane_messages::mark* const found = find_mark(messages, location)) return *found;
  if (messages.marks.size() == most_marks) messages.marks.erase(messages.marks.begin());
  messages.marks.push_back({location, {}, {}});
  return messages.marks.back();
}

// A release at one scope also reaches all narrower scopes.
void put_up_to(by_scope& all, scope reach, const vector_clock& what) {
  for (unsigned level = 0; level <= static_cast<unsigned>(reach); ++level) all[level] = what;
}

bool acquires(order ordering) {
  return ordering == order::acquire || ordering == order::acq_rel || ordering == order::seq_cst;
}
bool releases(order ordering) {
  return ordering == order::release || ordering == order::acq_rel || ordering == order::seq_cst;
}

}  // namespace

scope_ids race_detector::scope_ids_of(const block_clock& block) const {
  return {block.instance, timeline_.at(block.instance).cluster,
          agents_.is_host(block.of) ? no_device : agents_.device(block.of), 0};
}

vector_clock race_detector::everything_known(const block_clock& block, unsigned thread) const {
  const lane_clock& lane = block.lanes[thread];
  const unsigned warp = thread / lanes_per_warp;
  std::array<unit_known, 1 + lanes_per_warp> units;
  unsigned count = 0;
  if (lane.warp_known > block.known) units[count++] = {unit_known::warp(warp), lane.warp_known - 1};
  for (unsigned i = 0; i < lanes_per_warp; ++i) {
    const unsigned other = warp * lanes_per_warp + i;
    const segment_id until = other == thread                ? lane.segment()
                             : lane.partly_known != nullptr ? (*lane.partly_known)[i]
                                                            : 0;
    if (until >= block.known) units[count++] = {unit_known::lane(other), until};
  }
  vector_clock all = vector_clock::of_block(block.instance, block.known - 1, {units.data(), count});
  all.join(block.own_agent);
  all.join(lane.learned);
  return all;
}

void race_detector::learn(block_clock& block, unsigned thread, const vector_clock& what) {
  if (what.is_empty()) return;
  block.lanes[thread].learned.join(what);
  block.has_learned = true;
}

void race_detector::acquire(block_clock& block, unsigned thread, std::uintptr_t location,
                            scope reach, const publications::message* released, bool is_acquire) {
  lane_clock& lane = block.lanes[thread];
  const scope_ids whose = scope_ids_of(block);
  if (is_acquire) {
    if (released != nullptr) learn(block, thread, publications::acquire(*released, whose, reach));
    const auto* const mark =
        lane.messages == nullptr ? nullptr : find_mark(*lane.messages, location);
    if (mark != nullptr) learn(block, thread, mark->seen[static_cast<unsigned>(reach)]);
  }
  // Keep it for a later fence, which may acquire at a wider scope.
  if (released == nullptr || (is_acquire && !publications::reaches_beyond(*released, reach)))
    return;
  lane_messages& messages = messages_of(lane);
  lane_messages::mark& mark = mark_of(messages, location);
  for (unsigned level = 0; level < scopes; ++level) {
    const vector_clock acquired =
        publications::acquire(*released, whose, static_cast<scope>(level));
    messages.seen[level].join(acquired);
    mark.seen[level].join(acquired);
  }
}

void race_detector::release(block_clock& block, unsigned thread, std::uintptr_t location,
                            scope reach, bool is_release) {
  lane_clock& lane = block.lanes[thread];
  if (is_release) {
    has_released_ = true;
    lane_messages& messages = messages_of(lane);
    put_up_to(mark_of(messages, location).released, reach, everything_known(block, thread));
    move_on(block, thread);
  }
  if (lane.messages == nullptr) return;
  // What counts is the scope of the fence or the release, not that of this store.
  const scope_ids whose = scope_ids_of(block);
  const lane_messages::mark* const mark = find_mark(*lane.messages, location);
  by_scope fenced = lane.messages->fenced;
  if (is_release) put_up_to(fenced, reach, {});  // the release includes it
  publications_.release(location, whose, fenced);
  if (mark != nullptr) publications_.release(location, whose, mark->released);
}

void race_detector::fence(block_clock& block, unsigned thread, scope reach, order ordering) {
  make_room(1);
  has_released_ = true;
  lane_messages& messages = messages_of(block.lanes[thread]);
  learn(block, thread, messages.seen[static_cast<unsigned>(reach)]);
  put_up_to(messages.seen, reach, {});
  if (ordering == order::seq_cst && choose_store_) join_sequence(block, thread, reach);
  put_up_to(messages.fenced, reach, everything_known(block, thread));
  move_on(block, thread);
}

void race_detector::strong_access_in_general(block_clock& block, unsigned thread,
                                             std::uintptr_t address, unsigned bytes, direction does,
                                             strength how, scope reach, order ordering,
                                             const void* code, late_value* value) {
  make_room(3);
  block.lanes[thread].visited.note(code, codes_);
  if (how == strength::relaxed_volatile) reach = scope::system;
  if (ordering == order::seq_cst) fence(block, thread, reach, ordering);
  is_reported_ = false;
  unfenced_.reset();
  follows_apparent_order_ = follows_apparent_order_ || how == strength::relaxed_volatile;
  if (follows_apparent_order_ && does != direction::read) {
    if (does == direction::update) learn_apparently(block, thread, address);
    publish_apparently(block, thread, address, does == direction::update);
  }
  const force with = force_of(how, reach);
  const auto log_size = static_cast<unsigned>(std::bit_width(bytes) - 1);
  const bool is_update = does == direction::update;
  const record fresh =
      record::make(block.lanes[thread].stamp, codes_.number(code), with, is_update, log_size);
  const bool may_be_late = value != nullptr && choose_store_ && bytes <= sizeof value->held;
  if (early_) judge_early_load(block, thread, address);
  if (value != nullptr && value->promised) {
    early_ = {address, fresh, false};
    value->seen = value->promised;
  }
  const past_choice chosen = may_be_late && !value->promised
                                 ? choose_past(block, thread, address, bytes, does, *value)
                                 : past_choice{};
  bool sees_newest = true;
  shadow_.for_each_cell(address, bytes, [&](const cell& where, std::uintptr_t at) {
    const record newest = *where.write;
    sees_newest = sees_newest && !newest.is_none() && are_strong_together(newest, fresh, block);
    remember(where, block, {fresh, does, thread, at});
  });
  if (follows_apparent_order_ && does == direction::read && chosen.older == nullptr) {
    learn_apparently(block, thread, address);
  }
  const bool has_messages = block.lanes[thread].messages != nullptr;
  const bool may_synchronize =
      ordering != order::relaxed || has_messages || !publications_.is_empty();
  const bool is_early = value != nullptr && value->promised;
  if (may_synchronize && does != direction::write && !is_early) {
    const publications::message* released = publications_.find(address);
    if (chosen.older != nullptr) {
      sees_newest = are_strong_together(chosen.older->by, fresh, block);
      released = &chosen.older->released;
    }
    acquire(block, thread, address, reach, sees_newest ? released : nullptr, acquires(ordering));
  }
  if (does == direction::read) {
    if (chosen.older != nullptr) value->seen = chosen.older->value;
    return;
  }
  publications::message newest;
  if (value != nullptr && value->is_overtaken) newest = publications_.take(address);
  if (may_synchronize) {
    // An update continues the release sequence of the write that it read.
    if (!is_update || !sees_newest) publications_.forget(address);
    release(block, thread, address, reach, releases(ordering));
  }
  if (chosen.past == nullptr) return;
  keep_store(chosen, address, fresh, *value, std::move(newest));
  if (value->fulfils_promise) keep_early_load(chosen, address);
}

}  // namespace heddle_checker
