// Notices lanes that would look again at what they know, and nothing else.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "checker/explore/trace.hpp"

namespace heddle_checker {

// A load, or an atomic operation that finds no reason to change anything.
struct look {
  const void* code = nullptr;
  std::uintptr_t address = 0;
  unsigned bytes = 0;
  std::uint64_t lane_state = 0;  // of its registers and its stack; equal: it will do the same
  std::uint64_t value = 0;       // what was there, or a digest of it
};

class spin_watch {
 public:
  // Whether the lane, which stands before this look, has been there before and has written nothing
  // since, and all that it has looked at since is as it was.
  [[nodiscard]] bool goes_in_a_circle(unsigned lane, const look& next);
  // It has looked; the value is that of now.
  void has_looked(unsigned lane, const look& what);
  // It has changed something, or met somebody.
  void has_got_on(unsigned lane) { lanes_[lane].clear(); }
  // Whether this change is one that the lane waits for, if it goes in a circle.
  [[nodiscard]] bool would_see(unsigned lane, const footprint& change) const;
  // True once a lane was taken to spin that perhaps counts its looks.
  [[nodiscard]] bool has_guessed() const { return has_guessed_; }

 private:
  // A lane that has seen the same so often waits, whatever it counts.
  static constexpr unsigned most_looks = 8;
  static constexpr std::size_t most_kept = 128;
  std::array<std::deque<look>, most_explored_lanes> lanes_;
  bool has_guessed_ = false;
};

// What the bytes are now.
std::uint64_t value_at(std::uintptr_t address, unsigned bytes);
// A digest of the running lane's registers and stack, as they are in the call that returns to
// `code`.
std::uint64_t state_of_running_lane(const void* code);

}  // namespace heddle_checker
