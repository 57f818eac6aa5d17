// Leads one interleaving: first along a plan, then without needless switches.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/explore/known_states.hpp"
#include "checker/explore/order_of_steps.hpp"
#include "checker/explore/trace.hpp"

namespace heddle_checker {

struct plan {
  std::vector<std::uint8_t> lanes;  // the lanes that make the first steps
  std::vector<sleeper> asleep;      // the sleep set at the last of these steps
};

class guide {
 public:
  // `known`: may be null.
  explicit guide(plan what, const known_states* known = nullptr)
      : plan_(std::move(what)), known_(known) {}

  // The lane that makes the next step. None: all are asleep, so the rest need not run.
  [[nodiscard]] std::optional<unsigned> choose(lane_set able) const;
  // Whether everything that can follow the trace is already explored, so the rest need not run.
  [[nodiscard]] bool is_known(std::span<const trace_entry> trace, lane_set able, lane_set spinning);
  // The step has been made.
  void went(unsigned lane, const footprint& what);

 private:
  plan plan_;
  const known_states* known_;
  order_of_steps order_;
  std::size_t followed_ = 0;  // entries of the trace
  std::vector<order_of_steps::conflict> conflicts_;
  std::size_t steps_ = 0;
  std::optional<unsigned> last_;
};

}  // namespace heddle_checker
