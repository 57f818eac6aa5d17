// What the checker records about each block while the block runs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include <heddle_host/lane.hpp>
#include <heddle_host/observer.hpp>

#include "checker/memory/async_copies.hpp"
#include "checker/progress/lane_exits.hpp"
#include "checker/progress/repetition.hpp"
#include "checker/progress/standstill.hpp"
#include "checker/race/block_clock.hpp"
#include "checker/race/vector_clock.hpp"

namespace heddle_checker {

struct block_record {
  std::uint64_t linear_block = 0;
  bool is_watched = true;
  heddle_host::block_memory memory{};
  block_clock* clock = nullptr;
  std::vector<standstill::lane> lanes;      // polling state by thread
  std::vector<repetition::lane> repeating;  // by thread, during a search for repetition
  exits_of_block exits;
  std::map<unsigned, copies_of_lane> copies;
  std::map<unsigned, vector_clock> released_to_barrier;  // by the number of a named barrier

  [[nodiscard]] bool has_shared(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(memory.shared) < memory.shared_bytes ||
           address - reinterpret_cast<std::uintptr_t>(memory.dynamic_shared) <
               memory.dynamic_shared_bytes;
  }
};

// The block of the running lane.
[[gnu::always_inline]] inline block_record& running_block() {
  return *static_cast<block_record*>(heddle_host::lane_now.observed);
}

// A number for the running lane, unique in its grid.
inline std::uint64_t running_lane() {
  return running_block().linear_block << 10 | heddle_host::lane_now.thread;
}

// Records of the resident blocks. Records of finished blocks are reused.
class block_records {
 public:
  block_record& begin() {
    if (idle_.empty()) {
      all_.emplace_back();
      idle_.push_back(&all_.back());
    }
    block_record& fresh = *idle_.back();
    idle_.pop_back();
    return fresh;
  }
  void end(block_record& one) { idle_.push_back(&one); }

  // Includes idle records.
  [[nodiscard]] const std::deque<block_record>& all() const { return all_; }
  [[nodiscard]] std::map<std::uint64_t, block_record*> resident() {
    std::map<std::uint64_t, block_record*> by_number;
    for (block_record& one : all_) by_number[one.linear_block] = &one;
    for (const block_record* idle : idle_) {
      const auto found = by_number.find(idle->linear_block);
      if (found != by_number.end() && found->second == idle) by_number.erase(found);
    }
    return by_number;
  }
  [[nodiscard]] std::size_t resident_threads() const {
    std::size_t threads = 0;
    for (const block_record& one : all_) threads += one.memory.threads;
    for (const block_record* idle : idle_) threads -= idle->memory.threads;
    return threads;
  }

 private:
  std::deque<block_record> all_;
  std::vector<block_record*> idle_;
};

}  // namespace heddle_checker
