// How a new access changes the history of a cell, where it is not one of the simple cases.
#include <algorithm>
#include <bit>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {

// The common atomic update: only atomics before it, each of which has read the previous one, and
// perhaps older writes that happen before this one.
bool race_detector::updates_simply(const cell& where, const block_clock& block,
                                   const newcomer& fresh) {
  if (fresh.does != direction::update) return false;
  const record newest = *where.write, read = *where.read;
  const std::uint64_t stamp = block.lanes[fresh.thread].stamp;
  if (read.is_elsewhere()) {
    const reader_set& all = shadow_.reader_sets()[read.index()];
    write_set older = 0;
    for (const access_entry& each : all.entries) {
      if (!each.is_write() || !comes_before(each.what, block, stamp)) return false;
      if (is_unreachable(each.what, block, fresh.address)) return false;  // it can be dropped
      older |= each.own;
    }
    if (all.newest_after != older || all.newest_witness_of != 0) return false;
  } else if (!read.is_none()) {
    return false;
  }
  if (newest.is_none() || !are_strong_together(newest, fresh.what, block) ||
      !replaces(fresh.what, true, {newest, 0, newest_write}, block)) {
    return false;
  }
  *where.write = fresh.what;
  return true;
}

// The common broadcast: several warps read after a write that happens before all of them.
bool race_detector::reads_simply_in_reader_set(const cell& where, const block_clock& block,
                                               const newcomer& fresh) {
  if (fresh.writes() || !fresh.what.is_plain()) return false;
  const record read = *where.read;
  const bool begins = is_first_read_of_second_warp(read, block, fresh.what);
  const bool is_second_block = !begins && is_first_read_of_second_block(read, block, fresh);
  if (!begins && !is_second_block && !read.is_elsewhere()) return false;
  const std::uint64_t stamp = block.lanes[fresh.thread].stamp;
  const record write = *where.write;
  if (!comes_before(write, block, stamp) &&
      !is_ordered(write, block, fresh.thread, fresh.address)) {
    return false;
  }
  if (begins && two_readers_suffice() && is_before_whole_block(write, block, fresh.address)) {
    *where.lanes = fresh.what.as_second_reader();
    *where.read = read.of_several_warps(fresh.what.segment());
    return true;
  }
  if (begins || is_second_block) {
    begin_reader_set(where, block, fresh);
    return true;
  }
  reader_set& all = shadow_.reader_sets()[read.index()];
  if (all.settled == fresh.what.segment()) return true;
  if (*where.lanes == block.of && all.settled_since >= block.common && two_readers_suffice()) {
    return true;
  }
  const unsigned warp = fresh.thread / lanes_per_warp;
  const auto takes_lane = [&](std::size_t at) {
    access_entry& each = all.entries[at];
    if (!each.what.is_like(fresh.what) || each.after != newest_write || each.followed_by != 0) {
      return false;
    }
    each.lanes |= lane_bit(fresh.thread);
    all.place_of(warp) = static_cast<std::uint8_t>(at);
    return true;
  };
  if (all.place_of(warp) < all.entries.size() && takes_lane(all.place_of(warp))) return true;
  // Older writes are at the front.
  if (all.entries.front().is_write()) return false;
  for (std::size_t i = all.entries.size(); i-- > 0;) {
    if (takes_lane(i)) return true;
  }
  // Another warp of the same block: the warp before it has already dropped what can be dropped.
  const bool is_next_warp = all.entries.back().what.segment() == fresh.what.segment() &&
                            all.entries.size() < limits_.most_accesses;
  if (!is_next_warp) return false;
  all.place_of(warp) = static_cast<std::uint8_t>(all.entries.size());
  all.entries.push_back({fresh.what, lane_bit(fresh.thread), 0, newest_write});
  all.latest = std::max(all.latest, fresh.what.segment());
  return true;
}

// One block of a grid has read the newest write, and now a second block does.
bool race_detector::is_first_read_of_second_block(record read, const block_clock& block,
                                                  const newcomer& fresh) const {
  if (!two_readers_suffice() || read.is_none() || read.is_elsewhere() || read.is_blind() ||
      read.is_in_pieces() || !read.is_plain()) {
    return false;
  }
  const instance_id owner = timeline_.owner(read.segment());
  return owner != block.instance && timeline_.at(owner).of == block.of &&
         !is_ordered(read, block, fresh.thread, fresh.address);
}

// Whether a write happens before everything that lanes of the block do now.
bool race_detector::is_before_whole_block(record old, const block_clock& block,
                                          std::uintptr_t address) const {
  if (is_past(old, block)) return true;
  const instance_id owner = timeline_.owner(old.segment());
  return owner != block.instance &&
         is_wholly_ordered(old.segment(), owner, old.warp(), block, 0, address);
}

// Called after a read has been added. If another block of the same grid has read too, and nothing
// orders the two, they stand for all readers of the grid until its next barrier or its end.
void race_detector::settle(const cell& where, const block_clock& block, const newcomer& fresh) {
  if (!two_readers_suffice()) return;
  reader_set& all = shadow_.reader_sets()[where.read->index()];
  for (const access_entry& each : all.entries) {
    const segment_id segment = each.what.segment();
    const instance_id owner = timeline_.owner(segment);
    const bool has_seen_newest = each.after == newest_write && each.followed_by == 0;
    if (each.is_write() || !each.what.is_plain() || !has_seen_newest || owner == block.instance ||
        segment < block.common || timeline_.at(owner).of != block.of) {
      continue;
    }
    *where.lanes = block.of;
    all.settled_since = std::min(segment, fresh.what.segment());
    return;
  }
}

void race_detector::begin_reader_set(const cell& where, const block_clock& block,
                                     const newcomer& fresh) {
  gather(where);
  others_.push_back({fresh.what, lane_bit(fresh.thread), 0, newest_write});
  put_back(where, *where.write);
  settle(where, block, fresh);
}

// Drops the reader set of a cell if all of its reads come before the block's grid or copy.
bool race_detector::forgets_past_reader_set(const cell& where, const block_clock& block) {
  const record read = *where.read;
  if (!read.is_elsewhere() || where.write->is_elsewhere()) return false;
  if (shadow_.reader_sets()[read.index()].latest >= block.ancient) return false;
  shadow_.reader_sets().leave(read.index());
  *where.read = {};
  return true;
}

// Writes that happen before the fresh access: by its lane's clock, or because it comes after an
// access that comes after them or has read them.
write_set race_detector::writes_before(record newest, const block_clock& block,
                                       const newcomer& fresh) const {
  write_set before = 0;
  if (newest.is_none() || is_ordered(newest, block, fresh.thread, fresh.address)) {
    before |= newest_write | newest_after_;
  }
  for (const access_entry& each : others_) {
    const auto all = static_cast<write_set>(each.own | each.after);
    if ((all & ~before) == 0) continue;
    if (ordered_lanes(each, block, fresh.thread, fresh.address) != 0) before |= all;
  }
  return before;
}

// The lanes of an old access that happen before the fresh one, which comes after the writes in
// `before`.
std::uint32_t race_detector::lanes_before(const access_entry& old, const block_clock& block,
                                          const newcomer& fresh, write_set before) const {
  if (((old.own | old.followed_by) & before) != 0) return old.lanes;
  return ordered_lanes(old, block, fresh.thread, fresh.address);
}

void race_detector::remember(const cell& where, block_clock& block, const newcomer& fresh) {
  if (updates_simply(where, block, fresh) || reads_simply_in_reader_set(where, block, fresh))
    return;
  record newest = *where.write;
  gather(where);
  const write_set before = writes_before(newest, block, fresh);
  const bool is_strong_with_newest =
      !newest.is_none() && are_strong_together(newest, fresh.what, block);
  if (follows_apparent_order_ && is_strong_with_newest && (before & newest_write) == 0) {
    note_unfenced(newest, block, fresh);
  }
  const write_set raced = find_race(newest, block, fresh, before, is_strong_with_newest);
  if (raced != 0 && fresh.writes()) {
    // Reported once: later accesses are compared with the newer one.
    others_.clear();
    put_back(where, fresh.what);
    return;
  }
  if (raced != 0) drop_raced(raced, newest);

  auto after = before;
  const bool sees_newest = is_strong_with_newest && fresh.does != direction::write;
  if (sees_newest) after |= newest_write | newest_after_;
  if (fresh.writes() && !fresh.what.is_plain()) note_follower(block, fresh, after);
  drop_replaced(block, fresh, after);
  const auto seen_only = static_cast<write_set>(after & ~before);
  if (fresh.writes()) {
    make_newest(newest, block, fresh, after, seen_only);
    put_back(where, fresh.what);
    return;
  }
  const bool has_room = add_read(fresh, block, after, seen_only);
  put_back(where, newest);
  if (!where.read->is_elsewhere()) return;
  reader_set& all = shadow_.reader_sets()[where.read->index()];
  if (!has_room) all.settled = fresh.what.segment();
  if (fresh.what.is_plain()) settle(where, block, fresh);
}

// Reports the first race with a recorded access. Returns the write that it races with, newest_write
// if that is a read, and 0 if there is no race.
write_set race_detector::find_race(record newest, const block_clock& block, const newcomer& fresh,
                                   write_set before, bool is_strong_with_newest) {
  const bool races_with_newest = (before & newest_write) == 0 && !is_strong_with_newest;
  // A host copy that races with itself says less than a reader of what it overwrites.
  const bool is_same_copy =
      races_with_newest && agents_.is_host(block.of) && newest.code() == fresh.what.code();
  if (races_with_newest && !is_same_copy) {
    report({newest, 0, newest_write}, newest.thread(), fresh);
    return newest_write;
  }
  for (const access_entry& each : others_) {
    if (!each.is_write() && !fresh.writes()) continue;
    if (are_strong_together(each.what, fresh.what, block)) continue;
    const std::uint32_t unordered = each.lanes & ~lanes_before(each, block, fresh, before);
    if (unordered == 0) continue;
    // The record has the code of its first lane, so that lane is preferred.
    const bool is_first = (unordered & lane_bit(each.what.thread())) != 0;
    const auto lane = static_cast<unsigned>(std::countr_zero(unordered));
    report(each, is_first ? each.what.thread() : each.what.warp() * lanes_per_warp + lane, fresh);
    return each.is_write() ? each.own : newest_write;
  }
  if (is_same_copy) report({newest, 0, newest_write}, newest.thread(), fresh);
  return is_same_copy ? newest_write : 0;
}

}  // namespace heddle_checker
