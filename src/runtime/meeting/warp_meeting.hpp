// Where the lanes of a warp meet: one meeting for each mask in use.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <heddle_host/observer.hpp>

namespace heddle_host {

// The lanes of `mask` gather round after round. Two rounds are kept, because a lane may arrive at
// the next round before another has read what the last one brought.
struct warp_meeting {
  std::uint32_t mask = 0;
  std::uint32_t arrived = 0;  // in the round that is gathering
  warp_operation operation = warp_operation::sync;
  struct round {
    std::uint32_t present = 0;
    std::uint64_t result = 0;  // of operations that give all lanes the same
    std::array<std::uint64_t, 32> values;
  };
  std::array<round, 2> rounds;
  round* gathering = &rounds[0];

  warp_meeting() = default;
  warp_meeting(const warp_meeting&) = delete;
  warp_meeting& operator=(const warp_meeting&) = delete;
};

class warp_meetings {
 public:
  // `ready`: lanes of the warp that have been let go but have not run since. They may still have a
  // round to read, so its meeting must not serve another mask.
  warp_meeting& of(std::uint32_t mask, std::uint32_t ready) {
    if (__builtin_expect(recent_->mask == mask, 1)) return *recent_;
    return find_or_make(mask, ready);
  }
  warp_meeting& recent() { return *recent_; }
  void clear();
  unsigned mask_awaited_by(unsigned lane) const;

  template <typename Visit>
  void for_each_gathering(Visit visit) {
    if (first_.arrived) visit(first_);
    for (auto& meeting : others_) {
      if (meeting->arrived) visit(*meeting);
    }
  }

 private:
  warp_meeting& find_or_make(std::uint32_t mask, std::uint32_t ready);

  warp_meeting first_;
  warp_meeting* recent_ = &first_;
  std::vector<std::unique_ptr<warp_meeting>> others_;
};

}  // namespace heddle_host
