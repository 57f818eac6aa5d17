// A slow, obviously correct reference for races under the PTX memory model.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "checker/race/access.hpp"

namespace heddle_checker {

// Keeps a vector clock for each lane and all accesses, and compares each access with every other.
//
// The clocks hold base causality: program order, barriers, releases with their acquires. Causality
// adds observation: a write comes before whatever follows a read that observes it. The model stops
// there. The oracle also applies it across several accesses to the same byte, because coherence
// puts them into one order: whatever comes after a write also comes after the earlier accesses
// that the write comes after.
class oracle {
 public:
  struct place {
    unsigned block;
    unsigned cluster;
    bool is_host;
  };

  struct event {
    unsigned lane;
    unsigned time;
    std::uintptr_t address;
    unsigned bytes;
    direction does;
    bool is_strong;
    scope reach;
    std::set<std::size_t> observed{};  // writes that it observes, directly or through updates
    // The access or fence with which a release pattern that ends in this write begins.
    struct head {
      std::vector<unsigned> clock;
      unsigned lane;
      scope reach;
    };
    std::vector<head> heads{};

    bool reads() const { return does != direction::write; }
    bool writes() const { return does != direction::read; }
  };

  // Adds a lane that comes after everything that the `known` lanes have done.
  unsigned add_lane(place where, std::span<const unsigned> known) {
    const unsigned lane = static_cast<unsigned>(places_.size());
    places_.push_back(where);
    for (auto& each : clocks_) each.push_back(0);
    clocks_.emplace_back(lane + 1, 0);
    fences_.emplace_back();
    for (const unsigned other : known) learn(lane, clocks_[other]);
    return lane;
  }

  // A barrier: joins the clocks of these lanes.
  void meet(std::span<const unsigned> lanes) {
    std::vector<unsigned> all(places_.size());
    for (const unsigned lane : lanes) {
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], clocks_[lane][i]);
    }
    for (const unsigned lane : lanes) clocks_[lane] = all;
  }

  // Returns the numbers of the accesses that race with this one.
  std::vector<std::size_t> access(unsigned lane, std::uintptr_t address, unsigned bytes,
                                  direction does, bool is_strong = false,
                                  scope reach = scope::system, order ordering = order::relaxed) {
    if (ordering == order::seq_cst) fence(lane, reach);
    event fresh{lane, 0, address, bytes, does, is_strong, reach};
    std::set<std::size_t> met;
    if (is_strong && fresh.reads()) observe(fresh);
    for (std::uintptr_t byte = address; byte < address + bytes; ++byte) touch(byte, fresh, met);
    fresh.time = ++clocks_[lane][lane];
    const bool acquires =
        ordering == order::acquire || ordering == order::acq_rel || ordering == order::seq_cst;
    const bool releases =
        ordering == order::release || ordering == order::acq_rel || ordering == order::seq_cst;
    if (acquires && fresh.reads()) {
      acquire(fresh, lane, reach);
      for (const event& each : events_) {
        const bool is_earlier_read = each.lane == lane && each.is_strong && each.reads() &&
                                     each.address == address && each.bytes == bytes;
        if (is_earlier_read) acquire(each, lane, reach);
      }
    }
    if (is_strong && fresh.writes()) {
      fresh.heads = fences_[lane];
      for (const event& each : events_) {
        if (each.lane != lane || each.address != address || each.bytes != bytes) continue;
        for (const event::head& own : each.heads) {
          if (own.clock[lane] == each.time) fresh.heads.push_back(own);  // a release, not a fence
        }
      }
      if (releases) fresh.heads.push_back({clocks_[lane], lane, reach});
    }
    events_.push_back(std::move(fresh));
    return {met.begin(), met.end()};
  }

  void fence(unsigned lane, scope reach) {
    for (const event& each : events_) {
      if (each.lane == lane && each.is_strong && each.reads()) acquire(each, lane, reach);
    }
    fences_[lane].push_back({clocks_[lane], lane, reach});
    ++clocks_[lane][lane];  // so no access has the same time as a fence
  }

  const event& at(std::size_t number) const { return events_[number]; }

 private:
  bool includes(scope reach, unsigned issuer, unsigned other) const {
    const place &one = places_[issuer], &two = places_[other];
    switch (reach) {
      case scope::block:
        return one.block == two.block;
      case scope::cluster:
        return one.cluster == two.cluster;
      case scope::device:
        return issuer == other || (!one.is_host && !two.is_host);
      case scope::system:
        return true;
    }
    return false;
  }
  bool include_each_other(unsigned one, scope reach, unsigned two, scope other_reach) const {
    return includes(reach, one, two) && includes(other_reach, two, one);
  }
  bool morally_strong(const event& one, const event& two) const {
    return one.is_strong && two.is_strong && one.address == two.address && one.bytes == two.bytes &&
           include_each_other(one.lane, one.reach, two.lane, two.reach);
  }
  static bool overlap(const event& one, const event& two) {
    return one.address < two.address + two.bytes && two.address < one.address + one.bytes;
  }
  // Adds one byte of a new access. Accesses to it that come before this one also come before those
  // that follow it.
  void touch(std::uintptr_t byte, const event& fresh, std::set<std::size_t>& met) {
    std::vector<touched>& all = bytes_[byte];
    std::set<std::size_t> before;
    for (const touched& each : all) {
      const event& old = events_[each.number];
      if (clocks_[fresh.lane][old.lane] < old.time) continue;
      before.insert(each.number);
      before.insert(each.before.begin(), each.before.end());
    }
    for (const touched& each : all) {
      const event& old = events_[each.number];
      const bool is_conflict = old.writes() || fresh.writes();
      if (is_conflict && before.count(each.number) == 0 && !morally_strong(old, fresh)) {
        met.insert(each.number);
      }
    }
    for (const touched& each : all) {
      if (fresh.observed.count(each.number) == 0) continue;
      before.insert(each.number);
      before.insert(each.before.begin(), each.before.end());
    }
    all.push_back({events_.size(), std::move(before)});
  }

  // In these runs a read observes the newest write.
  void observe(event& fresh) const {
    for (std::size_t i = events_.size(); i-- > 0;) {
      if (!events_[i].writes() || !overlap(events_[i], fresh)) continue;
      if (!morally_strong(events_[i], fresh)) return;
      if (events_[i].does == direction::update) fresh.observed = events_[i].observed;
      fresh.observed.insert(i);
      return;
    }
  }

  void acquire(const event& read, unsigned lane, scope reach) {
    for (const std::size_t write : read.observed) {
      for (const event::head& each : events_[write].heads) {
        if (include_each_other(each.lane, each.reach, lane, reach)) learn(lane, each.clock);
      }
    }
  }
  void learn(unsigned lane, const std::vector<unsigned>& clock) {
    for (std::size_t i = 0; i < clock.size(); ++i) {
      clocks_[lane][i] = std::max(clocks_[lane][i], clock[i]);
    }
  }

  std::vector<place> places_;
  std::vector<std::vector<unsigned>> clocks_;
  std::vector<std::vector<event::head>> fences_;  // by lane
  std::vector<event> events_;
  struct touched {
    std::size_t number;            // of the access
    std::set<std::size_t> before;  // accesses that it, or what it observes, comes after
  };
  std::map<std::uintptr_t, std::vector<touched>> bytes_;
};

}  // namespace heddle_checker
