// The happens-before order of the steps of one interleaving.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checker/explore/trace.hpp"

namespace heddle_checker {

// Spreads each bit over the whole word.
constexpr std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 31)) * 0x9e3779b97f4a7c15u;
  word = (word ^ (word >> 29)) * 0xbf58476d1ce4e5b9u;
  return word ^ (word >> 32);
}

// Happens-before, by vector clocks. `clock[lane]` is the number of steps, counted over all lanes,
// up to and including the last step of `lane` that comes before.
class order_of_steps {
 public:
  using clock = std::array<std::uint32_t, most_explored_lanes>;

  // A step that does not commute with the lane's next one, and is not otherwise ordered with it.
  struct conflict {
    std::size_t step;
    bool is_immediate;  // no other step orders the two
  };

  [[nodiscard]] bool is_before(std::size_t step, std::size_t other) const {
    return clocks_[other][lanes_[step]] > step;
  }
  [[nodiscard]] const clock& of_step(std::size_t step) const { return clocks_[step]; }
  [[nodiscard]] unsigned lane_of(std::size_t step) const { return lanes_[step]; }
  [[nodiscard]] std::size_t steps() const { return clocks_.size(); }
  // How many steps its lane had made, including this one.
  [[nodiscard]] std::uint32_t number_of(std::size_t step) const { return numbers_[step]; }

  // How often another lane ran although the last one could have continued.
  [[nodiscard]] unsigned preemptions() const { return preemptions_; }
  // Equal for orders that differ only in steps that commute, if the same lane can continue without
  // a preemption: the same steps can follow, at the same cost. Never 0.
  [[nodiscard]] std::uint64_t state(lane_set able, lane_set spinning) const {
    const std::uint64_t going_on = goes_on_for_nothing(able) ? *last_ + 1 : 0;
    const std::uint64_t all = mixed(digest_ + mixed(able + mixed(spinning + mixed(going_on + 1))));
    return all != 0 ? all : 1;
  }

  // `conflicts` gets the steps that race with this one.
  void add(const trace_entry& entry, std::vector<conflict>& conflicts) {
    conflicts.clear();
    if (entry.kind == happening::meeting) {
      add_meeting(entry.lanes);
    } else if (entry.kind != happening::known) {
      const clock mine = look(entry.lane, entry.what, conflicts);
      if (entry.kind == happening::access) add_step(entry, mine);
    }
  }

 private:
  // Whether the lane of the last step could continue, so that a switch is a preemption.
  [[nodiscard]] bool goes_on_for_nothing(lane_set able) const {
    return last_ && (able & ~have_met_ & only(*last_)) != 0;
  }

  // The clock that a step of the lane would have now, and the steps that race with it.
  clock look(unsigned lane, const footprint& what, std::vector<conflict>& conflicts) const {
    clock mine = now_[lane];
    const auto known = touched_.find(what.address / granule);
    if (known == touched_.end()) return mine;
    const auto& steps = known->second;
    for (auto at = steps.rbegin(); at != steps.rend(); ++at) {
      const std::size_t step = *at;
      if (lanes_[step] == lane || !depend(footprints_[step], what)) continue;
      if (now_[lane][lanes_[step]] > step) continue;
      conflicts.push_back({step, mine[lanes_[step]] <= step});
      join(mine, clocks_[step]);
    }
    return mine;
  }

  void add_step(const trace_entry& entry, clock mine) {
    const std::size_t step = clocks_.size();
    const unsigned lane = entry.lane;
    if (goes_on_for_nothing(entry.lanes) && *last_ != lane) ++preemptions_;
    mine[lane] = static_cast<std::uint32_t>(step + 1);
    now_[lane] = mine;
    touched_[entry.what.address / granule].push_back(step);
    clocks_.push_back(mine);
    lanes_.push_back(entry.lane);
    footprints_.push_back(entry.what);
    numbers_.push_back(++made_[lane]);
    digest_ += digest_of_last();  // independent of the order
    last_ = lane;
    have_met_ = 0;
  }

  void add_meeting(lane_set who) {
    have_met_ |= who;
    clock all{};
    for (lane_set left = who; left; left &= left - 1) {
      join(all, now_[static_cast<unsigned>(std::countr_zero(left))]);
    }
    for (lane_set left = who; left; left &= left - 1) {
      now_[static_cast<unsigned>(std::countr_zero(left))] = all;
    }
  }

  static constexpr std::uint64_t granule = 16;  // no access crosses its boundary
  static void join(clock& into, const clock& other) {
    for (unsigned i = 0; i < most_explored_lanes; ++i) into[i] = std::max(into[i], other[i]);
  }
  // A digest of the last step and of how many steps of each lane come before it.
  [[nodiscard]] std::uint64_t digest_of_last() const {
    std::uint64_t all = mixed(lanes_.back() + 1u);
    for (unsigned lane = 0; lane < most_explored_lanes; ++lane) {
      const std::uint32_t behind = clocks_.back()[lane];
      if (behind != 0) all = mixed(all ^ (std::uint64_t{numbers_[behind - 1]} << 8 | lane));
    }
    return all;
  }

  std::array<clock, most_explored_lanes> now_{};
  std::array<std::uint32_t, most_explored_lanes> made_{};
  std::uint64_t digest_ = 0;
  unsigned preemptions_ = 0;
  std::optional<unsigned> last_;
  lane_set have_met_ = 0;  // since the last step
  std::vector<clock> clocks_;
  std::vector<std::uint8_t> lanes_;
  std::vector<std::uint32_t> numbers_;
  std::vector<footprint> footprints_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> touched_;
};

}  // namespace heddle_checker
