// A machine of a few lanes and variables whose interleavings can all be enumerated.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "checker/explore/search.hpp"

namespace heddle_checker {

enum class verb { load, store, store_next, swap_if, skip_if_zero, wait_for, barrier };

struct instruction {
  verb what;
  unsigned variable = 0;
  int operand = 0;  // value to store, expect or wait for; number of steps to skip
};

using small_program = std::vector<std::vector<instruction>>;  // by lane

inline std::string text_of(const small_program& program) {
  constexpr std::array names{"load", "store", "store_next", "swap_if", "skip", "wait", "barrier"};
  std::ostringstream text;
  for (std::size_t lane = 0; lane < program.size(); ++lane) {
    text << "lane " << lane << ":";
    for (const instruction& one : program[lane]) {
      text << ' ' << names[static_cast<std::size_t>(one.what)] << '(' << one.variable << ','
           << one.operand << ')';
    }
    text << '\n';
  }
  return text.str();
}

class small_machine {
 public:
  static constexpr unsigned variables = 3;

  explicit small_machine(const small_program& program)
      : program_(&program), lanes_(program.size()) {
    for (unsigned lane = 0; lane < lanes_.size(); ++lane) run_to_access(lane);
  }

  // The lanes that are about to access memory: those that make progress, and those that only spin.
  [[nodiscard]] lane_set able() const { return standing(false); }
  [[nodiscard]] lane_set spinning() const { return standing(true); }

  footprint step(unsigned lane) {
    lane_state& me = lanes_[lane];
    const instruction& now = (*program_)[lane][me.at];
    int& cell = memory_[now.variable];
    footprint what{now.variable * 16 + 16, 4, false};
    bool goes_on = true;
    switch (now.what) {
      case verb::load:
        me.value = cell;
        break;
      case verb::store:
        cell = now.operand;
        what.writes = true;
        break;
      case verb::store_next:
        cell = me.value + 1;
        what.writes = true;
        break;
      case verb::swap_if:
        what.writes = cell == now.operand;
        me.value = what.writes;
        if (what.writes) cell = now.operand + 1;
        break;
      default:
        goes_on = cell == now.operand;
        me.has_looked_at = versions_[now.variable];
    }
    if (what.writes) ++versions_[now.variable];
    if (goes_on) {
      ++me.at;
      me.has_looked_at = 0;
      run_to_access(lane);
    }
    return what;
  }

  // The barriers passed since the last call.
  std::vector<lane_set> take_meetings() { return std::move(meetings_); }

  [[nodiscard]] std::string result() const {
    std::ostringstream text;
    for (const int cell : memory_) text << cell << ' ';
    for (const lane_state& each : lanes_) text << '/' << each.at << ',' << each.value;
    return text.str();
  }
  // The result plus everything that decides what can follow.
  [[nodiscard]] std::string state() const {
    std::ostringstream text;
    text << result();
    for (unsigned lane = 0; lane < lanes_.size(); ++lane) {
      text << (lanes_[lane].waits ? 'w' : ' ') << (spinning() & only(lane) ? 's' : ' ');
    }
    return text.str();
  }

 private:
  struct lane_state {
    std::size_t at = 0;
    int value = 0;
    bool waits = false;
    std::uint32_t has_looked_at = 0;  // the version it has read; 0: none
  };

  [[nodiscard]] bool has_ended(unsigned lane) const {
    return lanes_[lane].at >= (*program_)[lane].size();
  }

  [[nodiscard]] lane_set standing(bool wants_spinning) const {
    lane_set found = 0;
    for (unsigned lane = 0; lane < lanes_.size(); ++lane) {
      if (has_ended(lane) || lanes_[lane].waits) continue;
      const instruction& now = (*program_)[lane][lanes_[lane].at];
      const bool spins =
          now.what == verb::wait_for && lanes_[lane].has_looked_at == versions_[now.variable];
      if (spins == wants_spinning) found |= only(lane);
    }
    return found;
  }

  void run_to_access(unsigned lane) {
    lane_state& me = lanes_[lane];
    while (!has_ended(lane)) {
      const instruction& now = (*program_)[lane][me.at];
      if (now.what == verb::skip_if_zero) {
        me.at += me.value == 0 ? 1 + static_cast<unsigned>(now.operand) : 1;
      } else if (now.what == verb::barrier) {
        me.waits = true;
        open_barrier_if_complete();
        return;
      } else {
        return;
      }
    }
    open_barrier_if_complete();
  }

  // Like __syncthreads: waits for the lanes that have not exited.
  void open_barrier_if_complete() {
    lane_set waiting = 0;
    for (unsigned lane = 0; lane < lanes_.size(); ++lane) {
      if (lanes_[lane].waits) waiting |= only(lane);
      if (!lanes_[lane].waits && !has_ended(lane)) return;
    }
    if (waiting == 0) return;
    meetings_.push_back((lane_set{1} << lanes_.size()) - 1);
    for (lane_state& each : lanes_) {
      if (each.waits) ++each.at;
      each.waits = false;
    }
    for (unsigned lane = 0; lane < lanes_.size(); ++lane) {
      if (waiting & only(lane)) run_to_access(lane);
    }
  }

  const small_program* program_;
  std::vector<lane_state> lanes_;
  std::array<int, variables> memory_{};
  std::array<std::uint32_t, variables> versions_{1, 1, 1};
  std::vector<lane_set> meetings_;
};

struct explored {
  std::set<std::string> results;
  std::set<std::string> traces;  // one text for all orders of steps that commute
  std::uint64_t complete = 0, pruned = 0;
};

// Identifies an interleaving by the order of the steps that do not commute.
class trace_text {
 public:
  void add(unsigned lane, const footprint& what) {
    auto& list = by_address_[what.address];
    const std::size_t number = counts_[lane]++;
    if (list.empty() || what.writes || list.back().first) list.push_back({what.writes, {}});
    list.back().second.insert({lane, number});
  }
  [[nodiscard]] std::string text() const {
    std::ostringstream text;
    for (const auto& [address, list] : by_address_) {
      text << address << ':';
      for (const auto& [writes, who] : list) {
        text << (writes ? 'w' : 'r');
        for (const auto& [lane, number] : who) text << lane << '.' << number << ' ';
      }
    }
    return text.str();
  }

 private:
  std::map<std::uint64_t, std::vector<std::pair<bool, std::set<std::pair<unsigned, std::size_t>>>>>
      by_address_;
  std::map<unsigned, std::size_t> counts_;
};

// Runs every interleaving.
inline void enumerate(const small_machine& from, trace_text trace, std::optional<unsigned> last,
                      std::optional<unsigned> bound, explored& into) {
  const lane_set able = from.able();
  if (able == 0) {
    into.results.insert(from.result());
    into.traces.insert(trace.text());
    ++into.complete;
    return;
  }
  for (unsigned lane = 0; lane < most_explored_lanes; ++lane) {
    if (!(able & only(lane))) continue;
    std::optional<unsigned> left = bound;
    if (last && *last != lane && able & only(*last) && left) {
      if (*left == 0) continue;
      --*left;
    }
    small_machine next = from;
    next.take_meetings();  // those before this step
    trace_text longer = trace;
    longer.add(lane, next.step(lane));
    const bool has_met = !next.take_meetings().empty();
    enumerate(next, std::move(longer), has_met ? std::nullopt : std::optional(lane), left, into);
  }
}

// Runs the interleavings that the search asks for, each to its end or up to a known state.
inline explored explore(const small_program& program, std::optional<unsigned> bound,
                        bool stops_at_known = true) {
  explored into;
  search plans(bound);
  do {
    small_machine machine(program);
    guide way(plans.next(), stops_at_known ? plans.known() : nullptr);
    std::vector<trace_entry> trace;
    trace_text text;
    const auto add_meetings = [&] {
      for (const lane_set who : machine.take_meetings()) {
        trace.push_back({{}, who, 0, 0, happening::meeting});
      }
    };
    add_meetings();
    bool is_pruned = false;
    while (const lane_set able = machine.able()) {
      if (way.is_known(trace, able, machine.spinning())) {
        trace.push_back({{}, able, machine.spinning(), 0, happening::known});
        is_pruned = true;
        break;
      }
      const auto lane = way.choose(able);
      if (!lane) {
        is_pruned = true;
        break;
      }
      trace_entry entry{
          {}, able, machine.spinning(), static_cast<std::uint8_t>(*lane), happening::access};
      entry.what = machine.step(*lane);
      way.went(*lane, entry.what);
      text.add(*lane, entry.what);
      trace.push_back(entry);
      add_meetings();
    }
    if (is_pruned) {
      ++into.pruned;
    } else {
      ++into.complete;
      into.results.insert(machine.result());
      into.traces.insert(text.text());
    }
    if (!plans.learn(trace)) return into;
  } while (true);
}

}  // namespace heddle_checker
