// The accesses to one cell that are kept beyond its newest write and the reads of one warp.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "checker/race/record.hpp"

namespace heddle_checker {

// A set of writes to one cell, as bits: the newest and up to fifteen older ones.
using write_set = std::uint16_t;
inline constexpr write_set newest_write = 1 << 15;
inline constexpr unsigned most_older_writes = 15;

// A write by one lane, or similar reads by some lanes of one warp in one segment.
struct access_entry {
  record what;
  std::uint32_t lanes = 0;
  write_set own = 0;    // the bit of a write; 0: a read
  write_set after = 0;  // writes that it comes after or has read: so does whatever follows it
  // Those of them that its lane comes after only because it has read them. Lanes that synchronise
  // with it later rely on this entry, so no other access replaces it.
  write_set witness_of = 0;
  write_set followed_by = 0;  // of a read: writes that come after it
  bool is_followed = false;   // while a write is added: that one comes after it, too
  bool is_write() const { return own != 0; }
};

struct alignas(64) reader_set {
  const record* owner = nullptr;  // the record that refers to it, unless cleared since
  std::vector<access_entry> entries;
  write_set newest_after = 0;  // `after` of the newest write
  write_set newest_witness_of = 0;
  // The latest segment of all entries, if all are reads that come after the newest write and stand
  // for nothing else. no_segment: unknown.
  segment_id latest = record::no_segment;
  segment_id settled = 0;        // more reads of this segment find no room and replace nothing
  segment_id settled_since = 0;  // earlier segment of the grid's two readers, see cell::lanes
  // Where the reads of a warp may be: a guess that saves a search.
  std::array<std::uint8_t, 16> place_of_warp{};

  std::uint8_t& place_of(unsigned warp) { return place_of_warp[warp % place_of_warp.size()]; }
};

// Records are cleared without notice. Sets that no record refers to are found by a sweep when many
// are in use.
class reader_set_pool {
 public:
  reader_set& operator[](std::uint32_t index) {
    return chunks_[index / per_chunk][index % per_chunk];
  }

  std::uint32_t take(const record* owner) {
    if (free_.empty() && size_ >= next_sweep_) sweep();
    if (free_.empty()) add_chunk();
    const std::uint32_t index = free_.back();
    free_.pop_back();
    reader_set& fresh = (*this)[index];
    fresh.owner = owner;
    fresh.latest = record::no_segment;
    fresh.settled = 0;
    fresh.newest_after = fresh.newest_witness_of = 0;
    return index;
  }
  void leave(std::uint32_t index) {
    (*this)[index].owner = nullptr;
    (*this)[index].entries.clear();
    free_.push_back(index);
  }
  std::size_t in_use() const { return size_ - free_.size(); }
  void clear() {
    chunks_.clear();
    free_.clear();
    size_ = 0;
    next_sweep_ = first_sweep;
  }

 private:
  static constexpr std::uint32_t per_chunk = 1024;
  static constexpr std::size_t first_sweep = 1 << 14;

  void add_chunk() {
    chunks_.push_back(std::make_unique<reader_set[]>(per_chunk));
    for (std::uint32_t i = per_chunk; i-- > 0;) free_.push_back(size_ + i);
    size_ += per_chunk;
  }
  void sweep() {
    for (std::uint32_t index = 0; index < size_; ++index) {
      const record* const owner = (*this)[index].owner;
      if (owner != nullptr && owner->bits != record::elsewhere(index).bits) leave(index);
    }
    next_sweep_ = std::max(first_sweep, 2 * in_use());
  }

  std::vector<std::unique_ptr<reader_set[]>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
  std::size_t next_sweep_ = first_sweep;
};

}  // namespace heddle_checker
