// Detects lanes that would only poll the same values again.
#include "checker/explore/spin_watch.hpp"

#include <algorithm>
#include <cstring>

namespace heddle_checker {

bool spin_watch::goes_in_a_circle(unsigned lane, const look& next) {
  const auto& looks = lanes_[lane];
  const auto is_there = [&](const look& one) {
    return one.code == next.code && one.address == next.address;
  };
  auto from = std::find_if(looks.rbegin(), looks.rend(), [&](const look& one) {
    return is_there(one) && one.lane_state == next.lane_state;
  });
  const bool is_certain = from != looks.rend();
  if (!is_certain) {
    const std::uint64_t value = value_at(next.address, next.bytes);
    const auto same = std::count_if(looks.begin(), looks.end(), [&](const look& one) {
      return is_there(one) && one.value == value;
    });
    if (same < most_looks) return false;
    from = std::find_if(looks.rbegin(), looks.rend(), is_there);
  }
  const bool repeats = std::all_of(looks.rbegin(), std::next(from), [](const look& one) {
    return value_at(one.address, one.bytes) == one.value;
  });
  has_guessed_ = has_guessed_ || (repeats && !is_certain);
  return repeats;
}

void spin_watch::has_looked(unsigned lane, const look& what) {
  auto& looks = lanes_[lane];
  if (looks.size() == most_kept) looks.pop_front();
  looks.push_back(what);
  looks.back().value = value_at(what.address, what.bytes);
}

bool spin_watch::would_see(unsigned lane, const footprint& change) const {
  return std::any_of(lanes_[lane].begin(), lanes_[lane].end(), [&](const look& one) {
    return depend({one.address, one.bytes, false}, change);
  });
}

std::uint64_t value_at(std::uintptr_t address, unsigned bytes) {
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), reinterpret_cast<const void*>(address),
              std::min<std::size_t>(bytes, sizeof words));
  return words[0] ^ words[1] * 0x9e3779b97f4a7c15u;
}

}  // namespace heddle_checker
