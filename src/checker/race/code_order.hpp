// The order in which a lane first reached places in the code, for race reports.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/race/code_table.hpp"

namespace heddle_checker {

// note() runs at each access. For a place that the lane has visited before, it is one test of a
// word that lies next to the lane's other data. Places that share a bit with an earlier one, and
// those beyond the first few, are not noted, so their order stays unknown.
class code_order {
 public:
  void note(const void* code, code_table& codes) {
    if (!contains(code)) [[unlikely]]
      add(codes.number(code), code);
  }
  // The same, with the code's number at hand.
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
  // Which of two came first; unknown unless the lane has visited both.
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

  std::uint64_t seen_ = 0;  // all bits set: the list is full
  std::uint16_t count_ = 0;
  std::array<std::uint16_t, 11> list_;  // numbers of the code table
};

}  // namespace heddle_checker
