// What locations held before their newest volatile or atomic store.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "checker/memory/plain_word.hpp"

namespace heddle_checker {

// Kept only in grids with volatile accesses, from the first one on.
class replaced_values {
 public:
  [[nodiscard]] bool follows() const { return follows_; }
  void begin_grid() {
    follows_ = false;
    values_.clear();
  }
  // Called just before the store.
  void note_store(std::uintptr_t address, unsigned bytes) {
    follows_ = true;
    values_[address] = {bytes, load_word(address, bytes)};
  }
  [[nodiscard]] std::optional<std::uint64_t> find(std::uintptr_t address, unsigned bytes) const {
    const auto found = values_.find(address);
    if (found == values_.end() || found->second.bytes != bytes) return std::nullopt;
    return found->second.bits;
  }

 private:
  struct value {
    unsigned bytes;
    std::uint64_t bits;
  };
  bool follows_ = false;
  std::unordered_map<std::uintptr_t, value> values_;
};

}  // namespace heddle_checker
