// The order in which a lane first came to places of the code, for the words about a race.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace heddle_checker {

// At each access: so it is one test for a place that the lane has been at before, of a word that
// lies beside what else an access needs. Places that share a bit with an earlier one, and those
// beyond the first few, are not noted; then nothing is known of their order.
class code_order {
 public:
  void note(const void* code) {
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    const std::uint64_t bit = std::uint64_t{1} << ((address ^ address >> 2) % 64);
    if ((seen_ & bit) != 0) [[likely]]
      return;
    add(code, bit);
  }
  void begin_anew() { seen_ = 0; }
  [[nodiscard]] std::vector<const void*> in_order() const {
    return list_ == nullptr ? std::vector<const void*>()
                            : std::vector<const void*>(list_->begin(), list_->begin() + count());
  }
  // Which of two came first; unknown unless the lane has been at both.
  [[nodiscard]] std::optional<const void*> first_of(const void* one, const void* other) const {
    const void* first = nullptr;
    for (const void* const code : in_order()) {
      if (code != one && code != other) continue;
      if (first != nullptr) return first;
      first = code;
    }
    return std::nullopt;
  }

 private:
  using list = std::array<const void*, 12>;

  // Each place has set one bit.
  [[nodiscard]] std::ptrdiff_t count() const {
    return std::min<std::ptrdiff_t>(std::popcount(seen_), std::tuple_size_v<list>);
  }
  [[gnu::noinline]] void add(const void* code, std::uint64_t bit) {
    if (list_ == nullptr) list_ = std::make_unique<list>();
    const auto at = static_cast<std::size_t>(std::popcount(seen_));
    if (at < list_->size()) (*list_)[at] = code;
    seen_ |= bit;
  }

  std::uint64_t seen_ = 0;
  std::unique_ptr<list> list_;
};

}  // namespace heddle_checker
