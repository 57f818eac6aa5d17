// Keeps states after which everything is explored, and the races that follow each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle_checker {

// One side of a race, which is a step before the state, and the lane that should run before it.
struct race_behind {
  std::uint32_t number : 19;  // among the steps of its lane
  std::uint32_t of_lane : 6;
  std::uint32_t lane : 6;
  std::uint32_t is_at_begin : 1;  // only at the start of the turn that so far ends with the step
};

// The keys lie in memory shared with forked processes, so that these can look them up and a fork
// does not copy them. A process pays for every page that it reads. So a few pages of bits answer
// most lookups: one bit for each state, though several states may share one. When the space is used
// up, nothing is added, and unknown states are explored again.
class known_states {
 public:
  known_states();
  ~known_states();
  known_states(const known_states&) = delete;
  known_states& operator=(const known_states&) = delete;

  // Whether everything that can follow is explored, given this many preemptions so far.
  [[nodiscard]] bool has(std::uint64_t state, unsigned preemptions) const;
  [[nodiscard]] std::span<const race_behind> races_behind(std::uint64_t state) const;
  void add(std::uint64_t state, unsigned preemptions, std::span<const race_behind> races);

 private:
  struct entry {
    std::uint64_t state;  // 0: none
    std::uint32_t begin;  // of its races
    std::uint16_t races;
    std::uint16_t preemptions;
  };
  static constexpr std::size_t places = std::size_t{1} << 23;
  static constexpr std::size_t most_entries = places / 4 * 3;
  static constexpr std::size_t most_races = std::size_t{1} << 29;

  static constexpr std::size_t bits = std::size_t{1} << 23;

  [[nodiscard]] entry& place_of(std::uint64_t state) const;
  // The word and bit that say whether a state may be known.
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
