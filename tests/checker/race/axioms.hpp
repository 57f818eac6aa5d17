// A slow, obviously correct check whether the axioms of the PTX memory model allow a finished run.
// Handles atomic accesses of one size, as relations over all pairs of events.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/race/access.hpp"

namespace heddle_checker {

struct model_event {
  enum class kind { load, store, update, fence, barrier };
  kind is;
  unsigned lane;
  unsigned block;
  unsigned location = 0;
  scope reach = scope::device;
  order ordering = order::relaxed;  // of a fence: acq_rel or seq_cst
  std::uint64_t read = 0;           // each store has a different value; 0 is the initial one
  std::uint64_t stored = 0;
  unsigned meeting = 0;  // of a barrier: the same for all participants

  bool reads() const { return is == kind::load || is == kind::update; }
  bool writes() const { return is == kind::store || is == kind::update; }
  bool is_access() const { return reads() || writes(); }
  bool acquires() const {
    return ordering == order::acquire || ordering == order::acq_rel || ordering == order::seq_cst;
  }
  bool releases() const {
    return ordering == order::release || ordering == order::acq_rel || ordering == order::seq_cst;
  }
};

// Takes events in the order of the run, which is also the order of the seq_cst fences.
class axioms {
 public:
  explicit axioms(std::vector<model_event> run) : all_(std::move(run)) {
    observe();
    put_in_order();
  }

  bool allow() const {
    for (unsigned i = 0; i < all_.size(); ++i) {
      if (cause_[i][i]) return false;
    }
    unsigned locations = 0;
    for (const model_event& each : all_) locations = std::max(locations, each.location + 1);
    for (unsigned location = 0; location < locations; ++location) {
      if (!has_coherence_order(location)) return false;
    }
    return true;
  }

 private:
  using relation = std::vector<std::vector<bool>>;
  relation none() const { return relation(all_.size(), std::vector<bool>(all_.size(), false)); }
  bool follows(unsigned first, unsigned second) const {
    return all_[first].lane == all_[second].lane && first < second;
  }
  static bool includes(const model_event& issuer, const model_event& other) {
    return issuer.reach != scope::block || issuer.block == other.block;
  }
  bool reach_each_other(unsigned one, unsigned two) const {
    return includes(all_[one], all_[two]) && includes(all_[two], all_[one]);
  }
  bool is_fence(unsigned which) const { return all_[which].is == model_event::kind::fence; }

  // Relates a write to each read that returns it, directly or through updates in between.
  void observe() {
    observes_ = none();
    for (unsigned write = 0; write < all_.size(); ++write) {
      for (unsigned read = 0; read < all_.size(); ++read) {
        observes_[write][read] = all_[write].writes() && all_[read].reads() && write != read &&
                                 all_[write].location == all_[read].location &&
                                 all_[write].stored == all_[read].read &&
                                 reach_each_other(write, read);
      }
    }
    close(observes_);  // an event in the middle both reads and writes
  }

  static void close(relation& of) {
    for (unsigned middle = 0; middle < of.size(); ++middle) {
      for (unsigned first = 0; first < of.size(); ++first) {
        if (!of[first][middle]) continue;
        for (unsigned last = 0; last < of.size(); ++last) {
          if (of[middle][last]) of[first][last] = true;
        }
      }
    }
  }

  // The writes at which a release pattern that begins with this fence or release ends.
  std::vector<unsigned> releasing_writes(unsigned first) const {
    std::vector<unsigned> writes;
    for (unsigned write = 0; write < all_.size(); ++write) {
      if (!all_[write].writes()) continue;
      const bool is_release = all_[first].writes() && all_[first].releases() &&
                              all_[first].location == all_[write].location &&
                              (first == write || follows(first, write));
      if (is_release || (is_fence(first) && follows(first, write))) writes.push_back(write);
    }
    return writes;
  }
  // The reads with which an acquire pattern that ends in this fence or acquire begins.
  std::vector<unsigned> acquiring_reads(unsigned last) const {
    std::vector<unsigned> reads;
    for (unsigned read = 0; read < all_.size(); ++read) {
      if (!all_[read].reads()) continue;
      const bool is_acquire = all_[last].reads() && all_[last].acquires() &&
                              all_[last].location == all_[read].location &&
                              (last == read || follows(read, last));
      if (is_acquire || (is_fence(last) && follows(read, last))) reads.push_back(read);
    }
    return reads;
  }
  bool synchronizes(unsigned first, unsigned last) const {
    const model_event &one = all_[first], &two = all_[last];
    if (one.is == model_event::kind::barrier && two.is == model_event::kind::barrier) {
      return first != last && one.meeting == two.meeting;
    }
    if (!reach_each_other(first, last)) return false;
    if (is_fence(first) && is_fence(last) && one.ordering == order::seq_cst &&
        two.ordering == order::seq_cst && first < last) {
      return true;
    }
    for (const unsigned write : releasing_writes(first)) {
      for (const unsigned read : acquiring_reads(last)) {
        if (observes_[write][read]) return true;
      }
    }
    return false;
  }

  void put_in_order() {
    relation base = none();
    for (unsigned first = 0; first < all_.size(); ++first) {
      for (unsigned last = 0; last < all_.size(); ++last) {
        base[first][last] = follows(first, last) || synchronizes(first, last);
      }
    }
    // The participants of a barrier are not before each other, but what is before one of them is
    // before everything after the barrier.
    close(base);
    for (unsigned i = 0; i < all_.size(); ++i) {
      if (all_[i].is == model_event::kind::barrier) base[i][i] = false;
    }
    cause_ = base;
    for (unsigned first = 0; first < all_.size(); ++first) {
      for (unsigned middle = 0; middle < all_.size(); ++middle) {
        if (!observes_[first][middle]) continue;
        for (unsigned last = 0; last < all_.size(); ++last) {
          if (base[middle][last]) cause_[first][last] = true;
        }
      }
    }
  }

  bool has_coherence_order(unsigned location) const {
    std::vector<unsigned> writes;
    for (unsigned i = 0; i < all_.size(); ++i) {
      if (all_[i].writes() && all_[i].location == location) writes.push_back(i);
    }
    do {
      if (is_coherent(location, writes)) return true;
    } while (std::next_permutation(writes.begin(), writes.end()));
    return false;
  }

  // The position of a value in coherence order; 0 for the initial value.
  static unsigned place(std::uint64_t value, const std::vector<unsigned>& writes,
                        const std::vector<model_event>& all) {
    for (unsigned i = 0; i < writes.size(); ++i) {
      if (all[writes[i]].stored == value) return i + 1;
    }
    return 0;
  }

  bool is_coherent(unsigned location, const std::vector<unsigned>& writes) const {
    std::vector<unsigned> places(all_.size());  // of the stored value, or of the value read
    std::vector<unsigned> read_places(all_.size());
    for (unsigned i = 0; i < all_.size(); ++i) {
      if (!all_[i].is_access() || all_[i].location != location) continue;
      if (all_[i].reads()) places[i] = read_places[i] = place(all_[i].read, writes, all_);
      if (all_[i].writes()) places[i] = place(all_[i].stored, writes, all_);
      const bool is_torn =
          all_[i].is == model_event::kind::update && read_places[i] + 1 != places[i];
      if (is_torn) return false;
    }
    for (unsigned one = 0; one < all_.size(); ++one) {
      for (unsigned two = 0; two < all_.size(); ++two) {
        const model_event &first = all_[one], &second = all_[two];
        if (!first.is_access() || !second.is_access() || one == two) continue;
        if (first.location != location || second.location != location) continue;
        const bool is_before = cause_[one][two] || follows(one, two);
        if (!is_before) continue;
        // A read returns nothing older than the accesses before it, and nothing newer than those
        // after it.
        const unsigned sees = second.reads() ? read_places[two] : places[two] - 1;
        const unsigned leaves = first.writes() ? places[one] : read_places[one];
        if (follows(one, two) || first.writes()) {
          if (sees < leaves) return false;
        } else if (second.writes() && first.reads() && read_places[one] >= places[two]) {
          return false;
        }
      }
    }
    return true;
  }

  std::vector<model_event> all_;
  relation observes_;
  relation cause_;
};

}  // namespace heddle_checker
