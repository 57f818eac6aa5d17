// Puts together what lanes of a warp do at one place of the code: the k-th time of one lane since
// it has met others belongs to the k-th time of another.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "request.hpp"

namespace heddle_profiler {

// `Entry` has a `mask` of the lanes that have come, and begins with none. Each member takes what is
// done with an entry that nobody will join any more.
template <typename Entry>
class lined_up {
 public:
  // The entry of the lane's next time, with the lane in its mask.
  template <typename Done>
  Entry& join(unsigned lane, Done&& done) {
    const unsigned time = next_[lane]++;
    if (time < first_) {
      open_.insert(open_.begin() + static_cast<std::ptrdiff_t>(begin_), first_ - time, Entry());
      first_ = time;
    }
    while (time - first_ >= open_.size() - begin_) open_.emplace_back();
    Entry& mine = open_[begin_ + (time - first_)];
    if (mine.mask >> lane & 1) finish(mine, done);  // it has met others meanwhile
    mine.mask |= 1u << lane;
    return mine;
  }

  // To be called behind a join: a complete entry is done, and so are those that are too old.
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

  // These lanes have met, and count from the begin again.
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
  // Lanes take turns; one that is so far behind makes entries of its own.
  static constexpr std::size_t most_open = 1024;

  template <typename Done>
  static void finish(Entry& one, Done&& done) {
    if (one.mask != 0) done(one);
    one = Entry();
  }

  std::vector<Entry> open_;  // from begin_ on
  std::size_t begin_ = 0;
  unsigned first_ = 0;  // the time of the first one
  std::array<unsigned, lanes_per_warp> next_{};
};

// All places of the code where a warp may be, by their numbers; only those where it has been since
// all of its lanes have met cost anything at a meeting.
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

  // `done` takes the number of the place and the entry.
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
