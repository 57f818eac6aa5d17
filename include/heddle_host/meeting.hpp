// How a lane waits for others. It asks the runtime, which records its arrival and names the lane to
// resume meanwhile; then it switches in the kernel's own code. So only the registers that the
// kernel still needs are saved, and the processor's return predictions stay valid.
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
  make_group,  // exchanges nothing: the lanes of a group partition it
};

// The runtime's answer to a lane that arrives at a warp operation or a barrier.
template <typename Result>
struct arrival {
  context next;          // what to resume while the lane waits; null if it need not wait
  const Result* result;  // valid once the lane resumes
};

// A shuffle; the result is the bits of the source lane's value.
arrival<std::uint64_t> arrive_at_shuffle_index(unsigned mask, std::uint64_t value, unsigned operand,
                                               int width);
arrival<std::uint64_t> arrive_at_shuffle_up(unsigned mask, std::uint64_t value, unsigned operand,
                                            int width);
arrival<std::uint64_t> arrive_at_shuffle_down(unsigned mask, std::uint64_t value, unsigned operand,
                                              int width);
arrival<std::uint64_t> arrive_at_shuffle_xor(unsigned mask, std::uint64_t value, unsigned operand,
                                             int width);

// An operation with the same result for all lanes.
arrival<std::uint64_t> arrive_at_meeting(warp_operation operation, unsigned mask,
                                         std::uint64_t value);

// The lanes of the mask whose value has the same bits as the caller's.
unsigned match_any(unsigned mask, std::uint64_t value);

// Sets what a shuffle reads from an absent lane; a correct program does not depend on it.
void set_value_of_absent_lanes(std::uint64_t bits);

// For checked programs: all members of the parent group, either lanes of a warp or the whole block,
// must take part in partitioning it.
void make_part_of_lanes(unsigned mask);
void make_part_of_block();

// For checked programs: the running lane has reached the end of its kernel, not a `return`.
void note_end_of_kernel();

// The lanes of the warp that have converged with the caller.
unsigned active_lanes();

struct barrier_result {
  unsigned arrived;
  unsigned true_predicates;
};
arrival<barrier_result> arrive_at_block_barrier(bool predicate);
// Barrier 0 to 15, for `threads` threads; 0 means the whole block.
arrival<barrier_result> arrive_at_named_barrier(unsigned barrier, unsigned threads);
// Arrives at the barrier without waiting; `threads` is never 0.
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
