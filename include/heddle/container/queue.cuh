// A bounded lock-free queue for any number of producers and consumers.
//   strategy    a ring of words with tickets: a push and a pop with the same ticket use the same
//               cell, and either may give it up; a warp draws its tickets with one addition
//   needs       sm_75
#pragma once
#include <heddle/container/launch.cuh>
#include <heddle/container/memory.cuh>
#include <heddle/container/ring.cuh>
#include <heddle/core/architecture.cuh>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <type_traits>

namespace heddle::container {

// What popping a value synchronises.
enum class passing {
  values_and_memory,  // the popping lane sees what the pushing lane had written before
  values_alone,       // nothing but the value: no fences
};

// The handle that kernels use for a queue<T>. Freely copyable; valid as long as the queue.
//   order       first in, first out; two operations that overlap in time may take effect in either
//               order
//   progress    lock-free: a lane that stops forever in the middle of an operation blocks nobody.
//               It occupies the place of one value.
//   full        is a result, not an error: values and calls in flight together fill the capacity,
//               or a push has collided with pops 64 times in a row
//   empty       is a result, not an error: at one moment of the call the queue was empty
template <typename T, passing how = passing::values_and_memory>
class queue_view {
  static_assert(std::is_trivially_copyable_v<T>, "a queue holds trivially copyable values");

 public:
  // The type of the values.
  using value_type = T;

  // Returns true if the value is now in the queue, false if the queue was full.
  //   called by   single lanes, any number of them
  //   cost        three atomic updates; a fence if memory is passed
  [[nodiscard]] __device__ bool try_push(const T& value) const {
    return try_push(value, true, lane_mask{1} << lane_id());
  }
  // Returns false and leaves `value` unchanged if the queue was empty.
  [[nodiscard]] __device__ bool try_pop(T& value) const {
    return try_pop(value, true, lane_mask{1} << lane_id());
  }

  // The same for many lanes at once.
  //   called by   every lane of `members`; those with `wants` take part
  //   result in   those lanes; if there is not enough room or values, the first of them succeed
  //   cost        two updates for all of them, and one for each
  [[nodiscard]] __device__ bool try_push(const T& value, bool wants, lane_mask members) const;
  [[nodiscard]] __device__ bool try_pop(T& value, bool wants, lane_mask members) const;

 private:
  template <typename, passing>
  friend class queue;

  // Small values are stored in the ring. For larger ones the ring holds slot numbers, and a second
  // ring holds the numbers of free slots.
  static constexpr bool is_direct_ = sizeof(T) <= 4;

  __device__ int reserve(lane_mask lanes) const;
  __device__ void give_back(int places, lane_mask lanes) const;
  __device__ bool push_direct(const T& value, bool wants, lane_mask members) const;
  __device__ bool pop_direct(T& value, bool wants, lane_mask members) const;
  __device__ bool push_slot(const T& value, bool wants, lane_mask members) const;
  __device__ bool pop_slot(T& value, bool wants, lane_mask members) const;

  detail::ring_view values_;
  detail::ring_view free_slots_;  // only for larger values
  T* slots_ = nullptr;            // only for larger values
  unsigned* taken_places_ = nullptr;
  unsigned capacity_ = 0;
};

// A queue in device memory.
//   called by   one host thread at a time, with the device current on which the queue was made.
//               Movable, not copyable.
//   memory      8 bytes per cell of the ring, which has at least twice as many cells as the queue's
//               capacity or the number of lanes, whichever is larger; values above 4 bytes also
//               need slots and a second ring
template <typename T, passing how = passing::values_and_memory>
class queue {
 public:
  // The largest capacity.
  static constexpr unsigned most_values = 1u << 30;

  // Makes a queue that is ready for kernels that come later in `stream`. `lanes` is the number of
  // lanes that use it at the same time; 0: as many as the device can run.
  // Throws heddle::error for a capacity of 0 or above most_values, and if there is not enough
  // memory.
  explicit queue(std::size_t capacity, cudaStream_t stream = nullptr, std::size_t lanes = 0,
                 source_location where = source_location::current());

  // The handle for kernels, and the number of values that fit.
  [[nodiscard]] queue_view<T, how> view() const noexcept { return view_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return view_.capacity_; }

  // Removes all values, in stream order.
  void clear(cudaStream_t stream = nullptr, source_location where = source_location::current());

 private:
  void fill_free_slots(cudaStream_t stream, source_location where);

  detail::device_memory memory_;
  queue_view<T, how> view_;
};

namespace detail {

template <typename Ring>
__global__ void put_numbers(Ring into, unsigned count) {
  const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
  // Nothing takes from the ring yet, so every put succeeds.
  static_cast<void>(into.put(number, number < count, all_lanes));
}

}  // namespace detail

template <typename T, passing how>
queue<T, how>::queue(std::size_t capacity, cudaStream_t stream, std::size_t lanes,
                     source_location where) {
  if (capacity == 0 || capacity > most_values) {
    throw error(cudaErrorInvalidValue,
                "a queue holds 1 to " + std::to_string(most_values) + " values, not " +
                    std::to_string(capacity),
                where);
  }
  if (lanes == 0) lanes = current_device(where).resident_threads();
  const std::size_t cells = std::bit_ceil(2 * std::max(capacity, lanes));
  const int log_cells = std::countr_zero(cells);
  const std::size_t ring_bytes = detail::in_lines(detail::ring_view::bytes_for(log_cells));
  const bool has_slots = !queue_view<T, how>::is_direct_;
  const std::size_t slot_bytes = has_slots ? detail::in_lines(capacity * sizeof(T)) : 0;
  memory_ = detail::device_memory(
      detail::line_bytes + ring_bytes * (has_slots ? 2 : 1) + slot_bytes, stream, where);
  std::byte* next = memory_.data();
  view_.capacity_ = static_cast<unsigned>(capacity);
  view_.taken_places_ = reinterpret_cast<unsigned*>(next);
  next += detail::line_bytes;
  view_.values_ = detail::ring_view(next, log_cells);
  next += ring_bytes;
  if (!has_slots) return;
  view_.free_slots_ = detail::ring_view(next, log_cells);
  view_.slots_ = reinterpret_cast<T*>(next + ring_bytes);
  fill_free_slots(stream, where);
}

template <typename T, passing how>
void queue<T, how>::clear(cudaStream_t stream, source_location where) {
  check(cudaMemsetAsync(memory_.data(), 0, memory_.bytes(), stream), where);
  if (!queue_view<T, how>::is_direct_) fill_free_slots(stream, where);
}

template <typename T, passing how>
void queue<T, how>::fill_free_slots(cudaStream_t stream, source_location where) {
  detail::launch_for_each(view_.capacity_, stream, where, detail::put_numbers<detail::ring_view>,
                          view_.free_slots_, view_.capacity_);
}

template <typename T, passing how>
__device__ bool queue_view<T, how>::try_push(const T& value, bool wants, lane_mask members) const {
  if constexpr (is_direct_) {
    return push_direct(value, wants, members);
  } else {
    return push_slot(value, wants, members);
  }
}

template <typename T, passing how>
__device__ bool queue_view<T, how>::try_pop(T& value, bool wants, lane_mask members) const {
  if constexpr (is_direct_) {
    return pop_direct(value, wants, members);
  } else {
    return pop_slot(value, wants, members);
  }
}

// How many of `lanes` may go on: the first ones. All of them call it.
template <typename T, passing how>
__device__ int queue_view<T, how>::reserve(lane_mask lanes) const {
  const int leader = first_lane(lanes);
  unsigned granted = 0;
  __syncwarp(lanes);  // the leader answers for all: it must know what they know
  if (lane_id() == leader) {
    // A queue that looks full is left alone.
    const unsigned taken = sync::load(taken_places_);
    const unsigned room = taken < capacity_ ? capacity_ - taken : 0;
    const unsigned wanted = min(static_cast<unsigned>(count(lanes)), room);
    if (wanted != 0) {
      const unsigned before = sync::add(taken_places_, wanted);
      granted = before < capacity_ ? min(wanted, capacity_ - before) : 0;
      if (granted < wanted) sync::add(taken_places_, granted - wanted);
    }
  }
  return static_cast<int>(__shfl_sync(lanes, granted, leader));
}

template <typename T, passing how>
__device__ void queue_view<T, how>::give_back(int places, lane_mask lanes) const {
  if (places == 0) return;
  if (lane_id() == first_lane(lanes)) {
    sync::add(taken_places_, 0u - static_cast<unsigned>(places));
  }
  __syncwarp(lanes);  // no lane goes on while the leader keeps its place
}

template <typename T, passing how>
__device__ bool queue_view<T, how>::push_direct(const T& value, bool wants,
                                                lane_mask members) const {
  const lane_mask wanting = __ballot_sync(members, wants);
  bool is_granted = false;
  if (wants) is_granted = rank(wanting) < reserve(wanting);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  if constexpr (how == passing::values_and_memory) sync::fence();
  const bool is_in = values_.put(bits, is_granted, members);
  give_back(count(__ballot_sync(members, is_granted && !is_in)), members);
  return is_in;
}

template <typename T, passing how>
__device__ bool queue_view<T, how>::pop_direct(T& value, bool wants, lane_mask members) const {
  std::uint32_t bits = 0;
  const bool has_value = values_.take(bits, wants, members);
  if constexpr (how == passing::values_and_memory) sync::fence();
  if (has_value) std::memcpy(&value, &bits, sizeof(T));
  give_back(count(__ballot_sync(members, has_value)), members);
  return has_value;
}

// A slot is written between leaving the free ring and entering the value ring, and read on its way
// back.
template <typename T, passing how>
__device__ bool queue_view<T, how>::push_slot(const T& value, bool wants, lane_mask members) const {
  std::uint32_t slot = 0;
  const bool has_slot = free_slots_.take_spare(slot, wants, members);
  sync::fence();  // whoever had the slot before has read it
  if (has_slot) slots_[slot] = value;
  sync::fence();
  const bool is_in = values_.put(slot, has_slot, members);
  free_slots_.put_back(slot, has_slot && !is_in, members);
  return is_in;
}

template <typename T, passing how>
__device__ bool queue_view<T, how>::pop_slot(T& value, bool wants, lane_mask members) const {
  std::uint32_t slot = 0;
  const bool has_value = values_.take(slot, wants, members);
  sync::fence();  // it has been written
  if (has_value) value = slots_[slot];
  sync::fence();
  free_slots_.put_back(slot, has_value, members);
  return has_value;
}

}  // namespace heddle::container
