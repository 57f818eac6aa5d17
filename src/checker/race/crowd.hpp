// The accesses to one cell that must be remembered beyond its newest write and one warp's reads.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "race/record.hpp"

namespace heddle_checker {

// Writes of one cell, as bits: the newest, and up to fifteen older ones.
using write_set = std::uint16_t;
inline constexpr write_set newest_write = 1 << 15;
inline constexpr unsigned most_older_writes = 15;

// A write of one lane, or like reads of some lanes of one warp in one segment.
struct crowd_entry {
  record what;
  std::uint32_t lanes = 0;
  write_set own = 0;    // of an older write: its bit
  write_set after = 0;  // writes that it comes after, or has seen: so do all that come after it
  // Of a read: those of them that it was the first to see of its lane. Whoever meets the lane after
  // that relies on it, so no other read takes its place.
  write_set witness_of = 0;
  bool is_write() const { return own != 0; }
};

struct crowd {
  const record* owner = nullptr;  // the place that refers to it, unless that has been cleared since
  std::vector<crowd_entry> entries;
  write_set newest_after = 0;  // older writes that the newest comes after, or has seen
  segment_id settled = 0;      // reads of this segment find no room, and nothing that they replace
};

// Places are cleared without a word; crowds that nobody refers to are found when many are in use.
class crowds {
 public:
  crowd& operator[](std::uint32_t index) { return all_[index]; }
  const crowd& operator[](std::uint32_t index) const { return all_[index]; }

  std::uint32_t take(const record* owner) {
    if (free_.empty() && all_.size() >= next_sweep_) sweep();
    std::uint32_t index = static_cast<std::uint32_t>(all_.size());
    if (free_.empty()) {
      all_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
    }
    all_[index].owner = owner;
    all_[index].settled = 0;
    all_[index].newest_after = 0;
    return index;
  }
  void leave(std::uint32_t index) {
    all_[index].owner = nullptr;
    all_[index].entries.clear();
    free_.push_back(index);
  }
  std::size_t in_use() const { return all_.size() - free_.size(); }
  void clear() {
    all_.clear();
    free_.clear();
    next_sweep_ = first_sweep;
  }

 private:
  static constexpr std::size_t first_sweep = 1 << 14;

  void sweep() {
    for (std::uint32_t index = 0; index < all_.size(); ++index) {
      const record* const owner = all_[index].owner;
      if (owner != nullptr && owner->bits != record::elsewhere(index).bits) leave(index);
    }
    next_sweep_ = std::max(first_sweep, 2 * in_use());
  }

  std::deque<crowd> all_;
  std::vector<std::uint32_t> free_;
  std::size_t next_sweep_ = first_sweep;
};

}  // namespace heddle_checker
