// Finds compare-and-swaps that succeed too late: the location was changed and changed back since
// the lane read it, and a value that the lane has loaded since is out of date.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checker/race/access.hpp"

namespace heddle_checker {

class aba_watch {
 public:
  using lane_name = std::uint64_t;

  // An atomic access: by which lane, and where in the code.
  struct action {
    lane_name by;
    const void* code;
    direction does;
  };
  // A stored value.
  struct change {
    std::uint64_t value;
    action how;
  };
  struct conviction {
    action read;              // when the lane read the location
    change away;              // the first change since
    change back;              // the last change, which restored the old value
    std::uintptr_t outdated;  // what the lane had loaded and somebody has overwritten
  };

  // The lane reads a location atomically, to compare it later.
  void look(std::uintptr_t address, std::uint64_t value, const action& how);
  [[nodiscard]] bool has_looked(lane_name who) const { return lanes_.contains(who); }
  [[nodiscard]] bool has_watched_lanes() const { return !lanes_.empty(); }
  // The lane then loads something else; `value` is what it finds there.
  void load(lane_name who, std::uintptr_t address, unsigned bytes, std::uint64_t value);
  // Somebody stores to a location that was read.
  [[nodiscard]] bool has_watched_locations() const { return !locations_.empty(); }
  void store(std::uintptr_t address, std::uint64_t value, const action& how);
  // A compare-and-swap of the lane finds `expected`, so it will succeed.
  [[nodiscard]] std::optional<conviction> swap(lane_name who, std::uintptr_t address,
                                               std::uint64_t expected);
  // The lane has made its comparison, or has exited.
  void forget(lane_name who);
  void clear();

 private:
  static constexpr std::size_t most_looks = 4;
  static constexpr std::size_t most_loads = 16;
  static constexpr std::size_t most_changes = 16;

  struct one_look {
    std::uintptr_t address;
    std::uint64_t value;
    std::uint64_t changes;  // of the location at that time
    std::uint64_t loads;    // of the lane at that time
    action how;
  };
  struct one_load {
    std::uintptr_t address;
    unsigned bytes;
    std::uint64_t value;
  };
  struct lane {
    std::vector<one_look> looks;
    std::array<one_load, most_loads> recent{};
    std::uint64_t loads = 0;
  };
  // Kept while some lane watches the location. Most are never changed meanwhile.
  struct location {
    unsigned watchers = 0;
    std::uint64_t changes = 0;
    std::vector<change> recent;  // the last changes, each at its number modulo most_changes

    void add(const change& what) {
      if (recent.size() < most_changes) {
        recent.push_back(what);
      } else {
        recent[changes % most_changes] = what;
      }
      ++changes;
    }
  };

  using lane_table = std::unordered_map<lane_name, lane>;
  using location_table = std::unordered_map<std::uintptr_t, location>;

  lane& lane_of(lane_name who);
  location& watched(std::uintptr_t address);
  void leave(std::uintptr_t address);

  // Both tables stay small, so that lookups hit the caches. Lanes look and forget in each iteration
  // of a loop, so freed nodes are reused.
  lane_table lanes_;
  location_table locations_;
  std::vector<lane_table::node_type> spare_lanes_;
  std::vector<location_table::node_type> spare_locations_;
};

}  // namespace heddle_checker
