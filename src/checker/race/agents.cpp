// Assigns agents to chains.
#include "checker/race/agents.hpp"

#include <algorithm>
#include <utility>

namespace heddle_checker {

agent agents::add(std::span<const agent> known, bool is_host, unsigned device) {
  entry fresh{is_host, false, device, 0, 0, 0, 0, {}, {}};
  for (const agent each : known) {
    const entry& other = all_[each];
    fresh.ancient = std::max(fresh.ancient, other.ancient);
    fresh.learned.join(other.learned);
    if (other.places.size() > fresh.places.size()) fresh.places.resize(other.places.size());
    for (std::size_t chain = 0; chain < other.places.size(); ++chain) {
      fresh.places[chain] = std::max(fresh.places[chain], other.places[chain]);
    }
    if (fresh.places.size() <= other.chain) fresh.places.resize(other.chain + 1);
    fresh.places[other.chain] = std::max(fresh.places[other.chain], other.place);
  }
  fresh.knows_everything = std::ranges::equal(fresh.places, lengths_);
  // Append it to the first chain whose last agent it comes after.
  fresh.chain = static_cast<std::uint32_t>(lengths_.size());
  for (std::uint32_t chain = 0; chain < fresh.places.size(); ++chain) {
    if (fresh.places[chain] != lengths_[chain]) continue;
    fresh.chain = chain;
    break;
  }
  if (fresh.chain == lengths_.size()) lengths_.push_back(0);
  fresh.place = ++lengths_[fresh.chain];
  all_.push_back(std::move(fresh));
  return static_cast<agent>(all_.size() - 1);
}

void agents::forget_segments() {
  for (entry& each : all_) {
    each.ancient = each.common = 0;
    each.learned = {};
  }
}

}  // namespace heddle_checker
