// What the newest atomic write to each location has released.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "checker/race/block_clock.hpp"
#include "checker/race/vector_clock.hpp"

namespace heddle_checker {

// By scope: the number of the block, cluster, device and system that a lane is part of.
using scope_ids = std::array<std::uint32_t, scopes>;

// For each location, what its newest write has released, together with the updates that led to it.
// A release is kept for the lane's block, cluster, device and system, up to its scope. An acquire
// takes what is kept for its own ones, up to its scope. So the two synchronise only if each is in
// the other's scope.
class publications {
 public:
  // What one write releases, by scope and number.
  using message = std::map<std::uint64_t, vector_clock>;

  bool is_empty() const { return locations_.empty(); }
  // Null: the newest write has released nothing.
  const message* find(std::uintptr_t location) const {
    const auto found = locations_.find(location);
    return found == locations_.end() ? nullptr : &found->second;
  }

  // The newest write releases nothing any more.
  void forget(std::uintptr_t location) { locations_.erase(location); }
  void forget(std::uintptr_t address, std::size_t bytes) {
    locations_.erase(locations_.lower_bound(address), locations_.lower_bound(address + bytes));
  }
  message take(std::uintptr_t location) {
    auto taken = locations_.extract(location);
    return taken.empty() ? message() : std::move(taken.mapped());
  }
  void put(std::uintptr_t location, message what) {
    if (what.empty()) return forget(location);
    locations_.insert_or_assign(location, std::move(what));
  }
  void forget_all() {
    locations_.clear();
    volume_ = 0;
  }
  // How many releases there have been since forget_all().
  std::size_t volume() const { return volume_; }

  // Adds what a lane releases, by scope.
  void release(std::uintptr_t location, const scope_ids& whose, const by_scope& what) {
    vector_clock before, after;
    for (unsigned level = 0; level < scopes; ++level) {
      if (what[level].is_empty()) continue;
      vector_clock& released = locations_[location][key(whose, static_cast<scope>(level))];
      // Usually all scopes get the same clock, and had the same one before.
      const bool is_same = level != 0 && released == before && what[level] == what[level - 1];
      before = released;
      if (is_same) {
        released = after;
      } else {
        released.join(what[level]);
      }
      after = released;
      ++volume_;
    }
  }
  // What a lane acquires from it at this scope.
  static vector_clock acquire(const message& what, const scope_ids& whose, scope reach) {
    vector_clock all;
    for (unsigned level = 0; level <= static_cast<unsigned>(reach); ++level) {
      const auto released = what.find(key(whose, static_cast<scope>(level)));
      if (released != what.end()) all.join(released->second);
    }
    return all;
  }
  // Whether an acquire at a wider scope may get more.
  static bool reaches_beyond(const message& what, scope reach) {
    return !what.empty() && what.rbegin()->first >> 32 > static_cast<unsigned>(reach);
  }

 private:
  static std::uint64_t key(const scope_ids& whose, scope reach) {
    const auto level = static_cast<unsigned>(reach);
    return std::uint64_t{level} << 32 | whose[level];
  }
  std::map<std::uintptr_t, message> locations_;
  std::size_t volume_ = 0;
};

}  // namespace heddle_checker
