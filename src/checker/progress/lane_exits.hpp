// Where the lanes of the running grid have exited.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle_checker {

// By thread. Null: the thread has not exited, or the place is unknown.
using exits_of_block = std::vector<const void*>;

class lane_exits {
 public:
  void grid_begins() { ended_.clear(); }
  // Usually all lanes of a block exit at the same place; then only that place is kept.
  void block_ends(std::uint64_t block, exits_of_block& exits) {
    if (exits.empty()) return;
    const bool are_alike = std::all_of(exits.begin(), exits.end(),
                                       [&](const void* each) { return each == exits.front(); });
    if (are_alike) exits.erase(exits.begin() + 1, exits.end());
    ended_[block] = exits;
  }
  // For a lane of a block that has ended.
  [[nodiscard]] const void* find(std::uint64_t block, unsigned thread) const {
    const auto found = ended_.find(block);
    if (found == ended_.end()) return nullptr;
    const exits_of_block& exits = found->second;
    return exits.size() == 1 ? exits.front() : exits[thread];
  }

 private:
  std::unordered_map<std::uint64_t, exits_of_block> ended_;
};

}  // namespace heddle_checker
