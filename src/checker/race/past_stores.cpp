// Keeps the last few stores to each location.
#include "checker/race/past_stores.hpp"

#include <utility>

namespace heddle_checker {

void past_stores::location::note_load(std::size_t which, record by) {
  if (which == 0) return;  // nothing older could be returned anyway
  stores[which].loads.push_back(by);
  if (stores[which].loads.size() < most_loads) return;
  stores.erase(stores.begin(), stores.begin() + static_cast<std::ptrdiff_t>(which));
  stores.front().loads.clear();
}

void past_stores::location::insert(std::size_t place, store fresh) {
  latest = fresh.by;
  stores.insert(stores.begin() + static_cast<std::ptrdiff_t>(place), std::move(fresh));
  if (stores.size() <= most_stores) return;
  stores.erase(stores.begin());
  stores.front().loads.clear();
}

past_stores::location& past_stores::begin(std::uintptr_t address, unsigned bytes, store before) {
  if (locations_.size() == most_locations) locations_.clear();
  location& fresh = locations_[address];
  fresh = {};
  fresh.bytes = bytes;
  fresh.stores.push_back(std::move(before));
  return fresh;
}

}  // namespace heddle_checker
