// Where the lanes of a warp meet: one meeting for each mask in use.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <heddle_host/observer.hpp>

namespace heddle_host {

// What a lane gets from a lane that is not there: NaN as a float and as a double, and no likely
// integer.
extern std::uint64_t value_of_absent_lane;

// The lanes of `mask` gather round after round. Two rounds are kept, because a lane may arrive at
// the next round before another has read what the last one brought.
struct warp_meeting {
  std::uint32_t mask = 0;
  warp_operation operation = warp_operation::sync;
  struct round {
    std::uint32_t present = 0;
    std::uint64_t result = 0;  // of operations that give all lanes the same
    std::array<std::uint64_t, 32> values;
  };
  std::array<round, 2> rounds;
  round* gathering = &rounds[0];
  std::uint32_t awaited = 0;  // non-exited lanes of the mask that the gathering round is without

  warp_meeting() = default;
  // Lanes that wait in the gathering round.
  std::uint32_t arrived(std::uint32_t exited) const { return mask & ~(awaited | exited); }

  warp_meeting(const warp_meeting&) = delete;
  warp_meeting& operator=(const warp_meeting&) = delete;
};

class warp_meetings {
 public:
  // `ready`: lanes of the warp that have been let go but have not run since. They may still have a
  // round to read, so its meeting must not serve another mask.
  warp_meeting& of(std::uint32_t mask, std::uint32_t ready, std::uint32_t exited) {
    if (__builtin_expect(recent_->mask == mask, 1)) return *recent_;
    return find_or_make(mask, ready, exited);
  }
  warp_meeting& recent() { return *recent_; }
  // The warp is another one now, with these lanes ended or never there.
  void begin(std::uint32_t exited) {
    for_each([&](warp_meeting& meeting) { meeting.awaited = meeting.mask & ~exited; });
  }
  void clear();
  // The meeting in which the lane waits; null: none.
  const warp_meeting* awaited_by(unsigned lane, std::uint32_t exited) const;

  bool keeps(const std::byte* address) const;  // not in itself
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
