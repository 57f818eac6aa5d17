// The seed of a randomised test.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace heddle_test {

// HEDDLE_SEED, which replays a failure and which `./heddle test` sets; new in every run without it.
inline std::uint64_t seed() {
  static const std::uint64_t chosen = [] {
    const char* const given = std::getenv("HEDDLE_SEED");
    return given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  }();
  return chosen;
}

// For SCOPED_TRACE, or after a failed comparison.
inline std::string seed_text() { return "replay with HEDDLE_SEED=" + std::to_string(seed()); }

}  // namespace heddle_test
