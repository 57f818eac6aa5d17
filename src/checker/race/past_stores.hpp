// The stores that an atomic load may return: the newest one to its location, and a few before it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "checker/race/publications.hpp"
#include "checker/race/record.hpp"

namespace heddle_checker {

// Picks one of `count` stores, at least two, counted from the newest.
using store_choice = std::function<unsigned(unsigned count)>;

// A load must not return a store if a newer one, or a load that returned a newer one, happens
// before it. The caller decides what happens before. Forgetting stores is always safe: loads then
// return newer ones.
class past_stores {
 public:
  static constexpr std::size_t most_stores = 8;  // per location
  static constexpr std::size_t most_loads = 64;  // per store
  static constexpr std::size_t most_locations = 1 << 14;

  struct store {
    std::uint64_t value = 0;
    record by{};
    publications::message released{};
    std::vector<record> loads{};  // that have returned it, except those after others
  };
  struct location {
    unsigned bytes = 0;
    record latest{};            // the last store in the order of the run
    std::vector<store> stores;  // in coherence order: memory holds the value of the last

    // The oldest store that may be returned to, or followed by, a lane that comes after the records
    // for which `comes_before` is true.
    template <typename Test>
    std::size_t first_allowed(Test comes_before) const {
      for (std::size_t i = stores.size(); i-- > 1;) {
        if (comes_before(stores[i].by)) return i;
        for (const record load : stores[i].loads) {
          if (comes_before(load)) return i;
        }
      }
      return 0;
    }
    // A load has returned this store, and comes after no other load that has.
    void note_load(std::size_t which, record by);
    // Inserts it in front of the store that is at `place` now.
    void insert(std::size_t place, store fresh);
  };

  // Null: no stores to it are kept.
  location* find(std::uintptr_t address) {
    const auto found = locations_.find(address);
    return found == locations_.end() ? nullptr : &found->second;
  }
  location& begin(std::uintptr_t address, unsigned bytes, store before);

  void forget(std::uintptr_t address, std::size_t bytes) {
    locations_.erase(locations_.lower_bound(address), locations_.lower_bound(address + bytes));
  }
  void forget_all() { locations_.clear(); }

 private:
  std::map<std::uintptr_t, location> locations_;
};

}  // namespace heddle_checker
