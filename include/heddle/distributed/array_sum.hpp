// Sums arrays over all ranks, element by element.
#pragma once
#include <heddle/distributed/rank_link.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::distributed::detail {

// Pairs of ranks exchange what they have, at distances that double. Short arrays are sent whole,
// since a message costs more than its bytes. For long arrays (Rabenseifner's algorithm), a pair
// splits what it has, each rank adds up one half, and the sums come back the same way. If the
// number of ranks is not a power of two, the ranks above the largest power of two hand their array
// to a rank below it, and get the sums from there.
//   cost        sent by each rank for n bytes, with p the largest power of two: short arrays
//               log2(p) messages and n log2(p) bytes; long arrays 2 log2(p) messages and
//               2 n (p - 1) / p bytes. Ranks that stand in for another one: one more message and
//               n more bytes
template <typename Word>
class array_sum {
 public:
  static constexpr std::size_t most_bytes_of_short = 32768;

  array_sum(rank_link& link, std::string call, source_location where)
      : link_(link), call_(std::move(call)), where_(where), type_(sizeof(Word)) {
    link_.expect_usable(call_, where_);
  }

  void run(std::span<Word> numbers) {
    if (link_.size() == 1 || numbers.empty()) return;
    kept_if_lost<buffers> kept;
    kept->sums.assign(numbers.begin(), numbers.end());
    kept->others.resize(numbers.size());
    buffers_ = &*kept;
    const int whole = static_cast<int>(std::bit_floor(static_cast<unsigned>(link_.size())));
    const range all{0, numbers.size()};
    if (link_.rank() >= whole) {
      swap(link_.rank() - whole, all, -1, {});
      take(link_.rank() - whole, all);
    } else {
      const bool stands_in = link_.rank() + whole < link_.size();
      if (stands_in) add_from(link_.rank() + whole, all);
      if (numbers.size_bytes() <= most_bytes_of_short) {
        exchange_whole(whole, all);
      } else {
        exchange_halves(whole, all);
      }
      if (stands_in) swap(link_.rank() + whole, all, -1, {});
    }
    std::copy(kept->sums.begin(), kept->sums.end(), numbers.begin());
  }

 private:
  struct buffers {
    std::vector<Word> sums, others;
  };
  struct range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(end - begin); }
  };

  void exchange_whole(int whole, range all) {
    for (int distance = 1; distance < whole; distance *= 2) {
      const int partner = link_.rank() ^ distance;
      swap(partner, all, partner, all);
      add(all);
    }
  }

  void exchange_halves(int whole, range all) {
    // The range of a pair before each step, which it has again after the step back.
    std::vector<range> before;
    range own = all;
    for (int distance = whole / 2; distance > 0; distance /= 2) {
      const int partner = link_.rank() ^ distance;
      const std::size_t middle = own.begin + (own.end - own.begin) / 2;
      const range lower{own.begin, middle}, upper{middle, own.end};
      const bool is_upper = (link_.rank() & distance) != 0;
      before.push_back(own);
      own = is_upper ? upper : lower;
      swap(partner, is_upper ? lower : upper, partner, own);
      add(own);
    }
    for (int distance = 1; distance < whole; distance *= 2) {
      const int partner = link_.rank() ^ distance;
      const range both = before.back();
      before.pop_back();
      const range others =
          own.begin == both.begin ? range{own.end, both.end} : range{both.begin, own.begin};
      swap_sums(partner, own, others);
      own = both;
    }
  }

  // Sends sums, and receives numbers that are not yet added.
  void swap(int to, range sent, int from, range received) {
    link_.swap(call_, type_.native(), sizeof(Word), to, buffers_->sums.data() + sent.begin,
               sent.count(), from, buffers_->others.data() + received.begin, received.count(),
               where_);
  }
  // Sends and receives complete sums.
  void swap_sums(int partner, range sent, range received) {
    link_.swap(call_, type_.native(), sizeof(Word), partner, buffers_->sums.data() + sent.begin,
               sent.count(), partner, buffers_->sums.data() + received.begin, received.count(),
               where_);
  }
  void take(int from, range received) {
    link_.swap(call_, type_.native(), sizeof(Word), -1, nullptr, 0, from,
               buffers_->sums.data() + received.begin, received.count(), where_);
  }
  void add_from(int from, range received) {
    link_.swap(call_, type_.native(), sizeof(Word), -1, nullptr, 0, from,
               buffers_->others.data() + received.begin, received.count(), where_);
    add(received);
  }
  void add(range received) {
    for (std::size_t i = received.begin; i < received.end; ++i) {
      buffers_->sums[i] += buffers_->others[i];
    }
  }

  rank_link& link_;
  std::string call_;
  source_location where_;
  value_type type_;
  buffers* buffers_ = nullptr;
};

}  // namespace heddle::distributed::detail
