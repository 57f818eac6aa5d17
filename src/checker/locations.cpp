// Turns sides of a race and stream operations into the places of a finding.
#include "checker/locations.hpp"

#include <cstdint>

#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::actor;
using heddle_host::lane_place;

void locations::add_grid(agent which, const heddle_host::launch_request& request) {
  grids_[which] = {request.kernel->signature, request.grid, request.block,
                   operations_.keep(activity::launching, request.launched_by)};
}

lane_place locations::place_of(const side& who) const {
  const auto found = grids_.find(who.of);
  if (who.is_host || found == grids_.end()) return place_on_host(who);
  lane_place place{};
  place.doing = doing(who.does);
  place.code = who.code;
  place.is_return_address = true;
  place.is_copy = who.is_copy;
  const grid_record& grid = found->second;
  const std::uint64_t blocks_per_layer = std::uint64_t{grid.grid.x} * grid.grid.y;
  const auto block = static_cast<unsigned>(who.block % blocks_per_layer);
  place.block = {block % grid.grid.x, block / grid.grid.x,
                 static_cast<unsigned>(who.block / blocks_per_layer)};
  const unsigned row = who.thread / grid.block.x;
  place.thread = {who.thread % grid.block.x, row % grid.block.y, row / grid.block.y};
  place.warp = who.thread / 32;
  place.lane = who.thread % 32;
  place.kernel = grid.kernel.c_str();
  return place;
}

lane_place locations::place_of(const stream_operation& what) {
  lane_place place = host_place(nullptr, what.what);
  place.calls = &what.calls;
  if (what.what != activity::launching) place.who = actor::stream;
  return place;
}

lane_place locations::place_on_host(const side& who) const {
  if (const stream_operation* const asked = operations_.find(who.code)) return place_of(*asked);
  lane_place place = host_place(who.code, doing(who.does));
  if (stream_work_.contains(who.of)) place.who = actor::stream;
  return place;
}

void locations::add_launch_of(agent grid, heddle_host::finding& to) const {
  const auto found = grids_.find(grid);
  if (found == grids_.end()) return;
  to.places.push_back(place_of(*found->second.launch));
  to.places.back().kernel = found->second.kernel.c_str();
}

}  // namespace heddle_checker
