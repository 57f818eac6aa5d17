// Memory that a kernel must not write: __constant__ variables, and what it reads by __ldg.
#include <algorithm>
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/read_only_load.hpp>

#include "checker/hooks/hooks.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;

bool checker::is_constant(std::uintptr_t address) const {
  return std::any_of(constants_.begin(), constants_.end(),
                     [&](const auto& one) { return one.contains(address); });
}

void checker::report_store_to_constant(const access& what) {
  finding wrong{finding_kind::wrong_space, cudaErrorIllegalAddress, grid_->kernel->signature,
                finding_cause::constant_memory};
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(what.way);
  describe(what, wrong);
  collect(std::move(wrong));
}

// The read-only cache does not see stores of the running grid, whoever makes them.
void checker::lane_loads_read_only(const access& what) {
  if (!is_seen_by_others(what.address)) return;
  for (unsigned i = 0; i < what.bytes; i += shadow::granule) {
    const std::optional<side> writer = races_.last_writer(what.address + i);
    if (!writer || writer->of != running_ || writer->is_host) continue;
    finding wrong{finding_kind::race,
                  cudaSuccess,
                  grid_->kernel->signature,
                  finding_cause::read_only_load,
                  {heddle_host::place_of_running_lane(what.code, true), place_of(*writer)}};
    wrong.places.front().doing = heddle_host::activity::reading;
    wrong.places.front().kernel = grid_->kernel->signature;
    describe(what, wrong);
    return collect(std::move(wrong));
  }
}

}  // namespace heddle_checker

void heddle_host::lane_loads_read_only(const void* address, std::size_t bytes) {
  using namespace heddle_checker;
  if (!is_lane_code()) return;
  const checker_section guard;
  checker_in_force->lane_loads_read_only(
      access_to(address, bytes, direction::read, strength::plain, __builtin_return_address(0)));
}
