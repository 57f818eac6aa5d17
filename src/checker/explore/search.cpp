// Finds races in a trace, and the steps from which they can be run in the opposite order.
#include "checker/explore/search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace heddle_checker {

bool search::learn(std::span<const trace_entry> trace) {
  add_nodes(trace);
  find_races(trace);
  return choose_next();
}

void search::add_nodes(std::span<const trace_entry> trace) {
  std::size_t step = 0;
  const std::size_t planned = next_.lanes.size();
  lane_set have_met = 0;  // since the last step
  for (const trace_entry& entry : trace) {
    if (entry.kind == happening::meeting) have_met |= entry.lanes;
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
        made.is_free = (entry.lanes & ~have_met & only(before.lane)) == 0;
        made.preemptions = before.preemptions + (preempts(step - 1, before.lane) ? 1 : 0);
        for (const sleeper& one : before.asleep) {
          if (one.lane != before.lane && !depend(one.what, before.what)) made.asleep.push_back(one);
        }
      }
      nodes_.push_back(std::move(made));
    }
    ++step;
    have_met = 0;
  }
  if (step < planned) throw std::logic_error("the program does not run the same way twice");
}

void search::find_races(std::span<const trace_entry> trace) {
  // Races among the planned steps are known, except those of the last one.
  const std::size_t first_new = next_.lanes.empty() ? 0 : next_.lanes.size() - 1;
  order_of_steps order;
  std::vector<order_of_steps::conflict> conflicts;
  for (const trace_entry& entry : trace) {
    const second_side second{order.steps(), entry.lane};
    const bool is_step = entry.kind == happening::access;
    const bool is_new = second.at >= first_new;
    if (entry.kind == happening::known) take_known_races(order.state(entry.lanes, entry.spinning));
    if (is_step && is_new) nodes_[second.at].state = order.state(entry.lanes, entry.spinning);
    order.add(entry, conflicts);
    if (is_step && is_new) nodes_[second.at].number = order.number_of(second.at);
    if (!is_new) continue;
    for (const auto& one : conflicts) {
      if (bound_) {
        reverse_within_bound(one.step, entry.lane);
        const race found{static_cast<std::uint32_t>(one.step), entry.lane, false};
        if (is_step) {
          nodes_[second.at].races.push_back(found);
        } else {
          pass_on(found, second.at);
        }
      } else if (one.is_immediate) {
        reverse(one.step, second, order);
      }
    }
  }
}

// Source sets: take the steps that do not come after the first side, followed by the second side.
// Some lane that can begin this sequence must be tried in place of the first side.
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
  // An access that never happened has no clock: nothing is known to come before it.
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
  // At the start of the turn a switch may be free, so that the bound allows it.
  try_lane_at(begin_of_turn(first), lane);
}

std::size_t search::begin_of_turn(std::size_t step) const {
  while (!nodes_[step].is_free && nodes_[step - 1].lane == nodes_[step].lane) --step;
  return step;
}

// The last step has led to a state that is already explored. The same races follow it here; only
// the steps before have another order.
void search::take_known_races(std::uint64_t state) {
  std::array<std::vector<std::uint32_t>, most_explored_lanes> steps;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    steps[nodes_[i].lane].push_back(static_cast<std::uint32_t>(i));
  }
  for (const race_behind& one : known_->races_behind(state)) {
    const std::uint32_t step = steps[one.of_lane][one.number - 1];
    if (one.is_at_begin) {
      try_lane_at(begin_of_turn(step), one.lane);
    } else {
      reverse_within_bound(step, one.lane);
    }
    pass_on({step, static_cast<std::uint8_t>(one.lane), one.is_at_begin != 0}, nodes_.size());
  }
}

// A race that follows these steps also follows all but the last of them. If its first side is that
// last step, only the start of the step's turn is left to try, if it is earlier.
void search::pass_on(const race& what, std::size_t from) {
  const std::size_t last = from - 1;
  if (what.step != last) {
    nodes_[last].races.push_back(what);
  } else if (begin_of_turn(last) != last) {
    nodes_[last].races.push_back({what.step - 1, what.lane, true});
  }
}

void search::leave_last_node() {
  node& last = nodes_.back();
  std::sort(last.races.begin(), last.races.end());
  last.races.erase(std::unique(last.races.begin(), last.races.end()), last.races.end());
  if (known_) {
    std::vector<race_behind> races;
    for (const race& one : last.races) {
      const node& step = nodes_[one.step];
      races.push_back({step.number, step.lane, one.lane, one.is_at_begin});
    }
    known_->add(last.state, last.preemptions, races);
  }
  if (nodes_.size() > 1) {
    for (const race& one : last.races) pass_on(one, nodes_.size() - 1);
  }
  nodes_.pop_back();
}

void search::try_lane_at(std::size_t step, unsigned lane) {
  node& here = nodes_[step];
  here.tried |= here.able & only(lane) ? only(lane) : here.able;
}

// Whether running the lane preempts the previous one, which could continue.
bool search::preempts(std::size_t step, unsigned lane) const {
  return !nodes_[step].is_free && nodes_[step - 1].lane != lane;
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
      leave_last_node();
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
