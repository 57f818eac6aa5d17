// Lines up what the lanes of a warp do at one place in the code: the k-th execution by one lane
// since its last convergence is matched with the k-th execution by the others.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "request.hpp"

namespace heddle_profiler {

// `Entry` has a `mask` of the lanes that have joined, initially empty. Each member takes `done`,
// which is called with an entry that no lane will join any more.
template <typename Entry>
class lined_up {
 public:
  // The entry for the lane's next execution, with the lane in its mask.
  template <typename Done>
  Entry& join(unsigned lane, Done&& done) {
    const unsigned time = next_[lane]++;
    if (time < first_) {
      open_.insert(open_.begin() + static_cast<std::ptrdiff_t>(begin_), first_ - time, Entry());
      first_ = time;
    }
    while (time - first_ >= open_.size() - begin_) open_.emplace_back();
    Entry& mine = open_[begin_ + (time - first_)];
    if (mine.mask >> lane & 1) finish(mine, done);  // left from before the lane's last convergence
    mine.mask |= 1u << lane;
    return mine;
  }

  // Call after join: finishes the entry if it is complete, and entries that are too old.
  template <typename Done>
  void tidy(Entry& joined, std::uint32_t live, Done&& done) {
    if ((joined.mask & live) == live) finish(joined, done);
    while (begin_ < open_.size() &&
           (open_[begin_].mask == 0 || open_.size() - begin_ > most_open)) {
      finish(open_[begin_], done);
      ++begin_;
      ++first_;
    }
    if (begin_ == open_.size()) {
      open_.clear();
      begin_ = 0;
    } else if (begin_ >= most_open) {
      open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(begin_));
      begin_ = 0;
    }
  }

  // These lanes have converged and start counting again.
  template <typename Done>
  void meet(std::uint32_t lanes, std::uint32_t live, Done&& done) {
    const bool are_all = (live & ~lanes) == 0;
    if (are_all || first_ > 0) {
      for (std::size_t i = begin_; i < open_.size(); ++i) finish(open_[i], done);
      open_.clear();
      begin_ = 0;
      for (unsigned& time : next_) time -= std::min(time, first_);
      first_ = 0;
    }
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
      if (are_all || lanes >> lane & 1) next_[lane] = 0;
    }
  }

 private:
  // Lanes take turns. A lane that falls this far behind gets its own entries.
  static constexpr std::size_t most_open = 1024;

  template <typename Done>
  static void finish(Entry& one, Done&& done) {
    if (one.mask != 0) done(one);
    one = Entry();
  }

  std::vector<Entry> open_;  // valid from begin_ on
  std::size_t begin_ = 0;
  unsigned first_ = 0;  // execution number of the entry at begin_
  std::array<unsigned, lanes_per_warp> next_{};
};

// All places in the code where a warp may be, by number. Convergence costs time only for places
// visited since all lanes last converged.
template <typename Entry>
class places_of_warp {
 public:
  lined_up<Entry>& at(unsigned number) {
    if (number >= all_.size()) all_.resize(number + 1);
    place& one = all_[number];
    if (!one.is_busy) {
      one.is_busy = true;
      busy_.push_back(number);
      if (one.line == nullptr) one.line = std::make_unique<lined_up<Entry>>();
    }
    return *one.line;
  }

  // Calls `done` with the number of the place and the entry.
  template <typename Done>
  void meet(std::uint32_t lanes, std::uint32_t live, Done&& done) {
    for (const unsigned number : busy_) {
      all_[number].line->meet(lanes, live, [&](const Entry& one) { done(number, one); });
    }
    const bool are_all = (live & ~lanes) == 0;
    if (!are_all) return;
    for (const unsigned number : busy_) all_[number].is_busy = false;
    busy_.clear();
  }

 private:
  struct place {
    std::unique_ptr<lined_up<Entry>> line;
    bool is_busy = false;
  };
  std::vector<place> all_;
  std::vector<unsigned> busy_;
};

}  // namespace heddle_profiler
