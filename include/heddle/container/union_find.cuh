// Lock-free disjoint sets (union-find).
//   strategy    compare-and-swap links the larger root to the smaller one; searches halve the paths
//               they walk
//   needs       sm_75
#pragma once
#include <heddle/container/launch.cuh>
#include <heddle/container/memory.cuh>
#include <heddle/sync/access.cuh>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::container {

// The handle that kernels use for a union_find. Every element has a parent, which is never larger.
// The root of a set is its own parent and the smallest of its elements, so the result does not
// depend on the order of the unions.
//   called by   single lanes, any number of them; all functions may run concurrently
//   progress    lock-free
//   order       synchronises no other memory
class union_find_view {
 public:
  // Elements are numbered from 0.
  using element = std::uint32_t;

  union_find_view() = default;
  // Works on the caller's memory, in which every element must start as its own parent.
  __host__ __device__ explicit union_find_view(element* parents) : parents_(parents) {}

  // The smallest element of the set, as far as it has been united by now.
  //   cost        that of ancestor(), and an update of the root
  [[nodiscard]] __device__ element find(element one) const {
    do {
      one = ancestor(one);
    } while (!is_root(one));
    return one;
  }

  // An element of the set that is not larger than `one`: the smallest, unless other lanes unite
  // meanwhile. Then it is whatever this lane happens to see, which may be older than what it saw
  // before.
  //   cost        a load for each step; paths get shorter as they are walked
  [[nodiscard]] __device__ element ancestor(element one) const {
    element parent = sync::load(parents_ + one);
    while (parent != one) {
      const element above = sync::load(parents_ + parent);
      // Another lane may have stored something smaller. Both are on the path to the root.
      if (above != parent) sync::store(parents_ + one, above);
      one = parent;
      parent = above;
    }
    return one;
  }

  // Unites the sets of two elements. True if they were separate until now, in exactly one of the
  // lanes that unite them.
  __device__ bool unite(element one, element other) const {
    for (;;) {
      one = ancestor(one);
      other = ancestor(other);
      if (one == other) return false;
      const element larger = one < other ? other : one;
      const element smaller = one < other ? one : other;
      if (sync::compare_exchange(parents_ + larger, larger, smaller) == larger) return true;
      // Another lane has linked it already: continue from there.
    }
  }

  // Whether both are in one set. While other lanes unite, false may be out of date at once.
  //   cost        that of two ancestor() calls, and updates of both roots if they differ
  [[nodiscard]] __device__ bool are_united(element one, element other) const {
    for (;;) {
      one = ancestor(one);
      other = ancestor(other);
      if (one == other) return true;
      // Both were roots at the first update: an element that is a root now was always one.
      if (is_root(one) && is_root(other)) return false;
    }
  }

 private:
  // Reads by an atomic update, which sees the newest parent. A load could return an old one, even
  // if this lane has seen a path, since shortened by another lane, that bypasses it: nothing orders
  // the two.
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

// Disjoint sets of the elements 0 … count - 1, in device memory.
//   called by   one host thread at a time, with the device current on which the object was made.
//               Movable, not copyable.
//   memory      4 bytes per element
class union_find {
 public:
  // Elements are numbered from 0; there are at most this many.
  using element = union_find_view::element;
  static constexpr std::size_t most_elements = std::size_t{1} << 31;

  // Makes each element a set, for kernels that come later in `stream`. Throws heddle::error for
  // more than most_elements, and if there is not enough memory.
  explicit union_find(std::size_t count, cudaStream_t stream = nullptr,
                      source_location where = source_location::current())
      : count_(static_cast<element>(count)) {
    if (count > most_elements) {
      throw error(cudaErrorInvalidValue,
                  "sets of at most 2^31 elements are supported, not of " + std::to_string(count),
                  where);
    }
    memory_ = detail::device_memory(count * sizeof(element) + 1, stream, where);
    clear(stream, where);
  }

  // The handle for kernels.
  [[nodiscard]] union_find_view view() const noexcept {
    return union_find_view(reinterpret_cast<element*>(memory_.data()));
  }
  // The number of elements.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

  // Makes each element a set again, in stream order.
  void clear(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    if (count_ == 0) return;
    detail::launch_for_each(count_, stream, where, detail::make_single<element>,
                            reinterpret_cast<element*>(memory_.data()), count_);
  }

  // Writes the smallest element of each element's set to device memory, in stream order.
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
