// Detects lanes that would only poll the same values again.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "checker/explore/trace.hpp"

namespace heddle_checker {

// A load, or an atomic operation that changes nothing.
struct look {
  const void* code = nullptr;
  std::uintptr_t address = 0;
  unsigned bytes = 0;
  std::uint64_t lane_state = 0;  // digest of registers and stack; equal: it will do the same
  std::uint64_t value = 0;       // the value that was there, or a digest of it
};

class spin_watch {
 public:
  // Whether the lane has been at this look before, has written nothing since, and all that it has
  // read since is unchanged.
  [[nodiscard]] bool goes_in_a_circle(unsigned lane, const look& next);
  // The lane has looked; reads the present value.
  void has_looked(unsigned lane, const look& what);
  // The lane has changed something, or has met others.
  void has_got_on(unsigned lane) { lanes_[lane].clear(); }
  // Whether this change is one that the lane waits for, if it spins.
  [[nodiscard]] bool would_see(unsigned lane, const footprint& change) const;
  // True once a lane that may count its polls was assumed to spin.
  [[nodiscard]] bool has_guessed() const { return has_guessed_; }

 private:
  // A lane that has seen the same value this often waits, whatever it counts.
  static constexpr unsigned most_looks = 8;
  static constexpr std::size_t most_kept = 128;
  std::array<std::deque<look>, most_explored_lanes> lanes_;
  bool has_guessed_ = false;
};

// A digest of what the bytes hold now.
std::uint64_t value_at(std::uintptr_t address, unsigned bytes);
// A digest of the running lane's registers and stack in the call that returns to `code`.
std::uint64_t state_of_running_lane(const void* code);

}  // namespace heddle_checker
