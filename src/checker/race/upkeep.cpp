// Which accesses stay in the history of a cell, and which are dropped.
#include <algorithm>
#include <bit>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {
namespace {

// Witnesses are kept longer: without them, the writes that they have read would seem unordered.
constexpr std::size_t most_witnesses = 256;

std::size_t some_number(record what) {
  return what.bits >> record::thread_shift ^ what.bits >> record::segment_shift;
}

segment_id latest_if_all_are_reads(const std::vector<access_entry>& entries, write_set newest_after,
                                   write_set newest_witness_of) {
  segment_id latest = newest_after == 0 && newest_witness_of == 0 ? 0 : record::no_segment;
  for (const access_entry& each : entries) {
    const bool is_only_read = !each.is_write() && each.after == newest_write &&
                              each.witness_of == 0 && each.followed_by == 0;
    latest = std::max(latest, is_only_read ? each.what.segment() : record::no_segment);
  }
  return latest;
}

}  // namespace

void race_detector::gather(const cell& where) {
  others_.clear();
  newest_after_ = newest_witness_of_ = 0;
  const record read = *where.read;
  if (read.is_elsewhere()) {
    others_.swap(shadow_.reader_sets()[read.index()].entries);
    newest_after_ = shadow_.reader_sets()[read.index()].newest_after;
    newest_witness_of_ = shadow_.reader_sets()[read.index()].newest_witness_of;
  } else if (read.is_of_several_warps()) {
    for (const record one : {read.of_first_reader(), read.of_second_reader(*where.lanes)}) {
      others_.push_back({one, lane_bit(one.thread()), 0, newest_write});
    }
  } else if (!read.is_none()) {
    const std::uint32_t lanes = read.is_many() ? *where.lanes : lane_bit(read.thread());
    const write_set after = read.is_blind() ? 0 : newest_write;
    others_.push_back({{read.bits & ~(record::many_bit | record::blind_bit)}, lanes, 0, after});
  }
}

void race_detector::put_back(const cell& where, record newest) {
  *where.write = newest;
  const record read = *where.read;
  const bool needs_reader_set =
      others_.size() > 1 || (others_.size() == 1 && (others_[0].own | others_[0].witness_of |
                                                     others_[0].followed_by) != 0);
  if (needs_reader_set) {
    const std::uint32_t index =
        read.is_elsewhere() ? read.index() : shadow_.reader_sets().take(where.read);
    reader_set& all = shadow_.reader_sets()[index];
    all.entries.swap(others_);
    all.latest = latest_if_all_are_reads(all.entries, newest_after_, newest_witness_of_);
    all.newest_after = newest_after_;
    all.newest_witness_of = newest_witness_of_;
    all.settled = 0;
    *where.read = record::elsewhere(index);
    *where.lanes = no_agent;
    return;
  }
  if (read.is_elsewhere()) shadow_.reader_sets().leave(read.index());
  if (others_.empty()) {
    *where.read = {};
    return;
  }
  access_entry& only = others_[0];
  const bool is_many = !std::has_single_bit(only.lanes);
  // The lane that the record names may have been dropped.
  if ((only.lanes & lane_bit(only.what.thread())) == 0) only.what.rename_lane(only.lanes);
  const bool is_blind = (only.after & newest_write) == 0 && !newest.is_none();
  *where.read = {only.what.bits | (is_many ? record::many_bit : 0) |
                 (is_blind ? record::blind_bit : 0)};
  *where.lanes = only.lanes;
}

// Whether the block already has entries, or there are not too many blocks yet.
bool race_detector::has_room_for(instance_id block) const {
  if (others_.size() < limits_.most_blocks) return true;
  unsigned blocks = 0;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const instance_id owner = timeline_.owner(others_[i].what.segment());
    if (owner == block) return true;
    const auto is_same = [&](const access_entry& each) {
      return timeline_.owner(each.what.segment()) == owner;
    };
    blocks += std::find_if(others_.begin(), others_.begin() + static_cast<std::ptrdiff_t>(i),
                           is_same) == others_.begin() + static_cast<std::ptrdiff_t>(i);
  }
  return blocks < limits_.most_blocks;
}

// False: there was no room, and it may have replaced another read.
bool race_detector::add_read(const newcomer& fresh, const block_clock& block, write_set after,
                             write_set witness_of) {
  const access_entry entry{fresh.what, lane_bit(fresh.thread), 0, after, witness_of, 0};
  for (access_entry& each : others_) {
    if (!each.is_write() && each.what.is_like(entry.what) && each.after == after &&
        each.witness_of == witness_of && each.followed_by == 0) {
      each.lanes |= entry.lanes;
      return true;
    }
  }
  const bool has_room =
      witness_of != 0 ? others_.size() < most_witnesses
                      : others_.size() < limits_.most_accesses && has_room_for(block.instance);
  if (has_room) {
    others_.push_back(entry);
    return true;
  }
  // A pseudo-random read is replaced, so that different schedules keep different reads.
  access_entry& victim = others_[some_number(fresh.what) % others_.size()];
  if (!victim.is_write() && victim.witness_of == 0) victim = entry;
  return false;
}

// Makes the newest write an older one. Returns its bit, or 0 if there was no room.
write_set race_detector::add_older_write(record newest) {
  write_set taken = 0;
  std::size_t writes = 0;
  for (const access_entry& each : others_) {
    taken |= each.own;
    writes += each.is_write();
  }
  if (writes == most_older_writes) {
    // Plain writes are worth more: a later atomic races only with those.
    const auto victim = std::ranges::find_if(
        others_, [](const access_entry& each) { return !each.what.is_plain(); });
    if (victim == others_.end() || !victim->is_write()) return 0;
    taken &= static_cast<write_set>(~victim->own);
    forget_write(victim->own);
    others_.erase(victim);
  }
  const auto own = static_cast<write_set>(~taken & (taken + 1));
  others_.insert(others_.begin(),
                 {newest, lane_bit(newest.thread()), own, newest_after_, newest_witness_of_});
  return own;
}

// Makes the fresh write the newest; the one before it is dropped or becomes an older one.
void race_detector::make_newest(record newest, const block_clock& block, const newcomer& fresh,
                                write_set after, write_set seen_only) {
  const bool is_needed =
      !fresh.what.is_plain() && (newest_witness_of_ != 0 || is_between(newest_write, seen_only));
  const bool can_go = newest.is_none() || is_unreachable(newest, block, fresh.address) ||
                      ((after & newest_write) != 0 && !is_needed &&
                       replaces(fresh.what, true, {newest, 0, newest_write}, block));
  const write_set own = can_go ? write_set{0} : add_older_write(newest);
  const auto renamed = [&](write_set set) {
    return static_cast<write_set>((set & ~newest_write) | ((set & newest_write) != 0 ? own : 0));
  };
  for (access_entry& each : others_) {
    each.after = renamed(each.after);
    each.witness_of = renamed(each.witness_of);
    each.followed_by = renamed(each.followed_by);
    if (each.is_followed) each.followed_by |= newest_write;
    each.is_followed = false;
  }
  newest_after_ = renamed(after);
  newest_witness_of_ = renamed(seen_only);
}

void race_detector::forget_write(write_set which) {
  for (access_entry& each : others_) {
    each.after &= static_cast<write_set>(~which);
    each.witness_of &= static_cast<write_set>(~which);
    each.followed_by &= static_cast<write_set>(~which);
  }
  newest_after_ &= static_cast<write_set>(~which);
  newest_witness_of_ &= static_cast<write_set>(~which);
}

// Whether a write connects a read to later accesses: the read happens before the write, and another
// access comes after the write only because it has read it. Everything after that access then comes
// after the read. The access may be the fresh one; then plain reads and witnesses do not count,
// since they are kept for long and would keep all writes after them.
bool race_detector::is_between(write_set which, write_set seen_by_fresh) const {
  bool has_seen = (newest_witness_of_ & which) != 0;
  bool is_after_read = false, is_after_atomic_read = false;
  for (const access_entry& each : others_) {
    has_seen |= (each.witness_of & which) != 0;
    if ((each.followed_by & which) == 0) continue;
    is_after_read = true;
    is_after_atomic_read |= !each.what.is_plain() && each.witness_of == 0;
  }
  return (has_seen && is_after_read) || ((seen_by_fresh & which) != 0 && is_after_atomic_read);
}

// Marks the reads that happen before an atomic write, and so before everything after that write.
void race_detector::note_follower(const block_clock& block, const newcomer& fresh,
                                  write_set after) {
  for (std::size_t i = 0; i < others_.size(); ++i) {
    if (others_[i].is_write()) continue;
    const std::uint32_t followed = lanes_before(others_[i], block, fresh, after);
    if (followed == 0) continue;
    if (followed != others_[i].lanes) {
      access_entry rest = others_[i];
      rest.lanes &= ~followed;
      others_.push_back(rest);
      others_[i].lanes = followed;
    }
    others_[i].is_followed = true;
  }
}

// Drops the entries that the fresh access stands for.
void race_detector::drop_replaced(const block_clock& block, const newcomer& fresh,
                                  write_set& after) {
  write_set gone = 0;
  const bool replaces_all_writes = fresh.writes() && fresh.what.is_plain();
  std::erase_if(others_, [&](access_entry& each) {
    const bool is_past = is_unreachable(each.what, block, fresh.address);
    if (!is_past && !replaces(fresh.what, fresh.writes(), each, block)) return false;
    const bool is_needed = each.witness_of != 0 || (each.is_write() && is_between(each.own, 0));
    if (is_needed && !replaces_all_writes) return false;
    each.lanes &= ~lanes_before(each, block, fresh, after);
    if (each.lanes == 0) gone |= each.own;
    return each.lanes == 0;
  });
  if (gone == 0) return;
  forget_write(gone);
  after &= static_cast<write_set>(~gone);
}

// A plain write that raced with a read is not reported again. An atomic one stays, since others may
// still read it.
void race_detector::drop_raced(write_set raced, record& newest) {
  if (raced == newest_write) {
    if (!newest.is_plain()) return;
    newest = {};
    newest_after_ = newest_witness_of_ = 0;
  } else {
    const auto found = std::ranges::find(others_, raced, &access_entry::own);
    if (!found->what.is_plain()) return;
    others_.erase(found);
  }
  forget_write(raced);
}

}  // namespace heddle_checker
