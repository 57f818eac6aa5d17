// Records which words of memory a grid has written since recording began.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "checker/memory/plain_word.hpp"

namespace heddle_checker {

class written_words {
 public:
  static constexpr std::uintptr_t page_bytes = 4096;
  static constexpr std::size_t words_per_page = page_bytes / 8;

  // One bit for each word, and the values of the words at some moment.
  struct page {
    std::array<std::uint64_t, words_per_page / 64> bits{};
    std::array<std::uint64_t, words_per_page> words{};

    [[nodiscard]] bool has(std::size_t word) const { return bits[word / 64] >> word % 64 & 1; }
  };
  using pages = std::unordered_map<std::uintptr_t, page>;  // by address

  // Called before the bytes are written: `words` keeps what each word held before its first write.
  void note(std::uintptr_t address, std::size_t bytes) {
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t word = address & ~std::uintptr_t{7}; word < end; word += 8) {
      page& in = page_of(word);
      const std::size_t index = word % page_bytes / 8;
      if (in.has(index)) continue;
      in.bits[index / 64] |= std::uint64_t{1} << index % 64;
      in.words[index] = load_word(word, 8);
    }
  }
  void clear() {
    pages_.clear();
    last_ = nullptr;
  }

  [[nodiscard]] const pages& all() const { return pages_; }

 private:
  page& page_of(std::uintptr_t word) {
    const std::uintptr_t begin = word & ~(page_bytes - 1);
    if (last_ == nullptr || begin != last_begin_) {
      last_ = &pages_[begin];  // stays valid: node-based maps do not move elements
      last_begin_ = begin;
    }
    return *last_;
  }

  pages pages_;
  page* last_ = nullptr;
  std::uintptr_t last_begin_ = 0;
};

// Calls visit(address, word) for each written word, with the value that the page holds.
template <typename Visit>
void for_each_word(const written_words::pages& pages, Visit visit) {
  for (const auto& [begin, page] : pages) {
    for (std::size_t word = 0; word < written_words::words_per_page; ++word) {
      if (page.has(word)) visit(begin + word * 8, page.words[word]);
    }
  }
}

}  // namespace heddle_checker
