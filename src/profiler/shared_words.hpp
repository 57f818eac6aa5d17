// Detects whether blocks of a grid touch what other blocks have written in this run.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "request.hpp"

namespace heddle_profiler {

class shared_words {
 public:
  void clear() {
    writers_.clear();
    is_complete_ = true;
    are_shared_ = false;
  }
  // A block's request to global memory. Works on 4-byte words, so smaller neighbours count as one.
  void touch(const request& what, std::uint64_t block, bool writes) {
    if (are_shared_ || (!writes && writers_.empty())) return;
    what.for_each_lane([&](unsigned lane) {
      const std::uintptr_t last = (what.address[lane] + what.bytes - 1) / 4;
      for (std::uintptr_t word = what.address[lane] / 4; word <= last; ++word) {
        touch(word, block, writes);
      }
    });
  }
  [[nodiscard]] bool are_shared() const { return are_shared_; }
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  static constexpr std::size_t most = std::size_t{1} << 20;

  void touch(std::uintptr_t word, std::uint64_t block, bool writes) {
    const auto found = writers_.find(word);
    if (found != writers_.end()) {
      are_shared_ = are_shared_ || found->second != block;
    } else if (writes) {
      is_complete_ = is_complete_ && writers_.size() < most;
      if (is_complete_) writers_.emplace(word, block);
    }
  }

  std::unordered_map<std::uintptr_t, std::uint64_t> writers_;
  bool is_complete_ = true;
  bool are_shared_ = false;
};

}  // namespace heddle_profiler
