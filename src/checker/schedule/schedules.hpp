// The schedules under which a checked program may run.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include <heddle_host/schedule.hpp>

#include "checker/race/past_stores.hpp"

namespace heddle_checker {

// A small random generator whose numbers are the same on every platform.
class random_generator {
 public:
  explicit random_generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t bits = state_;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
  }
  unsigned below(unsigned end) { return static_cast<unsigned>((next() >> 32) * end >> 32); }

 private:
  std::uint64_t state_;
};

// `name` is converged, random, pct, starve or weak; null for converged, which needs no decisions.
// Throws std::invalid_argument for any other. With `parts_active_lanes` = false, the order is the
// same, but __activemask() holds all lanes that call it together.
std::unique_ptr<heddle_host::schedule> make_schedule(const std::string& name, std::uint64_t seed,
                                                     bool parts_active_lanes = true);

// Chooses, at random, which store a load returns under `weak`. How often it is not the newest
// depends on the seed; a lane that waits for a value gets it eventually.
store_choice make_store_choice(std::uint64_t seed);

}  // namespace heddle_checker
