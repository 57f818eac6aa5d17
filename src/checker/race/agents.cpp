// Assigns agents to chains.
#include "checker/race/agents.hpp"

#include <algorithm>
#include <utility>

namespace heddle_checker {

void agents::take_over(entry& fresh, const entry& from) {
  fresh.ancient = std::max(fresh.ancient, from.ancient);
  fresh.learned.join(from.learned);
  if (from.places.size() > fresh.places.size()) fresh.places.resize(from.places.size());
  for (std::size_t chain = 0; chain < from.places.size(); ++chain) {
    fresh.places[chain] = std::max(fresh.places[chain], from.places[chain]);
  }
}

void agents::come_after(entry& fresh, std::span<const agent> known) const {
  for (const agent each : known) {
    const entry& other = all_[each];
    take_over(fresh, other);
    if (fresh.places.size() <= other.chain) fresh.places.resize(other.chain + 1);
    fresh.places[other.chain] = std::max(fresh.places[other.chain], other.place);
  }
}

agent agents::add(std::span<const agent> known, bool is_host, unsigned device) {
  entry fresh{is_host, false, device, 0, 0, 0, 0, {}, {}};
  come_after(fresh, known);
  return append(std::move(fresh));
}

agent agents::add_child(agent parent, std::span<const agent> known) {
  entry fresh{false, false, all_[parent].device, 0, 0, 0, 0, {}, {}};
  take_over(fresh, all_[parent]);
  come_after(fresh, known);
  return append(std::move(fresh));
}

agent agents::append(entry fresh) {
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
