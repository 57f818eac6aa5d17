// Follows the few locations that lanes compare and swap.
#include "aba.hpp"

#include <algorithm>
#include <cstring>

namespace heddle_checker {
namespace {

std::uint64_t content(std::uintptr_t address, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), std::min(bytes, 8u));
  return value;
}

}  // namespace

void aba_watch::look(std::uintptr_t address, std::uint64_t value, const deed& how) {
  lane& mine = lanes_[how.by];
  std::erase_if(mine.looks, [=](const one_look& one) { return one.address == address; });
  if (mine.looks.size() == most_looks) mine.looks.erase(mine.looks.begin());
  mine.looks.push_back({address, value, locations_[address].changes, mine.loads, how});
}

void aba_watch::load(lane_name who, std::uintptr_t address, unsigned bytes, std::uint64_t value) {
  const auto found = lanes_.find(who);
  if (found == lanes_.end()) return;
  lane& mine = found->second;
  mine.recent[mine.loads++ % most_loads] = {address, bytes, value};
}

void aba_watch::store(std::uintptr_t address, std::uint64_t value, const deed& how) {
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
  const location& there = locations_[address];
  const std::uint64_t since = there.changes - look->changes;
  if (since < 2 || since > most_changes) return std::nullopt;
  // Was it ever another value in between? A store of the same value changes nothing.
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
