// Vector clocks: for other blocks and lanes, the last of their segments that happens before.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "checker/race/record.hpp"

namespace heddle_checker {

// A block that runs or ran; numbers are not reused.
using instance_id = std::uint32_t;

// A warp or a lane of a block, and its last segment that happens before.
struct unit_known {
  std::uint16_t unit;
  segment_id until;

  static constexpr std::uint16_t warp(unsigned warp) { return static_cast<std::uint16_t>(warp); }
  static constexpr std::uint16_t lane(unsigned thread) {
    return static_cast<std::uint16_t>(most_threads / lanes_per_warp + thread);
  }
};

// A value that is cheap to copy: equal parts are shared and never change. It is a radix tree over
// block numbers, so joining two clocks visits only where they differ. Not thread-safe.
class vector_clock {
 public:
  vector_clock() = default;
  vector_clock(const vector_clock& other) : root_(other.root_) { keep(root_); }
  vector_clock(vector_clock&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  vector_clock& operator=(vector_clock other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~vector_clock() { leave(root_); }

  // The clock of one block: all its threads up to `all`, some units further. Units are sorted.
  static vector_clock of_block(instance_id instance, segment_id all,
                               std::span<const unit_known> units = {});
  // Everything that the grid or host action came after when it began, and all its blocks up to
  // `all`.
  static vector_clock of_agent(agent of, segment_id all);

  bool is_empty() const { return root_ == nullptr; }
  bool knows(instance_id instance, unsigned thread, segment_id segment) const;
  bool knows_all_of(agent of, segment_id segment) const;
  // Whether `test(agent)` is true for an agent that has begun before this.
  template <typename Test>
  bool any_agent(Test test) const {
    return any_agent_of(root_, test);
  }

  void join(const vector_clock& other) {
    if (other.root_ == root_ || other.root_ == nullptr) return;
    join_different(other);
  }
  // Removes one block.
  void drop(instance_id instance);
  // Removes the blocks for which `is_old(instance, last segment)` is true.
  void drop_if(const std::function<bool(instance_id, segment_id)>& is_old);

  friend bool operator==(const vector_clock& left, const vector_clock& right) {
    return left.root_ == right.root_;
  }

 private:
  struct node;
  struct leaf;
  struct branch;

  explicit vector_clock(const node* root) : root_(root) {}
  void join_different(const vector_clock& other);

  static void keep(const node* which) {
    if (which != nullptr) ++which->references;
  }
  static void leave(const node* which) {
    if (which != nullptr && --which->references == 0) remove(which);
  }
  static void remove(const node* which);
  static const node* joined(const node* left, const node* right);
  static const node* joined_leaves(const leaf& left, const leaf& right);
  static bool covers(const leaf& one, const leaf& other);
  static const node* put_together(const node* one, const node* other);
  static const node* without(const node* which, std::uint32_t key);
  static const node* without_old(const node* which,
                                 const std::function<bool(instance_id, segment_id)>& is_old);
  static const leaf* find(const node* which, std::uint32_t key);

  template <typename Test>
  static bool any_agent_of(const node* which, Test& test);

  static constexpr std::uint32_t agent_bit = 1u << 31;

  // A leaf's key is a block's number, or an agent's with the highest bit set. A branch's key is
  // what the keys below it have in common above `bit`.
  struct node {
    mutable std::uint32_t references = 1;
    std::uint32_t key;
    std::uint32_t bit;  // 0: a leaf
  };
  struct leaf : node {
    segment_id all;
    segment_id last;  // the maximum over all units
    std::vector<unit_known> units;
  };
  struct branch : node {
    const node* below[2];  // keys with `bit` clear, and set
  };

  const node* root_ = nullptr;
};

template <typename Test>
bool vector_clock::any_agent_of(const node* which, Test& test) {
  if (which == nullptr) return false;
  if (which->bit == 0) return (which->key & agent_bit) != 0 && test(which->key & ~agent_bit);
  const auto& both = static_cast<const branch&>(*which);
  if (which->bit == agent_bit) return any_agent_of(both.below[1], test);
  if ((which->key & agent_bit) == 0) return false;
  return any_agent_of(both.below[0], test) || any_agent_of(both.below[1], test);
}

}  // namespace heddle_checker
