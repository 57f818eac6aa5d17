// The barriers of a block: __syncthreads() and the named ones.
#pragma once
#include <array>
#include <cstdint>

#include <heddle_host/meeting.hpp>

#include "machine/warp_state.hpp"

namespace heddle_host {

class block_state;

inline constexpr unsigned named_barriers = 16;

class block_barriers {
 public:
  explicit block_barriers(block_state& block) : block_(block) {}

  // Called by the running lane. `expected` threads take part; 0 means all that have not exited.
  arrival<barrier_result> arrive(unsigned id, unsigned expected, bool predicate);
  void pass(unsigned id, unsigned expected);  // arrives without waiting

  // Completes the barriers that waited only for it.
  void thread_has_exited() {
    if (busy_ != 0) release_complete();
  }
  void clear();

 private:
  // The threads that have arrived at one barrier.
  struct gathering {
    unsigned arrived = 0;
    unsigned expected = 0;
    unsigned true_predicates = 0;
    unsigned parity = 0;
    bool is_passed = false;  // some threads arrived without waiting
    std::array<barrier_result, 2> outcomes{};
    lanes_of_warps waiting{};
  };

  arrival<barrier_result> arrive_in_general(unsigned id, unsigned expected, bool predicate);
  void release_complete();
  void count_arrival(unsigned id, unsigned expected, bool predicate);
  // `waits_there`: the running lane is among those that wait, unless it has just exited.
  void release_if_complete(unsigned id, bool waits_there);
  void report_places(const gathering& barrier) const;
  void report_completion(unsigned id, bool waits_there) const;

  block_state& block_;
  std::uint32_t busy_ = 0;  // the barriers at which threads have arrived, as bits
  std::array<gathering, named_barriers> barriers_;
};

}  // namespace heddle_host
