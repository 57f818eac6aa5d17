// The common accesses, which need no more than a look at one cell.
#pragma once
#include <cstddef>
#include <cstdint>

#include "checker/race/byte_readers.hpp"
#include "checker/race/race_detector.hpp"

namespace heddle_checker {

// Whether a record, with all the lanes that it stands for, happens before what the lane does now,
// as far as that can be decided quickly. An empty record comes before everything.
inline bool race_detector::comes_before(record old, const block_clock& block,
                                        std::uint64_t stamp) const {
  const segment_id segment = old.segment();
  if (segment < block.ancient) return true;
  if (old.is_elsewhere() || timeline_.owner(segment) != block.instance) return false;
  if (segment < block.known) return true;
  const record me{stamp};
  if (old.warp() != me.warp() || old.is_of_several_warps()) return false;
  const lane_clock& lane = block.lanes[me.thread()];
  if (segment < lane.warp_known) return true;
  if (old.is_many()) return false;
  return old.thread() == me.thread() ||
         (lane.partly_known != nullptr &&
          segment <= (*lane.partly_known)[old.thread() % lanes_per_warp]);
}

// False: it is not a simple case, and nothing has changed.
inline bool race_detector::read_simply(const cell& where, const block_clock& block, unsigned thread,
                                       const void* code) {
  const std::uint64_t stamp = block.lanes[thread].stamp;
  const record read = *where.read;
  // The lane has read this in the same segment: a write since then would have raced with that read.
  if (read.has_stamp(stamp) && read.is_plain_and_whole()) return true;
  if (read.is_of_several_warps() && stands_for_reads(read, block, stamp)) return true;
  if (!comes_before(*where.write, block, stamp)) return false;
  const record fresh = record::make(stamp, codes_.number(code), force::plain, false, 0);
  if (comes_before(read, block, stamp)) {
    *where.read = fresh;
    return true;
  }
  if (!read.is_like(fresh)) return false;
  // One more lane of the warp.
  const std::uint32_t before = read.is_many() ? *where.lanes : lane_bit(read.thread());
  *where.lanes = before | lane_bit(thread);
  where.read->bits = read.bits | record::many_bit;
  return true;
}

inline bool race_detector::write_simply(const cell& where, const block_clock& block,
                                        unsigned thread, const void* code) {
  const std::uint64_t stamp = block.lanes[thread].stamp;
  const record read = *where.read;
  if (!comes_before(*where.write, block, stamp) || !comes_before(read, block, stamp)) return false;
  *where.write = record::make(stamp, codes_.number(code), force::plain, false, 0);
  if (!read.is_none()) *where.read = {};
  return true;
}

// Whether a record happens before all lanes of the block: by its barriers, or because it belongs to
// an earlier grid or copy. References to reader sets never do.
inline bool race_detector::is_past(record old, const block_clock& block) const {
  const segment_id segment = old.segment();
  return segment < block.ancient ||
         (segment < block.known && timeline_.owner(segment) == block.instance);
}

// Whether reads by several warps are the block's own, since its last barrier. Those come after the
// newest write, and so does any other lane of the block that reads now.
inline bool race_detector::stands_for_reads(record read, const block_clock& block,
                                            std::uint64_t stamp) const {
  if (read.segment() == record{stamp}.segment()) return true;
  return read.segment() >= block.known && timeline_.owner(read.segment()) == block.instance;
}

// Whether two readers in a reader set already stand for the block's grid.
inline bool race_detector::is_settled(const cell& where, const block_clock& block) const {
  const bool has_met =
      block.common != 0;  // the grid, at a barrier: then it matters when they have read
  return *where.lanes == block.of && !has_met && !has_released_;
}

// One warp has read the newest write, and now another warp of the block does, with no barrier in
// between.
inline bool race_detector::is_first_read_of_second_warp(record read, const block_clock& block,
                                                        record fresh) const {
  return !read.is_none() && !read.is_elsewhere() && !read.is_blind() && !read.is_in_pieces() &&
         !read.is_of_several_warps() && read.is_plain() && read.warp() != fresh.warp() &&
         (read.segment() == fresh.segment() ||
          (two_readers_suffice() && read.segment() >= block.known &&
           timeline_.owner(read.segment()) == block.instance));
}

inline bool race_detector::reads_quickly(const block_clock& block, unsigned thread,
                                         std::uintptr_t address, unsigned code) {
  const std::uint64_t stamp = block.lanes[thread].stamp;
  const cell where = shadow_.arena_cell(address);
  const record read = *where.read;
  if (read.is_of_several_warps() && read.segment() == record{stamp}.segment()) return true;
  const bool is_whole = read.is_plain_and_whole();
  if (read.has_stamp(stamp) && is_whole) return true;
  if (!is_past(*where.write, block)) return false;
  if (is_past(read, block)) {
    *where.read = record::make(stamp, code, force::plain, false, 0);
    return true;
  }
  if (read.is_elsewhere()) return is_settled(where, block);
  if (read.is_blind()) return false;
  if (!read.is_of_warp_segment(stamp)) {
    const record fresh = record::make(stamp, code, force::plain, false, 0);
    if (!two_readers_suffice() || !is_first_read_of_second_warp(read, block, fresh)) return false;
    *where.lanes = fresh.as_second_reader();
    *where.read = read.of_several_warps(fresh.segment());
    return true;
  }
  if (!is_whole) return false;
  // One more lane of the warp.
  const std::uint32_t before = read.is_many() ? *where.lanes : lane_bit(read.thread());
  *where.lanes = before | lane_bit(thread);
  where.read->bits = read.bits | record::many_bit;
  return true;
}

inline bool race_detector::writes_quickly(const block_clock& block, unsigned thread,
                                          std::uintptr_t address, unsigned code) {
  const std::uint64_t stamp = block.lanes[thread].stamp;
  const cell where = shadow_.arena_cell(address);
  const record read = *where.read, write = *where.write;
  if (!is_past(write, block) && !write.has_stamp(stamp)) return false;
  const bool is_own = read.has_stamp(stamp) && !read.is_many();
  if (!is_past(read, block) && !is_own) return false;
  *where.write = record::make(stamp, code, force::plain, false, 0);
  if (!read.is_none()) *where.read = {};
  return true;
}

// Words before the first one that is not simple are recorded again by access(), which changes
// nothing.
inline bool race_detector::access_quickly(block_clock& block, unsigned thread,
                                          std::uintptr_t address, std::size_t bytes, direction does,
                                          const void* code) {
  const unsigned number = codes_.known_number(code);
  if (number == 0) return false;
  block.lanes[thread].visited.note(code, number);
  if (bytes < shadow::granule) {
    return does == direction::read && read_piece_simply(block, thread, address, bytes, number);
  }
  if (address % shadow::granule != 0) return false;
  for (std::size_t i = 0; i < bytes; i += shadow::granule) {
    const bool is_done = does == direction::read
                             ? reads_quickly(block, thread, address + i, number)
                             : writes_quickly(block, thread, address + i, number);
    if (!is_done) return false;
  }
  return true;
}

// Lanes of one warp read bytes of a word, each its own: the cell of the word has room for that as
// long as it need not hold anything else.
inline bool race_detector::read_piece_simply(const block_clock& block, unsigned thread,
                                             std::uintptr_t address, std::size_t bytes,
                                             unsigned code) {
  if (address % bytes != 0) return false;
  const cell where = shadow_.arena_cell(address);
  const std::uint64_t stamp = block.lanes[thread].stamp;
  if (!comes_before(*where.write, block, stamp)) return false;
  const record read = *where.read;
  const record fresh = record::make(stamp, code, force::plain, false, 0).in_pieces();
  const byte_readers mask = mask_of_bytes(address, bytes);
  const byte_readers mine = reads_bytes(thread % lanes_per_warp, mask);
  if (read.is_same_but_for_lane(fresh)) {
    const byte_readers before = *where.lanes & mask;
    *where.lanes |= before == 0 ? mine : 0;
    return before == 0 || before == mine;
  }
  const bool can_go = read.is_none() || (read.is_in_pieces() && (*where.lanes & ~mask) == 0 &&
                                         comes_before(read, block, stamp));
  if (!can_go) return false;
  *where.read = fresh;
  *where.lanes = mine;
  return true;
}

// The most common atomic: another update of the same kind to a word that its block has just
// updated, when nothing is released or acquired. False: it is not, and nothing has changed.
inline bool race_detector::updates_again(const block_clock& block, unsigned thread,
                                         std::uintptr_t address, scope reach, const void* code) {
  constexpr std::uint64_t kind = (std::uint64_t{1} << record::code_shift) - 1;
  if (address % shadow::granule != 0 || !shadow_.is_in_arena(address) || choose_store_ ||
      follows_apparent_order_) {
    return false;
  }
  const cell where = shadow_.arena_cell(address);
  const record newest = *where.write;
  const record fresh = record::make(block.lanes[thread].stamp, codes_.number(code),
                                    force_of(strength::atomic, reach), true, shadow::log_granule);
  if (((newest.bits ^ fresh.bits) & kind) != 0 || !where.read->is_none()) return false;
  if (timeline_.owner(newest.segment()) != block.instance) return false;
  if (block.lanes[thread].messages != nullptr || !publications_.is_empty()) return false;
  *where.write = fresh;
  return true;
}

inline void race_detector::access(block_clock& block, unsigned thread, std::uintptr_t address,
                                  std::size_t bytes, direction does, const void* code) {
  block.lanes[thread].visited.note(code, codes_);
  if (!shadow_.is_in_arena(address)) [[unlikely]]
    return access_in_general(block, thread, address, bytes, does, code);
  if (bytes < shadow::granule) {
    if (does == direction::read &&
        read_piece_simply(block, thread, address, bytes, codes_.number(code))) {
      return;
    }
    return access_piece(block, thread, address, bytes, does, code);
  }
  if ((address | bytes) % shadow::granule != 0) [[unlikely]]
    return access_in_general(block, thread, address, bytes, does, code);
  if (bytes > shadow::granule) return access_words(block, thread, address, bytes, does, code);
  const cell where = shadow_.arena_cell(address);
  if (access_simply(where, block, thread, does, code)) [[likely]]
    return;
  if (forgets_past_reader_set(where, block) && access_simply(where, block, thread, does, code))
    return;
  if (does == direction::read && !where.write->is_elsewhere()) {
    const record fresh =
        record::make(block.lanes[thread].stamp, codes_.number(code), force::plain, false, 0);
    if (reads_simply_in_reader_set(where, block, {fresh, does, thread, address})) return;
  }
  access_in_general(block, thread, address, bytes, does, code);
}

}  // namespace heddle_checker
