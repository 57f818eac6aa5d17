// The order in which a lane first came to places of the code, for the words about a race.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/race/code_table.hpp"

namespace heddle_checker {

// At each access: so it is one test for a place that the lane has been at before, of a word that
// lies beside what else an access needs. Places that share a bit with an earlier one, and those
// beyond the first few, are not noted; then nothing is known of their order.
class code_order {
 public:
  void note(const void* code, code_table& codes) {
    if (!contains(code)) [[unlikely]]
      add(codes.number(code), code);
  }
  // The same, with the code's number.
  void note(const void* code, unsigned number) {
    if (!contains(code)) add(number, code);
  }
  void clear() {
    seen_ = 0;
    count_ = 0;
  }
  [[nodiscard]] std::vector<const void*> in_order(const code_table& codes) const {
    std::vector<const void*> all;
    for (std::size_t i = 0; i < count_; ++i) all.push_back(codes.code(list_[i]));
    return all;
  }
  // Which of two came first; unknown unless the lane has been at both.
  [[nodiscard]] std::optional<const void*> first_of(const void* one, const void* other,
                                                    const code_table& codes) const {
    const void* first = nullptr;
    for (const void* const code : in_order(codes)) {
      if (code != one && code != other) continue;
      if (first != nullptr) return first;
      first = code;
    }
    return std::nullopt;
  }

 private:
  static std::uint64_t bit_of(const void* code) {
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    return std::uint64_t{1} << ((address ^ address >> 2) % 64);
  }
  [[nodiscard]] bool contains(const void* code) const { return (seen_ & bit_of(code)) != 0; }
  void add(unsigned number, const void* code) {
    list_[count_++] = static_cast<std::uint16_t>(number);
    seen_ |= count_ == list_.size() ? ~std::uint64_t{0} : bit_of(code);
  }

  std::uint64_t seen_ = 0;  // all bits: there is no room for more
  std::uint16_t count_ = 0;
  std::array<std::uint16_t, 11> list_;  // as the table numbers them
};

}  // namespace heddle_checker
