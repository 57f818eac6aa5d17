// Joins and prunes vector clocks, sharing as many nodes as possible.
#include "checker/race/vector_clock.hpp"

#include <algorithm>
#include <bit>

namespace heddle_checker {
namespace {

// The part of a key above `bit`.
std::uint32_t prefix(std::uint32_t key, std::uint32_t bit) { return key & ~(bit | (bit - 1)); }

}  // namespace

vector_clock vector_clock::of_block(instance_id instance, segment_id all,
                                    std::span<const unit_known> units) {
  segment_id last = all;
  for (const unit_known& each : units) last = std::max(last, each.until);
  return vector_clock(new leaf{{1, instance, 0}, all, last, {units.begin(), units.end()}});
}

vector_clock vector_clock::of_agent(agent of, segment_id all) {
  return vector_clock(new leaf{{1, of | agent_bit, 0}, all, all, {}});
}

void vector_clock::remove(const node* which) {
  if (which->bit == 0) {
    delete static_cast<const leaf*>(which);
    return;
  }
  const auto* const both = static_cast<const branch*>(which);
  leave(both->below[0]);
  leave(both->below[1]);
  delete both;
}

const vector_clock::leaf* vector_clock::find(const node* which, std::uint32_t key) {
  while (which != nullptr && which->bit != 0) {
    if (prefix(key, which->bit) != which->key) return nullptr;
    which = static_cast<const branch*>(which)->below[(key & which->bit) != 0];
  }
  return which != nullptr && which->key == key ? static_cast<const leaf*>(which) : nullptr;
}

bool vector_clock::knows(instance_id instance, unsigned thread, segment_id segment) const {
  const leaf* const found = find(root_, instance);
  if (found == nullptr || segment > found->last) return false;
  if (segment <= found->all) return true;
  const auto includes = [&](std::uint16_t unit) {
    const auto place = std::ranges::lower_bound(found->units, unit, {}, &unit_known::unit);
    return place != found->units.end() && place->unit == unit && segment <= place->until;
  };
  return includes(unit_known::warp(thread / lanes_per_warp)) || includes(unit_known::lane(thread));
}

bool vector_clock::knows_all_of(agent of, segment_id segment) const {
  const leaf* const found = find(root_, of | agent_bit);
  return found != nullptr && segment <= found->all;
}

void vector_clock::join_different(const vector_clock& other) {
  const node* const both = joined(root_, other.root_);
  leave(root_);
  root_ = both;
}

void vector_clock::drop(instance_id instance) {
  if (find(root_, instance) == nullptr) return;
  const node* const rest = without(root_, instance);
  leave(root_);
  root_ = rest;
}

void vector_clock::drop_if(const std::function<bool(instance_id, segment_id)>& is_old) {
  const node* const rest = without_old(root_, is_old);
  leave(root_);
  root_ = rest;
}

// The functions below return a reference that the caller has to leave().

const vector_clock::node* vector_clock::joined_leaves(const leaf& left, const leaf& right) {
  if (covers(left, right)) return keep(&left), &left;
  if (covers(right, left)) return keep(&right), &right;
  std::vector<unit_known> units;
  units.reserve(left.units.size() + right.units.size());
  const segment_id all = std::max(left.all, right.all);
  const auto add = [&](std::uint16_t unit, segment_id until) {
    if (until > all) units.push_back({unit, until});
  };
  auto one = left.units.begin(), other = right.units.begin();
  while (one != left.units.end() && other != right.units.end()) {
    if (one->unit < other->unit) {
      add(one->unit, one->until), ++one;
    } else if (other->unit < one->unit) {
      add(other->unit, other->until), ++other;
    } else {
      add(one->unit, std::max(one->until, other->until)), ++one, ++other;
    }
  }
  for (; one != left.units.end(); ++one) add(one->unit, one->until);
  for (; other != right.units.end(); ++other) add(other->unit, other->until);
  return new leaf{{1, left.key, 0}, all, std::max(left.last, right.last), std::move(units)};
}

// Whether `one` includes everything in `other`.
bool vector_clock::covers(const leaf& one, const leaf& other) {
  if (other.all > one.all || other.last > one.last) return false;
  if (one.units.size() == other.units.size()) {
    // Usually both have the same units.
    bool is_covered = true;
    for (std::size_t i = 0; i < one.units.size(); ++i) {
      is_covered &=
          one.units[i].unit == other.units[i].unit && one.units[i].until >= other.units[i].until;
    }
    if (is_covered) return true;
  }
  auto mine = one.units.begin();
  for (const unit_known& each : other.units) {
    if (each.until <= one.all) continue;
    while (mine != one.units.end() && mine->unit < each.unit) ++mine;
    if (mine == one.units.end() || mine->unit != each.unit || mine->until < each.until)
      return false;
  }
  return true;
}

const vector_clock::node* vector_clock::put_together(const node* one, const node* other) {
  const std::uint32_t bit = std::bit_floor(one->key ^ other->key);
  const bool one_is_set = (one->key & bit) != 0;
  return new branch{{1, prefix(one->key, bit), bit},
                    {one_is_set ? other : one, one_is_set ? one : other}};
}

const vector_clock::node* vector_clock::joined(const node* left, const node* right) {
  if (left == right || right == nullptr) return keep(left), left;
  if (left == nullptr) return keep(right), right;
  if (left->bit == 0 && right->bit == 0 && left->key == right->key) {
    return joined_leaves(static_cast<const leaf&>(*left), static_cast<const leaf&>(*right));
  }
  if (left->bit == right->bit && left->key == right->key) {
    const auto& one = static_cast<const branch&>(*left);
    const auto& other = static_cast<const branch&>(*right);
    const node* const low = joined(one.below[0], other.below[0]);
    const node* const high = joined(one.below[1], other.below[1]);
    for (const branch* same : {&one, &other}) {
      if (same->below[0] != low || same->below[1] != high) continue;
      leave(low), leave(high);
      keep(same);
      return same;
    }
    return new branch{{1, left->key, left->bit}, {low, high}};
  }
  // One may belong below the other.
  const node* const upper = left->bit >= right->bit ? left : right;
  const node* const lower = upper == left ? right : left;
  if (upper->bit > lower->bit && prefix(lower->key, upper->bit) == upper->key) {
    const auto& both = static_cast<const branch&>(*upper);
    const bool is_set = (lower->key & upper->bit) != 0;
    const node* const changed =
        upper == left ? joined(both.below[is_set], lower) : joined(lower, both.below[is_set]);
    if (changed == both.below[is_set]) {
      leave(changed);
      keep(upper);
      return upper;
    }
    keep(both.below[!is_set]);
    const node* const rest = both.below[!is_set];
    return new branch{{1, upper->key, upper->bit},
                      {is_set ? rest : changed, is_set ? changed : rest}};
  }
  keep(left), keep(right);
  return put_together(left, right);
}

const vector_clock::node* vector_clock::without(const node* which, std::uint32_t key) {
  if (which->bit == 0) {
    if (which->key == key) return nullptr;
    return keep(which), which;
  }
  const auto& both = static_cast<const branch&>(*which);
  const bool is_set = (key & which->bit) != 0;
  const node* const rest = without(both.below[is_set], key);
  const node* const other = both.below[!is_set];
  keep(other);
  if (rest == nullptr) return other;
  return new branch{{1, which->key, which->bit}, {is_set ? other : rest, is_set ? rest : other}};
}

const vector_clock::node* vector_clock::without_old(
    const node* which, const std::function<bool(instance_id, segment_id)>& is_old) {
  if (which == nullptr) return nullptr;
  if (which->bit == 0) {
    const bool is_agent = (which->key & agent_bit) != 0;
    if (!is_agent && is_old(which->key, static_cast<const leaf*>(which)->last)) return nullptr;
    return keep(which), which;
  }
  const auto& both = static_cast<const branch&>(*which);
  const node* const low = without_old(both.below[0], is_old);
  const node* const high = without_old(both.below[1], is_old);
  if (low == nullptr) return high;
  if (high == nullptr) return low;
  if (low == both.below[0] && high == both.below[1]) {
    leave(low), leave(high);
    return keep(which), which;
  }
  return new branch{{1, which->key, which->bit}, {low, high}};
}

}  // namespace heddle_checker
