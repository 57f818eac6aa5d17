// The local arrays of lanes: who owns which bytes, and which of them have been written.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <heddle_host/declaration_place.hpp>

#include "checker/memory/memory_state.hpp"
#include "checker/race/access.hpp"

namespace heddle_checker {

struct local_array {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uint64_t owner = 0;  // the lane
  const char* name = "";
  heddle_host::declaration_place declared;
  bool has_ended = true;
};

enum class local_verdict : unsigned char { fine, unwritten, outside, ended, of_another_lane };

// They lie in a separate range, each with unowned space on both sides. A place is reused for an
// array of about the same size, and the place that has been free longest goes first.
class local_arrays {
 public:
  explicit local_arrays(heddle_host::address_range range);

  // Null: the array is too large, or no room is left.
  void* begin(std::size_t bytes, std::uint64_t owner, const char* name,
              heddle_host::declaration_place where);
  void end(const void* place);
  void end_all();  // when no lane is left

  [[nodiscard]] bool contains(std::uintptr_t address) const { return range_.contains(address); }
  // The array that the byte belongs to or lies next to. Null: no array was ever there.
  [[nodiscard]] const local_array* around(std::uintptr_t address) const;
  [[nodiscard]] bool is_written(std::uintptr_t byte) const { return state_.is_written(byte, 1); }
  // Records a store. `bytes` is at most 16.
  local_verdict touch(std::uintptr_t address, unsigned bytes, direction way, std::uint64_t who);

  static constexpr std::size_t alignment = 64;

 private:
  static constexpr std::size_t room = 64;
  static constexpr unsigned log_of_granule = 8;
  static constexpr unsigned sizes = 24;  // a place is a power of two of granules
  struct place {
    local_array holds;
    unsigned size;
  };

  heddle_host::address_range range_;
  memory_state state_;
  std::size_t used_ = 0;  // bytes of the range
  std::deque<place> places_;
  std::vector<std::uint32_t> place_of_granule_;  // index in places_
  std::array<std::deque<std::uint32_t>, sizes> free_;
};

}  // namespace heddle_checker
