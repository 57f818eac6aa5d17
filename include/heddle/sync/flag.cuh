// A flag that signals that data is ready.
//   strategy    a word that counts up, stored with release and loaded with acquire
//   needs       sm_75
#pragma once
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle::sync {

// Zeroed memory is a flag at height 0. Raising it step by step announces numbered events.
//   order       when at_least(n) or wait_for(n) shows that the flag was raised, the caller sees
//               what the raising thread had written or seen before raise_to(n), if both threads are
//               within `reach`
template <scope reach = scope::device>
class flag {
 public:
  // Makes any memory, such as shared memory, a flag at 0: by one thread, before a barrier.
  __device__ void clear() { height_ = 0; }

  //   called by   one thread at a time; `height` grows from call to call
  __device__ void raise_to(unsigned height) { store_release<reach>(&height_, height); }
  __device__ void raise() { raise_to(1); }

  // Whether the flag has been raised to `height` or higher.
  [[nodiscard]] __device__ bool at_least(unsigned height) const {
    return load_acquire<reach>(&height_) >= height;
  }
  [[nodiscard]] __device__ bool is_raised() const { return at_least(1); }

  // Returns when the flag has been raised to `height`.
  __device__ void wait_for(unsigned height = 1) const {
    for (backoff wait; !at_least(height); wait.pause()) {
    }
  }

 private:
  unsigned height_;
};

}  // namespace heddle::sync
