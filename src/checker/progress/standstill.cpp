// Counts polls that find nothing new.
#include "checker/progress/standstill.hpp"

#include <algorithm>
#include <utility>

namespace heddle_checker {

void standstill::look(lane& who, std::uintptr_t address, bool is_atomic, const void* code) {
  renew(who);
  ++looks_;
  ++who.looks;
  who.has_looked = true;
  who.code = code;
  who.only_atomically = who.only_atomically && is_atomic;
  if (who.walks()) return;
  const auto kept = who.addresses.begin() + who.places;
  if (std::find(who.addresses.begin(), kept, address) != kept) return;
  if (who.places < who.addresses.size()) *kept = address;
  ++who.places;
}

void standstill::rest(lane& who) {
  renew(who);
  ++looks_;
  if (std::exchange(who.has_looked, false)) return;  // counted by look()
  ++who.looks;
}

std::uint32_t standstill::suspicious_looks(std::size_t lanes) {
  constexpr std::size_t least = 2048;
  constexpr std::size_t all_together = std::size_t{1} << 18;
  return static_cast<std::uint32_t>(
      std::max(least, all_together / std::max<std::size_t>(lanes, 1)));
}

}  // namespace heddle_checker
