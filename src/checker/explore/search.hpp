// Chooses which interleavings to run: one of all those that differ only in the order of steps that
// commute.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "checker/explore/guide.hpp"
#include "checker/explore/known_states.hpp"
#include "checker/explore/order_of_steps.hpp"
#include "checker/explore/trace.hpp"

namespace heddle_checker {

// Independent of the runtime: the caller asks for a plan, follows it with a `guide`, and hands in
// the trace.
//
// Without a bound this is dynamic partial-order reduction with source sets and sleep sets (Abdulla,
// Aronsson, Jonsson, Sagonas 2014). With a bound on preemptions, that is, on switches away from a
// lane that could continue, it is bounded partial-order reduction (Coons, Musuvathi, McKinley
// 2013). That needs more backtracking points, and cannot use sleep sets: they would drop an
// interleaving in favour of one that exceeds the bound. Instead it stops at states that are already
// explored with as many preemptions left, and takes over the races that follow them.
class search {
 public:
  explicit search(std::optional<unsigned> preemptions = {})
      : bound_(preemptions), known_(preemptions ? std::make_unique<known_states>() : nullptr) {}

  // For a guide: the next plan, and the states at which to stop.
  [[nodiscard]] const plan& next() const { return next_; }
  [[nodiscard]] const known_states* known() const { return known_.get(); }
  // Takes the trace of the plan and what followed it. False: nothing is left to run. Throws
  // std::logic_error if the trace has not followed the plan.
  bool learn(std::span<const trace_entry> trace);

  // The explored fraction of the tree of choices; all branches of a node count the same.
  [[nodiscard]] double fraction() const;
  // Choices that were left out because they exceed the limit on preemptions.
  [[nodiscard]] std::uint64_t beyond_bound() const { return beyond_bound_; }

 private:
  // An earlier step, and a lane that should run before it.
  struct race {
    std::uint32_t step;
    std::uint8_t lane;
    bool is_at_begin;  // only at the start of the turn that so far ends with the step
    auto operator<=>(const race&) const = default;
  };
  struct node {
    lane_set able = 0;      // could run
    lane_set spinning = 0;  // would only have polled again
    lane_set tried = 0;     // to be tried, or done
    lane_set done = 0;
    std::uint8_t lane = 0;  // of the step that is currently made here
    footprint what{};
    unsigned preemptions = 0;     // before this step
    bool is_free = true;          // no choice here is a preemption
    std::vector<sleeper> asleep;  // lanes whose step here leads to nothing new
    std::uint64_t state = 0;      // before this step
    std::uint32_t number = 0;     // of this step among those of its lane
    std::vector<race> races;      // between earlier and later steps
  };
  // The second side of a race: an access, or one that never happened.
  struct second_side {
    std::size_t at;  // how many steps came before
    std::uint8_t lane;
  };

  void add_nodes(std::span<const trace_entry> trace);
  void find_races(std::span<const trace_entry> trace);
  void reverse(std::size_t first, const second_side& second, const order_of_steps& order);
  void reverse_within_bound(std::size_t first, unsigned lane);
  void take_known_races(std::uint64_t state);
  void pass_on(const race& what, std::size_t from);
  void leave_last_node();
  [[nodiscard]] std::size_t begin_of_turn(std::size_t step) const;
  void try_lane_at(std::size_t step, unsigned lane);
  [[nodiscard]] bool choose_next();
  [[nodiscard]] bool preempts(std::size_t step, unsigned lane) const;
  [[nodiscard]] bool exceeds_bound(std::size_t step, unsigned lane) const;

  std::optional<unsigned> bound_;
  std::unique_ptr<known_states> known_;
  plan next_;
  std::vector<node> nodes_;
  std::uint64_t beyond_bound_ = 0;
};

}  // namespace heddle_checker
