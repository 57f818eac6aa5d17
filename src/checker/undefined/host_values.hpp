// Tracks undefined bytes that were copied to host memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <heddle_host/finding.hpp>

#include "checker/memory/plain_word.hpp"

namespace heddle_checker {

// Not all code that writes host memory is instrumented, so a byte counts as undefined only while it
// holds what was copied.
class host_values {
 public:
  using copy = std::shared_ptr<const heddle_host::finding>;

  [[nodiscard]] bool may_hold(std::uintptr_t address) const {
    return address - lowest_ < highest_ - lowest_;
  }
  void add(std::uintptr_t address, std::uint8_t value, copy by) {
    if (bytes_.size() == most_bytes) return;
    lowest_ = bytes_.empty() ? address : std::min(lowest_, address);
    highest_ = bytes_.empty() ? address + 1 : std::max(highest_, address + 1);
    bytes_[address] = {value, std::move(by)};
  }
  // The host copies memory itself.
  void move_along(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
    for (auto at = bytes_.lower_bound(from); at != bytes_.end() && at->first - from < bytes; ++at) {
      if (is_there(*at)) add(to + (at->first - from), at->second.value, at->second.by);
    }
  }
  // If all bytes of the value are undefined, returns the copy that brought them. They count only
  // once.
  std::optional<heddle_host::finding> take(std::uintptr_t address, unsigned bytes) {
    const auto first = bytes_.find(address);
    auto at = first;
    for (unsigned i = 0; i < bytes; ++i, ++at) {
      if (at == bytes_.end() || at->first != address + i || !is_there(*at)) return std::nullopt;
    }
    heddle_host::finding taken = *first->second.by;
    bytes_.erase(first, at);
    return taken;
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 18;
  struct byte {
    std::uint8_t value = 0;
    copy by;
  };
  static bool is_there(const std::pair<const std::uintptr_t, byte>& one) {
    return load_word(one.first, 1) == one.second.value;
  }

  std::map<std::uintptr_t, byte> bytes_;
  std::uintptr_t lowest_ = 0;
  std::uintptr_t highest_ = 0;
};

}  // namespace heddle_checker
