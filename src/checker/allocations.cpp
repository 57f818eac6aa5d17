// The allocations in the order of their addresses, none of which is ever used twice.
#include "allocations.hpp"

#include <iterator>
#include <utility>

namespace heddle_checker {
namespace {

// Farther away than this an address is wild, and naming a neighbour would mislead.
constexpr std::size_t farthest_neighbour = 1 << 20;

}  // namespace

allocation& allocations::add(allocation what) {
  const std::uintptr_t begin = what.begin;
  return by_begin_[begin] = std::move(what);
}

void allocations::remove(std::uintptr_t begin) { by_begin_.erase(begin); }

allocation* allocations::find(std::uintptr_t address) {
  auto next = by_begin_.upper_bound(address);
  if (next == by_begin_.begin()) return nullptr;
  allocation& candidate = std::prev(next)->second;
  return address - candidate.begin < candidate.bytes ? &candidate : nullptr;
}

allocation* allocations::nearest(std::uintptr_t address) {
  auto next = by_begin_.upper_bound(address);
  allocation* before = next == by_begin_.begin() ? nullptr : &std::prev(next)->second;
  allocation* behind = next == by_begin_.end() ? nullptr : &next->second;
  const auto gap_before = [&]() -> std::size_t {
    const std::uintptr_t end = before->begin + before->bytes;
    return address < end ? 0 : address - end;
  };
  if (before != nullptr && gap_before() > farthest_neighbour) before = nullptr;
  if (behind != nullptr && behind->begin - address > farthest_neighbour) behind = nullptr;
  if (before == nullptr || behind == nullptr) return before != nullptr ? before : behind;
  return gap_before() <= behind->begin - address ? before : behind;
}

}  // namespace heddle_checker
