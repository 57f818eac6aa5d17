// Sets that grow together, without locks.
//   strategy    the larger root is hung below the smaller one by compare-and-swap; ways are halved
//               as they are walked
//   needs       sm_75
#pragma once
#include <heddle/container/launch.cuh>
#include <heddle/container/memory.cuh>
#include <heddle/sync/access.cuh>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::container {

// What kernels get of a union_find. Every element has a parent, which is never larger; the root of
// a set is its own parent and the smallest of its elements. So the result does not depend on who
// united what first.
//   called by   single lanes, in any number, all functions at the same time
//   progress    lock-free
//   order       passes no other memory
class union_find_view {
 public:
  // Elements are numbers from 0 on.
  using element = std::uint32_t;

  union_find_view() = default;
  // Over memory of the caller, in which every element is its own parent at first.
  __host__ __device__ explicit union_find_view(element* parents) : parents_(parents) {}

  // The smallest element of the set, as far as it has been united by now.
  //   cost        of ancestor(), and an update of the root
  [[nodiscard]] __device__ element find(element one) const {
    do {
      one = ancestor(one);
    } while (!is_root(one));
    return one;
  }

  // An element of the set that is not larger: the smallest, unless others unite meanwhile. Then it
  // is what this lane happens to see, which may be older than what it was told before.
  //   cost        a load for each step; ways get shorter as they are walked
  [[nodiscard]] __device__ element ancestor(element one) const {
    element parent = sync::load(parents_ + one);
    while (parent != one) {
      const element above = sync::load(parents_ + parent);
      // Another lane may have put something smaller there. Both are on the way to the root.
      if (above != parent) sync::store(parents_ + one, above);
      one = parent;
      parent = above;
    }
    return one;
  }

  // Makes the sets of two elements one. True if they were two until now, in one lane of those that
  // unite them.
  __device__ bool unite(element one, element other) const {
    for (;;) {
      one = ancestor(one);
      other = ancestor(other);
      if (one == other) return false;
      const element larger = one < other ? other : one;
      const element smaller = one < other ? one : other;
      if (sync::compare_exchange(parents_ + larger, larger, smaller) == larger) return true;
      // Somebody else has hung it up: on from there.
    }
  }

  // Whether they are in one set. False is no lasting answer while others unite.
  //   cost        of two ancestor(), and updates of both roots where they differ
  [[nodiscard]] __device__ bool are_united(element one, element other) const {
    for (;;) {
      one = ancestor(one);
      other = ancestor(other);
      if (one == other) return true;
      // Two roots at the moment of the first update: who is a root later was one before.
      if (is_root(one) && is_root(other)) return false;
    }
  }

 private:
  // By an update, which sees the newest parent. A load may see an older one although the lane has
  // seen a way around it, that somebody has shortened since: nothing orders the two.
  [[nodiscard]] __device__ bool is_root(element one) const {
    return sync::add(parents_ + one, element{0}) == one;
  }

  element* parents_ = nullptr;
};

namespace detail {

template <typename Element>
__global__ void make_single(Element* parents, Element count) {
  for (Element i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    parents[i] = i;
  }
}

template <typename View, typename Element>
__global__ void write_roots(View sets, Element* roots, Element count) {
  for (Element i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    roots[i] = sets.ancestor(i);
  }
}

}  // namespace detail

// Sets of the elements 0 … count - 1 in device memory.
//   called by   one host thread at a time, with the device current on which it was made; it can be
//               moved and not copied
//   memory      4 bytes for each element
class union_find {
 public:
  // Elements are numbers from 0 on, at most so many.
  using element = union_find_view::element;
  static constexpr std::size_t most_elements = std::size_t{1} << 31;

  // Each element alone, for kernels that come later in `stream`.
  // Throws heddle::error for more than most_elements, and where memory does not suffice.
  explicit union_find(std::size_t count, cudaStream_t stream = nullptr,
                      source_location where = source_location::current())
      : count_(static_cast<element>(count)) {
    if (count > most_elements) {
      throw error(cudaErrorInvalidValue,
                  "sets of at most 2^31 elements are offered, not of " + std::to_string(count),
                  where);
    }
    memory_ = detail::device_memory(count * sizeof(element) + 1, stream, where);
    clear(stream, where);
  }

  // What kernels get.
  [[nodiscard]] union_find_view view() const noexcept {
    return union_find_view(reinterpret_cast<element*>(memory_.data()));
  }
  // How many elements there are.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

  // Each element alone again, in the order of `stream`.
  void clear(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    if (count_ == 0) return;
    detail::launch_for_each(count_, stream, where, detail::make_single<element>,
                            reinterpret_cast<element*>(memory_.data()), count_);
  }

  // The smallest element of each element's set, in device memory, in the order of `stream`.
  void roots(element* into, cudaStream_t stream = nullptr,
             source_location where = source_location::current()) const {
    if (count_ == 0) return;
    detail::launch_for_each(count_, stream, where, detail::write_roots<union_find_view, element>,
                            view(), into, count_);
  }

 private:
  detail::device_memory memory_;
  element count_;
};

}  // namespace heddle::container
