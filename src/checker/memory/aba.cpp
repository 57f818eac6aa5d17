// Follows the few locations that lanes compare and swap.
#include "checker/memory/aba.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle_checker {
namespace {

std::uint64_t content(std::uintptr_t address, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), std::min(bytes, 8u));
  return value;
}

}  // namespace

aba_watch::lane& aba_watch::lane_of(lane_name who) {
  const auto found = lanes_.find(who);
  if (found != lanes_.end()) return found->second;
  if (spare_lanes_.empty()) return lanes_[who];
  lane_table::node_type spare = std::move(spare_lanes_.back());
  spare_lanes_.pop_back();
  spare.key() = who;
  spare.mapped().loads = 0;
  return lanes_.insert(std::move(spare)).position->second;
}

aba_watch::location& aba_watch::watched(std::uintptr_t address) {
  const auto found = locations_.find(address);
  if (found != locations_.end()) return found->second;
  if (spare_locations_.empty()) return locations_[address];
  location_table::node_type spare = std::move(spare_locations_.back());
  spare_locations_.pop_back();
  spare.key() = address;
  spare.mapped().changes = 0;
  spare.mapped().recent.clear();
  return locations_.insert(std::move(spare)).position->second;
}

void aba_watch::leave(std::uintptr_t address) {
  const auto found = locations_.find(address);
  if (--found->second.watchers == 0) spare_locations_.push_back(locations_.extract(found));
}

void aba_watch::look(std::uintptr_t address, std::uint64_t value, const action& how) {
  lane& mine = lane_of(how.by);
  location& there = watched(address);
  const auto before = std::ranges::find(mine.looks, address, &one_look::address);
  if (before != mine.looks.end()) {
    mine.looks.erase(before);
  } else {
    ++there.watchers;
    if (mine.looks.size() == most_looks) {
      leave(mine.looks.front().address);
      mine.looks.erase(mine.looks.begin());
    }
  }
  mine.looks.push_back({address, value, there.changes, mine.loads, how});
}

void aba_watch::forget(lane_name who) {
  const auto found = lanes_.find(who);
  if (found == lanes_.end()) return;
  for (const one_look& each : found->second.looks) leave(each.address);
  found->second.looks.clear();
  spare_lanes_.push_back(lanes_.extract(found));
}

void aba_watch::load(lane_name who, std::uintptr_t address, unsigned bytes, std::uint64_t value) {
  const auto found = lanes_.find(who);
  if (found == lanes_.end()) return;
  lane& mine = found->second;
  mine.recent[mine.loads++ % most_loads] = {address, bytes, value};
}

void aba_watch::store(std::uintptr_t address, std::uint64_t value, const action& how) {
  const auto found = locations_.find(address);
  if (found == locations_.end()) return;
  found->second.add({value, how});
}

std::optional<aba_watch::conviction> aba_watch::swap(lane_name who, std::uintptr_t address,
                                                     std::uint64_t expected) {
  const auto found = lanes_.find(who);
  if (found == lanes_.end()) return std::nullopt;
  const auto look = std::find_if(
      found->second.looks.begin(), found->second.looks.end(),
      [=](const one_look& one) { return one.address == address && one.value == expected; });
  if (look == found->second.looks.end()) return std::nullopt;
  const location& there = locations_.find(address)->second;
  const std::uint64_t since = there.changes - look->changes;
  if (since < 2 || since > most_changes) return std::nullopt;
  // Did it hold another value in between? A store of the same value changes nothing.
  const change* away = nullptr;
  for (std::uint64_t i = look->changes; i < there.changes && away == nullptr; ++i) {
    if (there.recent[i % most_changes].value != expected) away = &there.recent[i % most_changes];
  }
  if (away == nullptr) return std::nullopt;
  const lane& mine = found->second;
  const std::uint64_t first =
      std::max(look->loads, mine.loads > most_loads ? mine.loads - most_loads : std::uint64_t{0});
  for (std::uint64_t i = first; i < mine.loads; ++i) {
    const one_load& one = mine.recent[i % most_loads];
    if (one.address == address || content(one.address, one.bytes) == one.value) continue;
    return conviction{look->how, *away, there.recent[(there.changes - 1) % most_changes],
                      one.address};
  }
  return std::nullopt;
}

void aba_watch::clear() {
  lanes_.clear();
  locations_.clear();
}

}  // namespace heddle_checker
