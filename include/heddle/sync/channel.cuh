// A one-value channel between two threads: one sends, one receives, and no value is overwritten
// unread.
//   strategy    one full/empty word, stored with release and loaded with acquire by both sides
//   needs       sm_75
#pragma once
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

#include <type_traits>

namespace heddle::sync {

// Holds one value in flight. Zeroed memory is an empty channel.
//   called by   send: one thread at a time; receive: one thread at a time. They may be two lanes of
//               one warp, if these do not wait for each other in a collective in between.
//   order       values arrive in the order in which they were sent. The receiver sees what the
//               sender had written before; once the sender can send again, the receiver is done
//               with the previous value.
template <typename T, scope reach = scope::device>
class channel {
  static_assert(std::is_trivially_copyable_v<T>, "a channel carries trivially copyable values");

 public:
  // Makes any memory, such as shared memory, an empty channel: by one thread, before a barrier.
  __device__ void clear() { is_full_ = 0; }

  // Returns false and sends nothing while the previous value has not been received.
  [[nodiscard]] __device__ bool try_send(const T& value) {
    if (load_acquire<reach>(&is_full_) != 0) return false;
    value_ = value;
    store_release<reach>(&is_full_, 1);
    return true;
  }
  __device__ void send(const T& value) {
    for (backoff wait; !try_send(value); wait.pause()) {
    }
  }
  // Returns false and leaves `value` unchanged while nothing has been sent.
  [[nodiscard]] __device__ bool try_receive(T& value) {
    if (load_acquire<reach>(&is_full_) == 0) return false;
    value = value_;
    store_release<reach>(&is_full_, 0);
    return true;
  }
  [[nodiscard]] __device__ T receive() {
    T value;
    for (backoff wait; !try_receive(value); wait.pause()) {
    }
    return value;
  }

 private:
  unsigned is_full_;
  T value_;
};

}  // namespace heddle::sync
