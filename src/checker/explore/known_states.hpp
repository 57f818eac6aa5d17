// States that are explored to the end, and the races that lie behind each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle_checker {

// One side of a race, a step of the past, and the lane that should have come before it.
struct race_behind {
  std::uint32_t number : 19;  // of the step among those of its lane
  std::uint32_t of_lane : 6;
  std::uint32_t lane : 6;
  std::uint32_t is_at_begin : 1;  // only where the turn began that the step is the last of, so far
};

// The keys lie in memory that this process shares with those that it forks, so that they can look
// and a fork does not copy them. Each of them pays for every page that it looks at: most questions
// are answered by a few pages of bits, one for each state, which some share. When the room is used
// up nothing is added: whatever is not known is explored once more.
class known_states {
 public:
  known_states();
  ~known_states();
  known_states(const known_states&) = delete;
  known_states& operator=(const known_states&) = delete;

  // Whether all that can follow is explored, if so many preemptions were made before.
  [[nodiscard]] bool has(std::uint64_t state, unsigned preemptions) const;
  [[nodiscard]] std::span<const race_behind> races_behind(std::uint64_t state) const;
  void add(std::uint64_t state, unsigned preemptions, std::span<const race_behind> races);

 private:
  struct entry {
    std::uint64_t state;  // 0: there is none
    std::uint32_t begin;  // of its races
    std::uint16_t races;
    std::uint16_t preemptions;
  };
  static constexpr std::size_t places = std::size_t{1} << 23;
  static constexpr std::size_t most_entries = places / 4 * 3;
  static constexpr std::size_t most_races = std::size_t{1} << 29;

  static constexpr std::size_t bits = std::size_t{1} << 23;

  [[nodiscard]] entry& place_of(std::uint64_t state) const;
  // The word and the bit of a state that is perhaps known.
  [[nodiscard]] std::uint64_t& word_of(std::uint64_t state) const {
    return perhaps_[state / 64 % (bits / 64)];
  }
  [[nodiscard]] static std::uint64_t bit_of(std::uint64_t state) {
    return std::uint64_t{1} << state % 64;
  }

  std::uint64_t* perhaps_;
  entry* entries_;
  race_behind* races_;
  std::size_t entry_count_ = 0;
  std::size_t race_count_ = 0;
};

}  // namespace heddle_checker
