// Finds races in what has happened, and the places from where they can be run the other way round.
#include "checker/explore/search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <unordered_map>

namespace heddle_checker {

// What happens before what, by vector clocks: `clock[lane]` counts the steps, from the first of
// all, up to the last one of that lane that comes before.
class search::order_of_steps {
 public:
  using clock = std::array<std::uint32_t, most_explored_lanes>;

  // Steps that do not commute with the lane's next one, and not ordered with it otherwise.
  struct conflict {
    std::size_t step;
    bool is_immediate;  // nothing stands between the two
  };

  [[nodiscard]] bool is_before(std::size_t step, std::size_t other) const {
    return clocks_[other][lanes_[step]] > step;
  }
  [[nodiscard]] const clock& of_step(std::size_t step) const { return clocks_[step]; }
  [[nodiscard]] unsigned lane_of(std::size_t step) const { return lanes_[step]; }
  [[nodiscard]] std::size_t steps() const { return clocks_.size(); }

  // The clock that a step of the lane would have now; and who races with it.
  clock look(unsigned lane, const footprint& what, std::vector<conflict>& conflicts) const {
    conflicts.clear();
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

  void add_step(unsigned lane, const footprint& what, clock mine) {
    const std::size_t step = clocks_.size();
    mine[lane] = static_cast<std::uint32_t>(step + 1);
    now_[lane] = mine;
    touched_[what.address / granule].push_back(step);
    clocks_.push_back(mine);
    lanes_.push_back(static_cast<std::uint8_t>(lane));
    footprints_.push_back(what);
  }

  void add_meeting(lane_set who) {
    clock all{};
    for (lane_set left = who; left; left &= left - 1) {
      join(all, now_[static_cast<unsigned>(std::countr_zero(left))]);
    }
    for (lane_set left = who; left; left &= left - 1) {
      now_[static_cast<unsigned>(std::countr_zero(left))] = all;
    }
  }

 private:
  static constexpr std::uint64_t granule = 16;  // no access crosses its boundary
  static void join(clock& into, const clock& other) {
    for (unsigned i = 0; i < most_explored_lanes; ++i) into[i] = std::max(into[i], other[i]);
  }
  std::array<clock, most_explored_lanes> now_{};
  std::vector<clock> clocks_;
  std::vector<std::uint8_t> lanes_;
  std::vector<footprint> footprints_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> touched_;
};

bool search::learn(std::span<const trace_entry> trace) {
  add_nodes(trace);
  find_races(trace);
  return choose_next();
}

void search::add_nodes(std::span<const trace_entry> trace) {
  std::size_t step = 0;
  const std::size_t planned = next_.lanes.size();
  for (const trace_entry& entry : trace) {
    if (entry.kind != happening::access) continue;
    const bool is_last_planned = step + 1 == planned;
    if (step < planned && entry.lane != next_.lanes[step]) {
      throw std::logic_error("the program does not run the same way twice");
    }
    if (step < planned) {
      if (is_last_planned) nodes_[step].what = entry.what;
    } else {
      node made;
      made.able = entry.lanes;
      made.spinning = entry.spinning;
      made.tried = only(entry.lane);
      made.lane = entry.lane;
      made.what = entry.what;
      if (step > 0) {
        const node& before = nodes_[step - 1];
        made.preemptions = before.preemptions + (preempts(step - 1, before.lane) ? 1 : 0);
        for (const sleeper& one : before.asleep) {
          if (one.lane != before.lane && !depend(one.what, before.what)) made.asleep.push_back(one);
        }
      }
      nodes_.push_back(std::move(made));
    }
    ++step;
  }
  if (step < planned) throw std::logic_error("the program does not run the same way twice");
}

void search::find_races(std::span<const trace_entry> trace) {
  // Races among the planned steps are known, but for those of the last one.
  const std::size_t first_new = next_.lanes.empty() ? 0 : next_.lanes.size() - 1;
  order_of_steps order;
  std::vector<order_of_steps::conflict> conflicts;
  for (const trace_entry& entry : trace) {
    if (entry.kind == happening::meeting) {
      order.add_meeting(entry.lanes);
      continue;
    }
    const auto mine = order.look(entry.lane, entry.what, conflicts);
    const second_side second{order.steps(), entry.lane};
    const bool is_new = second.at >= first_new;
    if (entry.kind == happening::access) order.add_step(entry.lane, entry.what, mine);
    if (!is_new) continue;
    for (const auto& one : conflicts) {
      if (bound_) {
        reverse_within_bound(one.step, entry.lane);
      } else if (one.is_immediate) {
        reverse(one.step, second, order);
      }
    }
  }
}

// Source sets: somebody who can begin what does not come after the first side, followed by the
// second, must be tried in place of the first side.
void search::reverse(std::size_t first, const second_side& second, const order_of_steps& order) {
  constexpr std::size_t none = ~std::size_t{0};
  std::array<std::size_t, most_explored_lanes> begins;
  begins.fill(none);
  lane_set initial = 0;
  const auto begin = [&](unsigned lane, const order_of_steps::clock* clock) {
    if (begins[lane] != none) return;
    bool is_first = true;
    for (unsigned other = 0; clock != nullptr && other < most_explored_lanes; ++other) {
      is_first = is_first && !(begins[other] != none && (*clock)[other] > begins[other]);
    }
    if (is_first) initial |= only(lane);
  };
  for (std::size_t step = first + 1; step < second.at; ++step) {
    if (order.is_before(first, step)) continue;
    const unsigned lane = order.lane_of(step);
    begin(lane, &order.of_step(step));
    begins[lane] = std::min(begins[lane], step);
  }
  // An access that never came has no clock: nobody is known to come before it.
  begin(second.lane, second.at < order.steps() ? &order.of_step(second.at) : nullptr);

  node& here = nodes_[first];
  if (initial & here.tried) return;
  if (const lane_set able = initial & here.able) {
    here.tried |= able & only(second.lane) ? only(second.lane) : able & -able;
  } else if (!(initial & here.spinning)) {
    here.tried |= here.able;
  }
}

void search::reverse_within_bound(std::size_t first, unsigned lane) {
  try_lane_at(first, lane);
  // There a switch may cost nothing, so that the bound allows it.
  std::size_t begin = first;
  while (begin > 0 && nodes_[begin - 1].lane == nodes_[first].lane) --begin;
  if (begin != first) try_lane_at(begin, lane);
}

void search::try_lane_at(std::size_t step, unsigned lane) {
  node& here = nodes_[step];
  here.tried |= here.able & only(lane) ? only(lane) : here.able;
}

// Whether the lane would be let go on though the one before could.
bool search::preempts(std::size_t step, unsigned lane) const {
  if (step == 0) return false;
  const unsigned before = nodes_[step - 1].lane;
  return before != lane && (nodes_[step].able & only(before)) != 0;
}

bool search::exceeds_bound(std::size_t step, unsigned lane) const {
  return bound_ && nodes_[step].preemptions + (preempts(step, lane) ? 1 : 0) > *bound_;
}

bool search::choose_next() {
  while (!nodes_.empty()) {
    node& last = nodes_.back();
    const std::size_t step = nodes_.size() - 1;
    last.done |= only(last.lane);
    if (!bound_) last.asleep.push_back({last.lane, last.what});
    lane_set left = last.tried & ~last.done;
    for (const sleeper& one : last.asleep) left &= ~only(one.lane);
    for (lane_set each = left; each; each &= each - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(each));
      if (!exceeds_bound(step, lane)) continue;
      ++beyond_bound_;
      last.done |= only(lane);
      left &= ~only(lane);
    }
    if (left == 0) {
      nodes_.pop_back();
      continue;
    }
    const auto lane = static_cast<std::uint8_t>(std::countr_zero(left));
    next_.asleep = last.asleep;
    next_.lanes.clear();
    for (const node& each : nodes_) next_.lanes.push_back(each.lane);
    next_.lanes.back() = lane;
    last.lane = lane;
    return true;
  }
  return false;
}

double search::fraction() const {
  if (nodes_.empty()) return 1;
  double done = 0;
  double weight = 1;
  for (const node& each : nodes_) {
    const auto branches = static_cast<double>(std::popcount(each.tried));
    done += weight * std::popcount(each.done & ~only(each.lane)) / branches;
    weight /= branches;
  }
  return done;
}

}  // namespace heddle_checker
