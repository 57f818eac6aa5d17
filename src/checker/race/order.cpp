// Happens-before between accesses, and which accesses may be concurrent.
#include <bit>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {

// A block's lanes and their asynchronous copies count as one block.
bool race_detector::is_of_same_block(instance_id owner, const block_clock& block) const {
  return timeline_.at(owner).home == timeline_.at(block.instance).home;
}

// Whether all accesses of a segment happen before what lane `me` of the block does now, by numbers
// alone: those of the block, of the warp if it is the same, and of the grids.
bool race_detector::is_wholly_ordered(segment_id segment, instance_id owner, unsigned warp,
                                      const block_clock& block, unsigned me,
                                      std::uintptr_t address) const {
  if (segment < block.ancient) return true;
  if (owner == block.instance) {
    return segment < block.known ||
           (warp == me / lanes_per_warp && segment < block.lanes[me].warp_known);
  }
  // Only this block can reach the memory, so another block's access is from before it began.
  if (address - block.shared_base < block.shared_bytes && !is_of_same_block(owner, block)) {
    return true;
  }
  const agent of = timeline_.at(owner).of;
  return of == block.of ? segment < block.common : agents_.knows(block.of, of);
}

// The same for one lane, by what lane `me` has acquired beyond that.
bool race_detector::has_learned_of(segment_id segment, instance_id owner, unsigned thread,
                                   const block_clock& block, unsigned me) const {
  const lane_clock& lane = block.lanes[me];
  if (owner == block.instance) {
    if (thread == me) return true;
    const bool is_same_warp = thread / lanes_per_warp == me / lanes_per_warp;
    if (is_same_warp && lane.partly_known != nullptr &&
        segment <= (*lane.partly_known)[thread % lanes_per_warp]) {
      return true;
    }
  }
  if (lane.learned.is_empty()) return false;
  if (lane.learned.knows(owner, thread, segment)) return true;
  const agent of = timeline_.at(owner).of;
  return of != block.of &&
         (lane.learned.knows_all_of(of, segment) ||
          lane.learned.any_agent([&](agent each) { return agents_.knows(each, of); }));
}

// Whether one lane's old access happens before what lane `me` of the block does now.
bool race_detector::is_ordered(record old, const block_clock& block, unsigned me,
                               std::uintptr_t address) const {
  const instance_id owner = timeline_.owner(old.segment());
  return is_wholly_ordered(old.segment(), owner, old.warp(), block, me, address) ||
         has_learned_of(old.segment(), owner, old.thread(), block, me);
}

std::uint32_t race_detector::ordered_lanes(const access_entry& old, const block_clock& block,
                                           unsigned me, std::uintptr_t address) const {
  const segment_id segment = old.what.segment();
  const instance_id owner = timeline_.owner(segment);
  if (is_wholly_ordered(segment, owner, old.what.warp(), block, me, address)) return old.lanes;
  if (owner != block.instance && block.lanes[me].learned.is_empty()) return 0;
  std::uint32_t ordered = 0;
  const unsigned first = old.what.warp() * lanes_per_warp;
  for (std::uint32_t rest = old.lanes; rest != 0; rest &= rest - 1) {
    const unsigned thread = first + static_cast<unsigned>(std::countr_zero(rest));
    if (has_learned_of(segment, owner, thread, block, me)) ordered |= rest & -rest;
  }
  return ordered;
}

// Whether all lanes that can still access the memory come after an old access.
bool race_detector::is_unreachable(record old, const block_clock& block,
                                   std::uintptr_t address) const {
  if (address - block.shared_base >= block.shared_bytes) return false;
  const instance_id owner = timeline_.owner(old.segment());
  if (owner == block.instance) return old.segment() < block.known;
  return !is_of_same_block(owner, block);
}

bool race_detector::includes(force how, instance_id issuer, instance_id other) const {
  const scope reach = scope_of(how);
  if (reach == scope::system || issuer == other) return true;
  if (reach == scope::block) return false;
  const instance& one = timeline_.at(issuer);
  const instance& two = timeline_.at(other);
  if (reach == scope::cluster) return one.cluster == two.cluster;
  if (one.of == two.of) return true;
  return !agents_.is_host(one.of) && !agents_.is_host(two.of) &&
         agents_.device(one.of) == agents_.device(two.of);
}

bool race_detector::are_strong_together(record old, record fresh, const block_clock& block) const {
  if (old.is_plain() || fresh.is_plain() || old.log_size() != fresh.log_size()) return false;
  const instance_id owner = timeline_.owner(old.segment());
  if (owner == block.instance) return true;
  return includes(old.how(), owner, block.instance) && includes(fresh.how(), block.instance, owner);
}

// Whether every access that will race with the old one will also race with the fresh one, which
// comes after it. Where atomics of different blocks follow each other, a later one of block scope
// is compared with the newest only.
bool race_detector::replaces(record fresh, bool fresh_writes, const access_entry& old,
                             const block_clock& block) const {
  if (old.is_write() && !fresh_writes) return false;
  if (fresh.is_plain()) return true;
  if (old.what.is_plain() || old.what.log_size() != fresh.log_size()) return false;
  const scope before = scope_of(old.what.how()), now = scope_of(fresh.how());
  if (now > before) return false;
  return now >= scope::device || timeline_.owner(old.what.segment()) == block.instance;
}

}  // namespace heddle_checker
