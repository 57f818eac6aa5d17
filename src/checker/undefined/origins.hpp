// Remembers where undefined values came from that kernels have copied.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

#include <heddle_host/finding.hpp>

namespace heddle_checker {

class origins {
 public:
  // The words at these addresses hold what the load in the finding returned.
  template <typename Words>
  void add(heddle_host::finding load, const Words& words) {
    if (words.empty() || by_word_.size() > most_words) return;
    loads_.push_back(std::move(load));
    for (const auto& word : words) by_word_[word.address] = &loads_.back();
  }
  // The host enqueues a copy on a stream.
  void move_along(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
    if (by_word_.empty()) return;
    for (std::size_t i = 0; i < bytes && by_word_.size() <= most_words; i += 8) {
      if (const heddle_host::finding* const load = find(from + i)) {
        by_word_[(to + i) & ~std::uintptr_t{7}] = load;
      }
    }
  }
  // Null: nothing was copied there. Ask only about undefined bytes.
  [[nodiscard]] const heddle_host::finding* find(std::uintptr_t address) const {
    if (by_word_.empty()) return nullptr;
    const auto known = by_word_.find(address & ~std::uintptr_t{7});
    return known == by_word_.end() ? nullptr : known->second;
  }

 private:
  static constexpr std::size_t most_words = std::size_t{1} << 20;

  std::deque<heddle_host::finding> loads_;
  std::unordered_map<std::uintptr_t, const heddle_host::finding*> by_word_;
};

}  // namespace heddle_checker
