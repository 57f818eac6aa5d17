// Where the lanes of a warp meet; there is one meeting for each mask in use.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <heddle_host/observer.hpp>

namespace heddle_host {

// What a lane reads from an absent lane: NaN as a float and as a double, and an unlikely integer.
extern std::uint64_t value_of_absent_lane;

// The lanes of `mask` gather in rounds. Two rounds are kept, because a lane may arrive at the next
// one before another lane has read the results of the last.
struct warp_meeting {
  std::uint32_t mask = 0;
  warp_operation operation = warp_operation::sync;
  struct round {
    std::uint32_t present = 0;
    std::uint64_t result = 0;  // of operations with one result for all lanes
    std::array<std::uint64_t, 32> values;
  };
  std::array<round, 2> rounds;
  round* gathering = &rounds[0];
  std::uint32_t awaited = 0;  // non-exited lanes of the mask that have not arrived

  warp_meeting() = default;
  // Lanes that wait in the current round.
  std::uint32_t arrived(std::uint32_t exited) const { return mask & ~(awaited | exited); }

  warp_meeting(const warp_meeting&) = delete;
  warp_meeting& operator=(const warp_meeting&) = delete;
};

class warp_meetings {
 public:
  // `ready`: lanes of the warp that were released but have not run since. They may still have to
  // read a round, so its meeting cannot be reused for another mask.
  warp_meeting& of(std::uint32_t mask, std::uint32_t ready, std::uint32_t exited) {
    if (__builtin_expect(recent_->mask == mask, 1)) return *recent_;
    return find_or_make(mask, ready, exited);
  }
  warp_meeting& recent() { return *recent_; }
  // Reuses the meetings for another warp, whose lanes in `exited` have exited or never existed.
  void begin(std::uint32_t exited) {
    for_each([&](warp_meeting& meeting) { meeting.awaited = meeting.mask & ~exited; });
  }
  void clear();
  // The meeting in which the lane waits, or null.
  const warp_meeting* awaited_by(unsigned lane, std::uint32_t exited) const;

  bool keeps(const std::byte* address) const;  // in memory outside this object
  template <typename Visit>
  void for_each(Visit visit) {
    visit(first_);
    for (auto& meeting : others_) visit(*meeting);
  }

 private:
  warp_meeting& remember(warp_meeting& met);
  warp_meeting& find_or_make(std::uint32_t mask, std::uint32_t ready, std::uint32_t exited);

  warp_meeting first_;
  warp_meeting* recent_ = &first_;
  std::vector<std::unique_ptr<warp_meeting>> others_;
};

}  // namespace heddle_host
