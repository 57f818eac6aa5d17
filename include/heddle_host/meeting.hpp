// How a lane waits for others: it asks the machine, which books it in and names the lane that goes
// on meanwhile, and then makes the switch itself, in the kernel's own code. So only what the kernel
// still needs is saved, and the processor's predictions of returns hold.
#pragma once
#include <cstdint>

#include <heddle_host/lane.hpp>
#include <heddle_host/profiled.hpp>

namespace heddle_host {

enum class warp_operation : unsigned char {
  sync,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  vote_any,
  vote_all,
  vote_uniform,
  ballot,
  match_any,
  match_all,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor,
  make_group,  // nothing is exchanged: the lanes of a group make a part of it
};

// The machine's answer to a lane that has come to a meeting or to a barrier.
template <typename Result>
struct arrival {
  context next;          // where to go on while the lane waits; null: it need not wait
  const Result* result;  // to be read when the lane goes on
};

// A shuffle; the result is the source's value, as bits.
arrival<std::uint64_t> arrive_at_shuffle_index(unsigned mask, std::uint64_t value, unsigned operand,
                                               int width);
arrival<std::uint64_t> arrive_at_shuffle_up(unsigned mask, std::uint64_t value, unsigned operand,
                                            int width);
arrival<std::uint64_t> arrive_at_shuffle_down(unsigned mask, std::uint64_t value, unsigned operand,
                                              int width);
arrival<std::uint64_t> arrive_at_shuffle_xor(unsigned mask, std::uint64_t value, unsigned operand,
                                             int width);

// An operation that gives all lanes the same.
arrival<std::uint64_t> arrive_at_meeting(warp_operation operation, unsigned mask,
                                         std::uint64_t value);

// Which lanes of the mask brought the same bits as the caller.
unsigned match_any(unsigned mask, std::uint64_t value);

// What a shuffle reads from a lane that is not there; a program that depends on it is wrong.
void set_value_of_absent_lanes(std::uint64_t bits);

// In a checked program: groups are made by all of their parent, which is lanes of the warp or the
// block.
void make_part_of_lanes(unsigned mask);
void make_part_of_block();

// The same: the running lane is at the end of its kernel, not at a `return`.
void note_end_of_kernel();

// The lanes of the warp that are where the caller is.
unsigned active_lanes();

struct barrier_result {
  unsigned arrived;
  unsigned true_predicates;
};
arrival<barrier_result> arrive_at_block_barrier(bool predicate);
// Number 0 to 15, for so many threads; 0: all of the block.
arrival<barrier_result> arrive_at_named_barrier(unsigned barrier, unsigned threads);
// Counts as having arrived there, and goes on; for so many threads, never 0.
void pass_named_barrier(unsigned barrier, unsigned threads);

template <typename Result>
[[gnu::always_inline]] inline Result wait_for(arrival<Result> booked) {
  if (__builtin_expect(booked.next != nullptr, 1)) {
    switch_context(*lane_now.stopping, booked.next);
  }
  const Result result = *booked.result;
  enter_lane_code();
  lane_has_met();
  return result;
}

}  // namespace heddle_host
