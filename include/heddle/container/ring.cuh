// The core of the queues: a lock-free ring through which many lanes pass 32-bit numbers in order.
//   strategy    atomic additions draw tickets; cells change by compare-and-swap of value, lap and
//               state in one word
//   needs       sm_75
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/sync/backoff.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::container::detail {

// A cell of the ring. Value and state are one word that changes as a whole: a lane that sees a full
// cell has its value, without a fence.
//   bits 63 … 32   the value
//   bits 31 … 2    the lap in which the cell was last filled or given up
//   bit 1          blocked: a dequeue has passed while an older value was still here
//   bit 0          full
class ring_cell {
 public:
  using word = unsigned long long;
  static constexpr word full = 1;
  static constexpr word blocked = 2;
  static constexpr word value_and_full = ~word{0} << 32 | full;

  static constexpr int lap_bits = 30;
  // Laps are compared by their distance, so they may wrap around.
  __device__ static int laps_ahead(std::uint32_t lap, std::uint32_t other) {
    return static_cast<int>((lap - other) << (32 - lap_bits)) >> (32 - lap_bits);
  }
  __device__ static std::uint32_t lap(word cell) { return static_cast<std::uint32_t>(cell) >> 2; }
  __device__ static std::uint32_t value(word cell) {
    return static_cast<std::uint32_t>(cell >> 32);
  }
  __device__ static word free_after(std::uint32_t lap) { return word{lap << 2}; }
  __device__ static word filled(std::uint32_t lap, std::uint32_t value) {
    return word{value} << 32 | lap << 2 | full;
  }
};

// Zeroed memory is an empty ring. Head and tail only count up, with one addition for all lanes that
// come together. Each number is a ticket for one cell in one lap. The enqueue and the dequeue with
// the same ticket use that cell. If the enqueue does not fill it in time, the dequeue gives the
// cell up for this lap, and the enqueue draws another ticket. So no lane waits for one that has
// stopped.
//
// Cells that can be given up come from LCRQ (Morrison and Afek, 2013) and SCQ (Nikolaev, 2019).
// Here the cells hold the values themselves, and no fences are needed: everything that two lanes
// must agree on is in one word.
//   limits      the caller ensures that values never fill more than half of the cells
//               (2^log_cells); a lane that stops inside an operation for 2^29 laps and then
//               continues may take another lane's value
class ring_view {
 public:
  using ticket = unsigned long long;
  struct position {
    alignas(128) ticket count;
  };
  struct storage {
    position head, tail;
  };
  [[nodiscard]] static std::size_t bytes_for(int log_cells) {
    return sizeof(storage) + (sizeof(ring_cell::word) << log_cells);
  }

  ring_view() = default;
  __host__ __device__ ring_view(std::byte* memory, int log_cells)
      : at_(reinterpret_cast<storage*>(memory)),
        cells_(reinterpret_cast<ring_cell::word*>(at_ + 1)),
        log_cells_(log_cells) {}

  // Turns any memory into a ring that holds `count` values: value_of(i) is the i-th.
  //   called by   all threads of a one-dimensional grid, before anything uses the ring
  template <typename Values>
  __device__ void lay_out(ticket count, const Values& value_of) const {
    const ticket thread = ticket{blockIdx.x} * blockDim.x + threadIdx.x;
    for (ticket i = thread; i < ticket{1} << log_cells_; i += ticket{gridDim.x} * blockDim.x) {
      cells_[i] = i < count ? ring_cell::filled(lap_of(i), value_of(i)) : 0;
    }
    if (thread == 0) {
      at_->head.count = 0;
      at_->tail.count = count;
    }
  }

  // Puts in the values of the lanes with `wants`.
  //   called by   every lane of `members`
  //   result in   those lanes: false where dequeues have given up every cell that the lane drew
  //   order       values of a warp go in in lane order, except for those that draw again
  //   cost        one addition for all, and one exchange for each lane, if there is no contention
  [[nodiscard]] __device__ bool put(std::uint32_t value, bool wants, lane_mask members) const {
    bool is_in = false;
    lane_mask left = __ballot_sync(members, wants);
    for (unsigned i = 0; i < most_attempts_ && left != 0; ++i) {
      if (contains(left, lane_id())) {
        const ticket mine = draw(&at_->tail.count, left);
        fetch_ahead(mine);
        is_in = fill(mine, value);
      }
      left = __ballot_sync(members, contains(left, lane_id()) && !is_in);
      if (left != 0 && lane_id() == first_lane(left)) pass_by_dequeues();
    }
    return is_in;
  }

  // Takes a value for each lane with `wants`.
  //   called by   every lane of `members`
  //   result in   those lanes: false, with `value` unchanged, where the ring was empty
  //   order       lanes get values in lane order
  //   cost        one addition for all, and one load and one update for each lane, if there is no
  //               contention
  [[nodiscard]] __device__ bool take(std::uint32_t& value, bool wants, lane_mask members) const {
    return take_within(~0u, value, wants, members);
  }

  // The same for a ring of spare numbers, all of which come back to it.
  //   result      also false where none of the cells that the lane drew was filled yet
  [[nodiscard]] __device__ bool take_spare(std::uint32_t& number, bool wants,
                                           lane_mask members) const {
    return take_within(most_attempts_, number, wants, members);
  }
  // Puts a spare number in, retrying until it succeeds. Collisions last only a few rounds.
  __device__ void put_back(std::uint32_t number, bool wants, lane_mask members) const {
    while (__any_sync(members, wants) != 0) {
      if (put(number, wants, members)) wants = false;
    }
  }

 private:
  // An enqueue and a dequeue may collide again and again, the dequeue always one step ahead, so
  // that neither makes progress. One of them must give up: the enqueue, except for spare numbers,
  // which must not be lost.
  static constexpr unsigned most_attempts_ = 64;
  // How often a dequeue looks for the value of an enqueue that already has its ticket.
  static constexpr int most_looks_ = 16;
  // About as many enqueues as a whole GPU begins in the few microseconds of a memory access.
  static constexpr ticket fetched_ahead_ = ticket{1} << 16;

  __device__ bool take_within(unsigned attempts, std::uint32_t& value, bool wants,
                              lane_mask members) const {
    bool has_value = false;
    lane_mask left = __ballot_sync(members, wants);
    for (unsigned i = 0; i < attempts && left != 0; ++i) {
      bool draws = false;
      if (contains(left, lane_id())) draws = rank(left) < waiting_values(left);
      const lane_mask drawing = __ballot_sync(members, draws);
      if (drawing == 0) break;  // it was empty when the first lane looked
      if (draws) has_value = empty_cell(draw(&at_->head.count, drawing), value);
      left = __ballot_sync(members, contains(left, lane_id()) && !has_value);
    }
    return has_value;
  }

  // A ticket for each of `lanes`, in lane order; all of them call it.
  __device__ static ticket draw(unsigned long long* counter, lane_mask lanes) {
    const int leader = first_lane(lanes);
    ticket first = 0;
    if (lane_id() == leader) {
      first = sync::add(counter, static_cast<unsigned long long>(count(lanes)));
    }
    __syncwarp(lanes);  // all know that it was counted up, for which a shuffle alone does nothing
    return __shfl_sync(lanes, first, leader) + static_cast<unsigned>(rank(lanes));
  }

  // How many enqueue tickets no dequeue has drawn yet, as seen by the first of `lanes`; all of them
  // call it. Head is read before tail. If tail is not ahead, it is read a second time; if it still
  // is not, the ring was empty at that moment. The second read is expensive, so it happens only
  // then. It must be an atomic update: a load could miss a push that finished before the pop that
  // advanced the head began, since pops release nothing.
  __device__ int waiting_values(lane_mask lanes) const {
    const int leader = first_lane(lanes);
    int waiting = 0;
    __syncwarp(lanes);
    if (lane_id() == leader) {
      const ticket head = sync::load(&at_->head.count);
      ticket tail = sync::load(&at_->tail.count);
      if (static_cast<long long>(tail - head) <= 0) {
        sync::fence();
        tail = sync::add(&at_->tail.count, 0ull);
      }
      const auto distance = static_cast<long long>(tail - head);
      waiting = distance <= 0 ? 0 : distance < warp_size ? static_cast<int>(distance) : warp_size;
    }
    return __shfl_sync(lanes, waiting, leader);
  }

  __device__ ring_cell::word* cell_of(ticket mine) const {
    return cells_ + (mine & ((ticket{1} << log_cells_) - 1));
  }
  // The first lap is 1: untouched cells look as if they had been given up in lap 0.
  __device__ std::uint32_t lap_of(ticket mine) const {
    return static_cast<std::uint32_t>((mine >> log_cells_) + 1) & ((1u << ring_cell::lap_bits) - 1);
  }

  // Prefetches a cell that will be filled soon. In a ring larger than the cache, the next cells are
  // never cached. Exchanges of words that are only in memory then take twice as long, because few
  // of them can be in flight.
  __device__ void fetch_ahead(ticket mine) const {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(cell_of(mine + fetched_ahead_)));
  }

  // Returns false if the cell of that ticket is lost.
  __device__ bool fill(ticket mine, std::uint32_t value) const {
    ring_cell::word* const cell = cell_of(mine);
    const std::uint32_t lap = lap_of(mine);
    const ring_cell::word filled = ring_cell::filled(lap, value);
    // The contents in the usual case.
    ring_cell::word seen = ring_cell::free_after((lap - 1) & ((1u << ring_cell::lap_bits) - 1));
    for (;;) {
      const ring_cell::word held = sync::compare_exchange(cell, seen, filled);
      if (held == seen) return true;
      const bool is_usable = (held & (ring_cell::full | ring_cell::blocked)) == 0 &&
                             ring_cell::laps_ahead(lap, ring_cell::lap(held)) > 0;
      if (!is_usable) return false;
      seen = held;
    }
  }

  // Returns false if there will be no value for that ticket.
  __device__ bool empty_cell(ticket mine, std::uint32_t& value) const {
    ring_cell::word* const cell = cell_of(mine);
    const std::uint32_t lap = lap_of(mine);
    sync::backoff wait;
    int looks = 0;
    for (;;) {
      const ring_cell::word held = sync::load(cell);
      const int ahead = ring_cell::laps_ahead(lap, ring_cell::lap(held));
      if ((held & ring_cell::full) != 0) {
        if (ahead == 0) {
          value = take_value(cell);
          return true;
        }
        // A dequeue of an earlier lap has stopped before it took its value. The enqueue with this
        // ticket must not fill the cell afterwards: no dequeue would look there again.
        if (ahead < 0) return false;
        const ring_cell::word marked = sync::bit_or(cell, ring_cell::blocked);
        if (ring_cell::lap(marked) != lap || (marked & ring_cell::full) == 0) return false;
        value = take_value(cell);  // meanwhile the old value was taken and ours put in
        return true;
      }
      if (ahead <= 0) return false;  // a later dequeue has given it up
      const bool may_still_come = (held & ring_cell::blocked) == 0 && looks++ < most_looks_ &&
                                  sync::load(&at_->tail.count) > mine;
      if (may_still_come) {
        wait.pause();
      } else if (sync::compare_exchange(cell, held, ring_cell::free_after(lap)) == held) {
        return false;
      }
    }
  }

  // Many dequeues that have seen the same value draw tickets far past the last enqueue's, and each
  // gives up a cell. An enqueue that has hit one of these skips past them all instead of trying
  // each.
  __device__ void pass_by_dequeues() const {
    const ticket head = sync::load(&at_->head.count);
    if (sync::load(&at_->tail.count) < head) sync::maximum(&at_->tail.count, head);
  }

  // Keeps the `blocked` bit.
  __device__ static std::uint32_t take_value(ring_cell::word* cell) {
    return ring_cell::value(sync::bit_and(cell, ~ring_cell::value_and_full));
  }

  storage* at_ = nullptr;
  ring_cell::word* cells_ = nullptr;
  int log_cells_ = 0;
};

}  // namespace heddle::container::detail
