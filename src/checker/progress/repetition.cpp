// Records what lanes have done, and decides when a search is worthwhile.
#include "checker/progress/repetition.hpp"

#include <algorithm>
#include <utility>

namespace heddle_checker {

void repetition::lane::begin(std::uint64_t number) {
  search = number;
  steps = 0;
  code = nullptr;
  read = 0;
  has_met = false;
  used_ = 0;
  std::fill(slots_.begin(), slots_.end(), 0);
}

bool repetition::lane::contains(std::uint64_t what) const {
  if (slots_.empty()) return false;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = what & mask; slots_[at] != 0; at = (at + 1) & mask) {
    if (slots_[at] == what) return true;
  }
  return false;
}

bool repetition::lane::insert(std::uint64_t what) {
  if (contains(what)) return false;
  if (used_ * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = what & mask;
  while (slots_[at] != 0) at = (at + 1) & mask;
  slots_[at] = what;
  ++used_;
  return true;
}

void repetition::lane::grow() {
  constexpr std::size_t fewest = 16;
  const std::vector<std::uint64_t> before =
      std::exchange(slots_, std::vector<std::uint64_t>(std::max(fewest, slots_.size() * 2)));
  used_ = 0;
  for (const std::uint64_t one : before) {
    if (one != 0) static_cast<void>(insert(one));
  }
}

void repetition::grid_begins() {
  is_searching_ = false;
  worked_ = 0;
  next_search_ = first_search;
}

void repetition::begin(std::size_t lanes) {
  constexpr std::size_t all_together = std::size_t{1} << 18;
  constexpr std::size_t shortest = 1024;
  constexpr std::size_t longest = std::size_t{1} << 16;
  is_searching_ = true;
  ++search_;
  quarter_ = static_cast<std::uint32_t>(
      std::clamp(all_together / std::max<std::size_t>(lanes, 1), shortest, longest));
}

void repetition::end() {
  if (!is_searching_) return;
  is_searching_ = false;
  worked_ = 0;
  next_search_ = std::min(next_search_ * 2, rarest_search);
}

bool repetition::step(lane& who, std::uint64_t what) {
  if (!takes_part(who)) who.begin(search_);
  ++who.steps;
  if (who.steps <= quarter_) {
    static_cast<void>(who.insert(what));
    return false;
  }
  if (!who.contains(what)) {
    ++news_;
    end();
    return false;
  }
  if (who.steps >= most_quarters * quarter_) end();
  return is_searching_ && who.steps >= quarters * quarter_ && who.steps % quarter_ == 0;
}

}  // namespace heddle_checker
