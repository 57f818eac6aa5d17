// Short numbers for code addresses.
#pragma once
#include <cstdint>
#include <vector>

namespace heddle_checker {

class code_table {
 public:
  // 0 means unknown code: a null pointer, or an address for which the table has no room.
  unsigned number(const void* code) {
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    const unsigned place = (address * 0x9e3779b97f4a7c15u >> 48);
    return codes_[place] == code ? place : search(code, place);
  }
  // The same if the first probe finds it; otherwise 0.
  unsigned known_number(const void* code) const {
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    const unsigned place = (address * 0x9e3779b97f4a7c15u >> 48);
    return codes_[place] == code ? place : 0;
  }
  const void* code(unsigned number) const { return codes_[number]; }

 private:
  static constexpr unsigned places = 1 << 16;
  static constexpr unsigned most = places / 8 * 7;

  unsigned search(const void* code, unsigned place) {
    for (;; place = (place + 1) % places) {
      if (place == 0) continue;
      if (codes_[place] == code) return place;
      if (codes_[place] != nullptr) continue;
      if (used_ == most) return 0;
      ++used_;
      codes_[place] = code;
      return place;
    }
  }

  std::vector<const void*> codes_ = std::vector<const void*>(places);
  unsigned used_ = 0;
};

}  // namespace heddle_checker
