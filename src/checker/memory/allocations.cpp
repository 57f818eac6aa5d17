// Keeps the allocations sorted by address; no address is ever reused.
#include "checker/memory/allocations.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle_checker {
namespace {

// An address farther away than this is wild, and naming a neighbour would mislead.
constexpr std::size_t farthest_neighbour = 1 << 20;

}  // namespace

bool is_left_by(const allocation& one, const array_index& how, std::uintptr_t address) {
  const auto& all = one.extents.empty() ? how.extents : one.extents;
  if (how.extents.empty() || how.extents.size() > all.size()) return false;
  const std::size_t outer = all.size() - how.extents.size();
  std::size_t elements = 1;  // of the indexed array type, in the whole variable
  for (std::size_t i = 0; i <= outer; ++i) elements *= all[i];
  const bool is_same = std::equal(how.extents.begin(), how.extents.end(),
                                  all.begin() + static_cast<std::ptrdiff_t>(outer));
  if (!is_same || elements == 0 || one.bytes == 0 || one.bytes % elements != 0) return false;
  const auto stride = static_cast<std::ptrdiff_t>(one.bytes / elements);
  const auto first = static_cast<std::ptrdiff_t>(address - one.begin) - how.index * stride;
  if (first < 0 || first >= static_cast<std::ptrdiff_t>(one.bytes)) return false;
  return first % (stride * static_cast<std::ptrdiff_t>(how.extents[0])) < stride;
}

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
