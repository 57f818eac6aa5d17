// A hand-shake between two threads: one sends, one receives, and nothing is overwritten unread.
//   strategy    a counter for each side, which the other one looks at
//   needs       sm_75
#pragma once
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

#include <type_traits>

namespace heddle::sync {

// Room for one value on its way. Memory that is all zero is an empty channel.
//   called by   send: one thread at a time; receive: one thread at a time; also two lanes of one
//               warp, which then must not wait for each other by a collective in between
//   order       values come in the order in which they were sent; the receiver sees what the sender
//               had written before, and the sender, once it can send again, that the receiver is
//               done with the value before
template <typename T, scope reach = scope::device>
class channel {
  static_assert(std::is_trivially_copyable_v<T>, "a channel carries trivially copyable values");

 public:
  // Makes any memory an empty channel, such as shared memory: by one thread, before a barrier.
  __device__ void clear() { is_full_ = 0; }

  // False, and nothing is sent, while the value before has not been received.
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
  // False, and `value` is left alone, while nothing has been sent.
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
