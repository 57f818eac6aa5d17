// A compare-and-swap that succeeds although the world has moved on: its location was changed and
// changed back since the lane read it, and what the lane has learned in between is out of date.
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

  // An atomic access, by whom and where in the code.
  struct deed {
    lane_name by;
    const void* code;
    direction does;
  };
  // What was stored.
  struct change {
    std::uint64_t value;
    deed how;
  };
  struct conviction {
    deed read;                // when the lane looked
    change away;              // the first change since
    change back;              // the last one, which brought the old value again
    std::uintptr_t outdated;  // what the lane had loaded and somebody has overwritten
  };

  // The lane looks at a location atomically, to compare it later.
  void look(std::uintptr_t address, std::uint64_t value, const deed& how);
  [[nodiscard]] bool has_looked(lane_name who) const { return lanes_.contains(who); }
  [[nodiscard]] bool somebody_looks() const { return !lanes_.empty(); }
  // The lane loads something else meanwhile; `value` is what is there now.
  void load(lane_name who, std::uintptr_t address, unsigned bytes, std::uint64_t value);
  // Somebody stores to a location that was looked at.
  [[nodiscard]] bool somebody_watches() const { return !locations_.empty(); }
  void store(std::uintptr_t address, std::uint64_t value, const deed& how);
  // A compare-and-swap of the lane finds `expected` and will succeed.
  [[nodiscard]] std::optional<conviction> swap(lane_name who, std::uintptr_t address,
                                               std::uint64_t expected);
  // The lane has compared what it looked at, or has ended.
  void forget(lane_name who);
  void clear();

 private:
  static constexpr std::size_t most_looks = 4;
  static constexpr std::size_t most_loads = 16;
  static constexpr std::size_t most_changes = 16;

  struct one_look {
    std::uintptr_t address;
    std::uint64_t value;
    std::uint64_t changes;  // of the location by then
    std::uint64_t loads;    // of the lane by then
    deed how;
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
  // Known as long as somebody looks at it. Most are never changed meanwhile.
  struct location {
    unsigned watchers = 0;
    std::uint64_t changes = 0;
    std::vector<change> recent;  // the last ones, each at its number modulo most_changes

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

  // Both stay small, so that looking something up finds it in the caches. Lanes look and forget in
  // each turn of a loop: what one has left serves the next.
  lane_table lanes_;
  location_table locations_;
  std::vector<lane_table::node_type> spare_lanes_;
  std::vector<location_table::node_type> spare_locations_;
};

}  // namespace heddle_checker
