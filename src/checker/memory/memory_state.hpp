// Which bytes of the arena exist, and which of them have been written.
#pragma once
#include <cstddef>
#include <cstdint>

#include <heddle_host/arena.hpp>

namespace heddle_checker {

// Two bits for each byte. The bits of eight bytes lie together, so that one comparison decides most
// accesses. Address space for the bits is reserved at once; its memory grows with what is touched.
// Pages of a large allocation have no bits until they are first touched; they are marked as fresh.
class memory_state {
 public:
  explicit memory_state(heddle_host::address_range arena);
  ~memory_state();
  memory_state(const memory_state&) = delete;
  memory_state& operator=(const memory_state&) = delete;

  void begin(std::uintptr_t address, std::size_t bytes);  // exists, and was never written
  void end(std::uintptr_t address, std::size_t bytes);    // no longer exists
  void write(std::uintptr_t address, std::size_t bytes);  // affects only bytes that exist
  void forget_write(std::uintptr_t address, std::size_t bytes);
  // The bytes take over the state of those that are copied to them.
  void copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);

  // Whether all of the bytes exist and have been written. `bytes` is at most 16.
  [[nodiscard]] bool is_readable(std::uintptr_t address, unsigned bytes) const {
    const unsigned first = address & 7;
    if (__builtin_expect(first + bytes <= 8, 1)) {
      const unsigned wanted = ((1u << bytes) - 1) << first;
      const unsigned both = wanted | wanted << 8;
      return (cell(address) & both) == both;
    }
    return is_readable_in_parts(address, bytes);
  }
  // The same, decided in one step; false where that would take longer.
  [[nodiscard]] bool is_readable_at_once(std::uintptr_t address, unsigned bytes) const {
    const unsigned first = address & 7;
    if (bytes <= 8) return first + bytes <= 8 && is_readable(address, bytes);
    constexpr std::uint16_t all = 0xffff;
    return bytes == 16 && first == 0 && (cell(address) & cell(address + 8)) == all;
  }
  [[nodiscard]] bool exists(std::uintptr_t address, std::size_t bytes) const;
  [[nodiscard]] bool is_written(std::uintptr_t address, std::size_t bytes) const;

  // Records a store. False: some of the bytes do not exist.
  [[nodiscard]] bool try_write(std::uintptr_t address, unsigned bytes) {
    const unsigned first = address & 7;
    if (__builtin_expect(first + bytes <= 8, 1)) {
      const unsigned wanted = ((1u << bytes) - 1) << first;
      std::uint16_t& state = cell(address);
      if (__builtin_expect((state & wanted) != wanted, 0)) return try_write_slowly(address, bytes);
      if ((state >> 8 & wanted) != wanted) state = static_cast<std::uint16_t>(state | wanted << 8);
      return true;
    }
    return try_write_slowly(address, bytes);
  }

 private:
  // Low byte: the bytes that exist; high byte: those that have been written.
  [[nodiscard]] std::uint16_t& cell(std::uintptr_t address) const {
    return cells_[(address - arena_.begin) >> 3];
  }
  [[nodiscard]] bool try_write_slowly(std::uintptr_t address, std::size_t bytes);
  // Calls visit(page number, first byte, bytes) for the part of the range in each page.
  template <typename Visit>
  void for_each_page(std::uintptr_t address, std::size_t bytes, Visit visit) const;
  void settle(std::uintptr_t address, std::size_t bytes) const;  // gives fresh pages their bits
  [[nodiscard]] bool is_readable_in_parts(std::uintptr_t address, std::size_t bytes) const;
  template <typename Change>
  void change(std::uintptr_t address, std::size_t bytes, Change how);
  template <typename Test>
  [[nodiscard]] bool all(std::uintptr_t address, std::size_t bytes, Test holds) const;

  heddle_host::address_range arena_;
  std::uint16_t* cells_;
  bool* is_fresh_;  // by page
};

}  // namespace heddle_checker
