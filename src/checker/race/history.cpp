// What a new access means for a cell, where it is not one of the simple cases.
#include <algorithm>
#include <bit>

#include "race/race_detector.hpp"

namespace heddle_checker {
namespace {

// Beyond these, accesses to one cell are forgotten: a write that comes after all those kept, but
// not after one of those forgotten, goes unnoticed.
constexpr std::size_t most_entries = 32;
constexpr std::size_t most_blocks = 4;
// Witnesses are kept longer: without them, what they have seen seems not to be ordered.
constexpr std::size_t most_witnesses = 256;

std::uint32_t lane_bit(unsigned thread) { return 1u << thread % lanes_per_warp; }

std::size_t some_number(record what) {
  return what.bits >> record::thread_shift ^ what.bits >> record::segment_shift;
}

}  // namespace

// Whether one lane's old access comes before what lane `me` of the block does now.
bool race_detector::is_ordered(record old, unsigned thread, const block_clock& block, unsigned me,
                               std::uintptr_t address) const {
  const segment_id segment = old.segment();
  if (segment < block.ancient) return true;
  const instance_id owner = timeline_.owner(segment);
  const lane_clock& lane = block.lanes[me];
  if (owner == block.instance) {
    if (segment < block.known || thread == me) return true;
    if (thread / lanes_per_warp == me / lanes_per_warp && segment < lane.warp_known) return true;
    return lane.learned.knows(owner, thread, segment);
  }
  // Another block's access to memory that is this one's alone is from before its time.
  if (address - block.shared_base < block.shared_bytes) return true;
  const agent of = timeline_.at(owner).of;
  if (of == block.of ? segment < block.common : agents_.knows(block.of, of)) return true;
  if (lane.learned.is_nothing()) return false;
  return lane.learned.knows(owner, thread, segment) || lane.learned.knows_all_of(of, segment) ||
         lane.learned.any_agent([&](agent each) { return agents_.knows(each, of); });
}

std::uint32_t race_detector::ordered_lanes(const crowd_entry& old, const block_clock& block,
                                           unsigned me, std::uintptr_t address) const {
  std::uint32_t ordered = 0;
  const unsigned first = old.what.warp() * lanes_per_warp;
  for (std::uint32_t rest = old.lanes; rest != 0; rest &= rest - 1) {
    const unsigned thread = first + static_cast<unsigned>(std::countr_zero(rest));
    if (is_ordered(old.what, thread, block, me, address)) ordered |= lane_bit(thread);
  }
  return ordered;
}

// Whether no lane that could still touch the memory may come before or beside an old access.
bool race_detector::is_unreachable(record old, const block_clock& block,
                                   std::uintptr_t address) const {
  if (address - block.shared_base >= block.shared_bytes) return false;
  return timeline_.owner(old.segment()) != block.instance || old.segment() < block.known;
}

bool race_detector::includes(force how, instance_id speaker, instance_id other) const {
  const scope reach = scope_of(how);
  if (reach == scope::system || speaker == other) return true;
  if (reach == scope::block) return false;
  const instance& one = timeline_.at(speaker);
  const instance& two = timeline_.at(other);
  if (reach == scope::cluster) return one.cluster == two.cluster;
  return !agents_.is_host(one.of) && !agents_.is_host(two.of) &&
         agents_.device(one.of) == agents_.device(two.of);
}

bool race_detector::are_strong_together(record old, record fresh, const block_clock& block) const {
  if (old.is_plain() || fresh.is_plain() || old.log_size() != fresh.log_size()) return false;
  const instance_id owner = timeline_.owner(old.segment());
  return includes(old.how(), owner, block.instance) && includes(fresh.how(), block.instance, owner);
}

// Whether all that will race with the old access will race with the fresh one, too, which comes
// after it. Where atomics of different blocks follow each other, one of a single block's scope that
// comes later is compared with the newest only.
bool race_detector::replaces(record fresh, bool fresh_writes, const crowd_entry& old,
                             const block_clock& block) const {
  if (old.is_write() && !fresh_writes) return false;
  if (fresh.is_plain()) return true;
  if (old.what.is_plain() || old.what.log_size() != fresh.log_size()) return false;
  const scope before = scope_of(old.what.how()), now = scope_of(fresh.how());
  if (now > before) return false;
  return now >= scope::device || timeline_.owner(old.what.segment()) == block.instance;
}

// The usual atomic: nobody but atomics before it, and each has seen the one before.
bool race_detector::is_simple_strong(const cell& where, const block_clock& block,
                                     const newcomer& fresh) const {
  if (!where.read->is_none() || fresh.does != direction::update) return false;
  const record write = *where.write;
  if (write.is_none()) return true;
  return are_strong_together(write, fresh.what, block) &&
         replaces(fresh.what, true, {write, lane_bit(write.thread()), newest_write, 0, 0}, block);
}

// The usual broadcast: reads of a crowd that has many already, behind a write that is ordered.
bool race_detector::joins_crowd(const cell& where, const block_clock& block,
                                const newcomer& fresh) {
  if (fresh.writes() || !fresh.what.is_plain() || !where.read->is_elsewhere()) return false;
  const std::uint64_t stamp = block.lanes[fresh.thread].stamp;
  const record write = *where.write;
  if (!comes_before(write, block, stamp) &&
      !is_ordered(write, write.thread(), block, fresh.thread, fresh.address)) {
    return false;
  }
  crowd& all = shadow_.side()[where.read->index()];
  // Older writes stand in front.
  if (all.entries.front().is_write()) return false;
  for (crowd_entry& each : all.entries) {
    if (!each.what.is_like(fresh.what) || each.after != newest_write) continue;
    each.lanes |= lane_bit(fresh.thread);
    return true;
  }
  return all.settled == fresh.what.segment();
}

void race_detector::gather(const cell& where) {
  others_.clear();
  newest_after_ = 0;
  const record read = *where.read;
  if (read.is_elsewhere()) {
    others_.swap(shadow_.side()[read.index()].entries);
    newest_after_ = shadow_.side()[read.index()].newest_after;
  } else if (!read.is_none()) {
    const std::uint32_t lanes = read.is_many() ? *where.lanes : lane_bit(read.thread());
    const write_set after = read.is_blind() ? 0 : newest_write;
    others_.push_back({{read.bits & ~(record::many_bit | record::blind_bit)}, lanes, 0, after, 0});
  }
}

void race_detector::put_back(const cell& where, record newest) {
  *where.write = newest;
  const record read = *where.read;
  const bool needs_crowd =
      others_.size() > 1 ||
      (others_.size() == 1 && (others_[0].is_write() || others_[0].witness_of != 0));
  if (needs_crowd) {
    const std::uint32_t index =
        read.is_elsewhere() ? read.index() : shadow_.side().take(where.read);
    crowd& all = shadow_.side()[index];
    all.entries.swap(others_);
    all.newest_after = newest_after_;
    all.settled = 0;
    *where.read = record::elsewhere(index);
    return;
  }
  if (read.is_elsewhere()) shadow_.side().leave(read.index());
  if (others_.empty()) {
    *where.read = {};
    return;
  }
  const crowd_entry& only = others_[0];
  const bool is_many = !std::has_single_bit(only.lanes);
  const bool is_blind = (only.after & newest_write) == 0 && !newest.is_none();
  *where.read = {only.what.bits | (is_many ? record::many_bit : 0) |
                 (is_blind ? record::blind_bit : 0)};
  *where.lanes = only.lanes;
}

// False: there was no room, and it took the place of another.
bool race_detector::add_read(const newcomer& fresh, const block_clock& block, write_set after,
                             write_set witness_of) {
  const crowd_entry entry{fresh.what, lane_bit(fresh.thread), 0, after, witness_of};
  std::size_t strangers = 0;
  instance_id last = 0;
  bool is_known_block = false;
  for (crowd_entry& each : others_) {
    if (!each.is_write() && each.what.is_like(entry.what) && each.after == after &&
        each.witness_of == witness_of) {
      each.lanes |= entry.lanes;
      return true;
    }
    const instance_id owner = timeline_.owner(each.what.segment());
    is_known_block |= owner == block.instance;
    strangers += owner != last;
    last = owner;
  }
  const bool has_room =
      witness_of != 0 ? others_.size() < most_witnesses
                      : others_.size() < most_entries && (strangers < most_blocks || is_known_block);
  if (has_room) {
    others_.push_back(entry);
    return true;
  }
  // Who stays is left to chance, so that it is not the same in all schedules.
  crowd_entry& victim = others_[some_number(fresh.what) % others_.size()];
  if (!victim.is_write() && victim.witness_of == 0) victim = entry;
  return false;
}

// The newest write becomes an older one. 0: there was no room.
write_set race_detector::add_older_write(record newest) {
  write_set taken = 0;
  std::size_t writes = 0;
  for (const crowd_entry& each : others_) {
    taken |= each.own;
    writes += each.is_write();
  }
  if (writes == most_older_writes) {
    // A plain one is worth more: an atomic that comes later races with it alone.
    const auto victim =
        std::ranges::find_if(others_, [](const crowd_entry& each) { return !each.what.is_plain(); });
    if (victim == others_.end() || !victim->is_write()) return 0;
    taken &= static_cast<write_set>(~victim->own);
    forget_write(victim->own);
    others_.erase(victim);
  }
  const auto own = static_cast<write_set>(~taken & (taken + 1));
  others_.insert(others_.begin(), {newest, lane_bit(newest.thread()), own, newest_after_, 0});
  return own;
}

void race_detector::forget_write(write_set which) {
  for (crowd_entry& each : others_) {
    each.after &= static_cast<write_set>(~which);
    each.witness_of &= static_cast<write_set>(~which);
  }
  newest_after_ &= static_cast<write_set>(~which);
}

// Writes that the fresh access comes after: as its lane knows, or because it comes after one that
// comes after them, or has seen them.
write_set race_detector::writes_before(record newest, const block_clock& block,
                                       const newcomer& fresh) const {
  write_set before = 0;
  if (newest.is_none() ||
      is_ordered(newest, newest.thread(), block, fresh.thread, fresh.address)) {
    before |= newest_write | newest_after_;
  }
  for (const crowd_entry& each : others_) {
    const auto all = static_cast<write_set>(each.own | each.after);
    if ((all & ~before) == 0) continue;
    if (ordered_lanes(each, block, fresh.thread, fresh.address) != 0) before |= all;
  }
  return before;
}

void race_detector::remember(const cell& where, block_clock& block, const newcomer& fresh) {
  if (is_simple_strong(where, block, fresh)) {
    *where.write = fresh.what;
    return;
  }
  if (joins_crowd(where, block, fresh)) return;
  const record newest = *where.write;
  gather(where);
  const write_set before = writes_before(newest, block, fresh);
  const bool is_strong_with_newest =
      !newest.is_none() && are_strong_together(newest, fresh.what, block);
  if (find_race(newest, block, fresh, before, is_strong_with_newest) && fresh.writes()) {
    // Told once: those who come later are compared with the newer one.
    others_.clear();
    put_back(where, fresh.what);
    return;
  }

  auto after = before;
  const bool sees_newest = is_strong_with_newest && fresh.does != direction::write;
  if (sees_newest) after |= newest_write | newest_after_;
  drop_replaced(block, fresh, after);
  if (!fresh.writes()) {
    const bool has_room =
        add_read(fresh, block, after, static_cast<write_set>(after & ~before));
    put_back(where, newest);
    if (!has_room && where.read->is_elsewhere()) {
      shadow_.side()[where.read->index()].settled = fresh.what.segment();
    }
    return;
  }
  const bool can_go = newest.is_none() || is_unreachable(newest, block, fresh.address) ||
                      ((after & newest_write) != 0 &&
                       replaces(fresh.what, true, {newest, 0, newest_write, 0, 0}, block));
  const write_set own = can_go ? write_set{0} : add_older_write(newest);
  const auto renamed = [&](write_set set) {
    return static_cast<write_set>((set & ~newest_write) | ((set & newest_write) != 0 ? own : 0));
  };
  for (crowd_entry& each : others_) {
    each.after = renamed(each.after);
    each.witness_of = renamed(each.witness_of);
  }
  newest_after_ = renamed(after);
  put_back(where, fresh.what);
}

// What the fresh access stands for as well need not be kept.
void race_detector::drop_replaced(const block_clock& block, const newcomer& fresh,
                                  write_set& after) {
  write_set gone = 0;
  const bool replaces_all_writes = fresh.writes() && fresh.what.is_plain();
  std::erase_if(others_, [&](crowd_entry& each) {
    const bool is_past = is_unreachable(each.what, block, fresh.address);
    if (!is_past && !replaces(fresh.what, fresh.writes(), each, block)) return false;
    if (each.witness_of != 0 && !replaces_all_writes) return false;
    const bool is_known_write = (each.own & after) != 0;
    each.lanes &= is_known_write ? 0 : ~ordered_lanes(each, block, fresh.thread, fresh.address);
    if (each.lanes == 0) gone |= each.own;
    return each.lanes == 0;
  });
  if (gone == 0) return;
  forget_write(gone);
  after &= static_cast<write_set>(~gone);
}

// Tells of the first race with one of those remembered.
bool race_detector::find_race(record newest, const block_clock& block, const newcomer& fresh,
                              write_set before, bool is_strong_with_newest) {
  if ((before & newest_write) == 0 && !is_strong_with_newest) {
    tell({newest, 0, newest_write, 0, 0}, newest.thread(), fresh);
    return true;
  }
  for (const crowd_entry& each : others_) {
    if (!each.is_write() && !fresh.writes()) continue;
    if ((each.own & before) != 0 || are_strong_together(each.what, fresh.what, block)) continue;
    const std::uint32_t unordered =
        each.lanes & ~ordered_lanes(each, block, fresh.thread, fresh.address);
    if (unordered == 0) continue;
    const auto lane = static_cast<unsigned>(std::countr_zero(unordered));
    tell(each, each.what.warp() * lanes_per_warp + lane, fresh);
    return true;
  }
  return false;
}

side race_detector::side_of(record what, unsigned thread, direction does) const {
  const instance& block = timeline_.at(timeline_.owner(what.segment()));
  return {block.of,
          agents_.is_host(block.of),
          block.linear_block,
          thread,
          codes_.code(what.code()),
          what.is_update() ? direction::update : does,
          strength_of(what.how()),
          scope_of(what.how())};
}

void race_detector::tell(const crowd_entry& old, unsigned thread, const newcomer& fresh) {
  if (is_told_) return;
  is_told_ = true;
  const bool both_are_strong = !old.what.is_plain() && !fresh.what.is_plain();
  const race_cause cause = !both_are_strong ? race_cause::unordered
                           : old.what.log_size() != fresh.what.log_size() ? race_cause::size
                                                                          : race_cause::scope;
  const auto [smaller, larger] = std::minmax({old.what.code(), fresh.what.code()});
  const std::uint64_t pair = std::uint64_t{smaller} << 32 | std::uint64_t{larger} << 8 |
                             static_cast<unsigned>(cause);
  const auto [place, is_new] = known_pairs_.try_emplace(pair, races_.size());
  if (!is_new) {
    ++races_[place->second].times;
    return;
  }
  const race found{
      side_of(old.what, thread, old.is_write() ? direction::write : direction::read),
      side_of(fresh.what, fresh.thread, fresh.does), fresh.address, cause};
  races_.push_back({found, 1});
  if (on_race_) on_race_(found);
}

}  // namespace heddle_checker
