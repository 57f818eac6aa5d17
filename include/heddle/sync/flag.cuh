// A flag that tells others that something is ready.
//   strategy    a word that counts up, stored with release and loaded with acquire
//   needs       sm_75
#pragma once
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

namespace heddle::sync {

// Memory that is all zero is a flag at 0, which numbers what is ready by counting up.
//   order       what the thread has written and seen before raise_to(n) is seen by whoever learns
//               from at_least(n) or wait_for(n) that it was raised, if both threads are within
//               `reach`
template <scope reach = scope::device>
class flag {
 public:
  // Makes any memory a flag at 0, such as shared memory: by one thread, before a barrier.
  __device__ void clear() { height_ = 0; }

  //   called by   one thread at a time; `height` grows from call to call
  __device__ void raise_to(unsigned height) { store_release<reach>(&height_, height); }
  __device__ void raise() { raise_to(1); }

  // Whether it has been raised so high.
  [[nodiscard]] __device__ bool at_least(unsigned height) const {
    return load_acquire<reach>(&height_) >= height;
  }
  [[nodiscard]] __device__ bool is_raised() const { return at_least(1); }

  // Returns when it has.
  __device__ void wait_for(unsigned height = 1) const {
    for (backoff wait; !at_least(height); wait.pause()) {
    }
  }

 private:
  unsigned height_;
};

}  // namespace heddle::sync
