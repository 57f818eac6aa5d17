// A 128-bit digest, by xxHash.
#include "frontend/driver/digest.hpp"

#define XXH_INLINE_ALL  // so that there is no library to link
#include <xxhash.h>

#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>

namespace heddle::frontend {

static_assert(XXH_VERSION_NUMBER >= 800,
              "xxHash 0.8 or later is needed: XXH3 is stable from there on");

struct digest::state {
  XXH3_state_t hashed;
};

digest::digest() : state_(std::make_unique<state>()) { XXH3_128bits_reset(&state_->hashed); }
digest::~digest() = default;

digest& digest::add(std::string_view text) {
  const std::uint64_t length = text.size();
  XXH3_128bits_update(&state_->hashed, &length, sizeof(length));
  XXH3_128bits_update(&state_->hashed, text.data(), text.size());
  return *this;
}

std::string digest::hexadecimal() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hashed);
  std::array<char, 33> text;
  std::snprintf(text.data(), text.size(), "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64);
  return text.data();
}

}  // namespace heddle::frontend
