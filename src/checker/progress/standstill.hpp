// Detects lanes that keep polling memory while nothing else happens.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle_checker {

class standstill {
 public:
  // What a lane has polled since something last happened.
  struct lane {
    std::uint64_t since = 0;
    std::uint32_t looks = 0;
    std::uint32_t places = 0;  // distinct addresses, counted up to one more than are kept
    bool only_atomically = true;
    bool has_looked = false;     // since it last let others run
    const void* code = nullptr;  // of the last poll
    std::array<std::uintptr_t, 4> addresses{};
    [[nodiscard]] bool walks() const { return places > addresses.size(); }
  };

  // Memory changes, or lanes begin or exit.
  void something_happens() { ++happened_; }
  void lanes_meet() {
    ++happened_;
    ++meetings_;
  }
  void something_happens_unless(bool nothing) { happened_ += nothing ? 0 : 1; }
  [[nodiscard]] std::uint64_t happened() const { return happened_; }

  // Whether lanes have polled and nothing else has happened since the last call. Lanes may have
  // met, because a warp waits together.
  [[nodiscard]] bool has_seen_looks_alone() {
    const std::uint64_t changes = happened_ - meetings_;
    const bool is_so = changes == changes_when_asked_ && looks_ != looks_when_asked_;
    changes_when_asked_ = changes;
    looks_when_asked_ = looks_;
    return is_so;
  }

  // The lane has polled and found nothing new, or has only let others run.
  void look(lane& who, std::uintptr_t address, bool is_atomic, const void* code);
  void rest(lane& who);

  // The number of polls that is suspicious. A loop with its own retry limit must end first, so the
  // fewer lanes there are, the longer they may poll.
  [[nodiscard]] static std::uint32_t suspicious_looks(std::size_t lanes);
  // If lanes are known to be in the same state as before, a few polls are enough.
  void be_quick(bool is_known) { is_quick_ = is_known; }
  // Time to check whether no lane makes progress.
  [[nodiscard]] bool is_suspicious(const lane& who, std::size_t lanes) const {
    return who.since == happened_ && who.looks % limit(lanes) == 0;
  }
  [[nodiscard]] bool has_looked(const lane& who) const {
    return who.since == happened_ && who.places != 0;
  }
  // The lane only polls a few addresses, with atomic operations.
  [[nodiscard]] bool only_waits(const lane& who) const {
    return has_looked(who) && who.only_atomically && !who.walks();
  }
  // Uses a lower limit, because other lanes may be slower.
  [[nodiscard]] bool stands_still(const lane& who, std::size_t lanes) const {
    return who.since == happened_ && who.looks >= limit(lanes) / 8;
  }

 private:
  [[nodiscard]] std::uint32_t limit(std::size_t lanes) const {
    constexpr std::uint32_t few = 32;
    return is_quick_ ? few : suspicious_looks(lanes);
  }
  void renew(lane& who) const {
    if (who.since == happened_) return;
    who = {};
    who.since = happened_;
  }
  std::uint64_t happened_ = 1;
  std::uint64_t meetings_ = 0;
  std::uint64_t changes_when_asked_ = 0;
  std::uint64_t looks_ = 0, looks_when_asked_ = 0;  // by all lanes
  bool is_quick_ = false;
};

}  // namespace heddle_checker
