// The access history of each piece of memory.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checker/race/byte_readers.hpp"
#include "checker/race/reader_set.hpp"
#include "checker/race/record.hpp"
#include "checker/race/reserved_array.hpp"

namespace heddle_checker {

// The history of a few bytes that are always accessed together.
struct cell {
  record* write;         // the newest
  record* read;          // one warp's, or a reference to a reader set
  std::uint32_t* lanes;  // the lanes of the warp that have read, if the record is of many; or the
                         // readers of the bytes; or the second of several warps; or, beside a
                         // reader set, the grid that two of its readers stand for
};

// In the arena a cell is four bytes, and its index follows from the address. A line of memory in
// which smaller pieces are accessed gets cells of two bytes or one, unless all that happens is that
// lanes of one warp read them, each its own. Lines outside the arena are looked up.
class shadow {
 public:
  static constexpr std::size_t granule = 4;
  static constexpr unsigned log_granule = 2;
  static constexpr std::size_t line_bytes = 1024;

  shadow(std::uintptr_t arena_base, std::size_t arena_bytes);

  bool is_in_arena(std::uintptr_t address) const { return address - base_ < bytes_; }
  // The cell of four aligned bytes in the arena.
  [[gnu::always_inline]] cell arena_cell(std::uintptr_t address) {
    const std::size_t at = (address - base_) / granule;
    return {&writes_[at], &reads_[at], &lanes_[at]};
  }

  // The cell of an aligned piece in the arena, if there is one of that size.
  std::optional<cell> own_cell(std::uintptr_t address, std::size_t bytes) {
    const std::uint32_t number = fine_of_arena_[(address - base_) / line_bytes];
    if (number == 0) return std::nullopt;
    fine_line& line = *lines_[number - 1];
    if (bytes != std::size_t{1} << line.log_cell || address % bytes != 0) return std::nullopt;
    return line.at(address);
  }

  // Calls visit(cell, address) for all cells of a range.
  template <typename Visit>
  void for_each_cell(std::uintptr_t address, std::size_t bytes, Visit visit) {
    while (bytes != 0) {
      const std::size_t part = std::min(bytes, line_bytes - address % line_bytes);
      const unsigned log_piece =
          std::min(static_cast<unsigned>(std::countr_zero(address | part)), log_granule);
      fine_line* const fine = fine_line_of(address, part, log_piece);
      if (fine == nullptr) {
        for (std::size_t i = 0; i < part; i += granule) {
          visit(arena_cell(address + i), address + i);
        }
      } else {
        const std::size_t cell_bytes = std::size_t{1} << fine->log_cell;
        for (std::size_t i = 0; i < part; i += cell_bytes) {
          visit(fine->at(address + i), address + i);
        }
      }
      address += part;
      bytes -= part;
    }
  }

  reader_set_pool& reader_sets() { return reader_sets_; }

  // Clears the history of these bytes.
  void forget(std::uintptr_t address, std::size_t bytes);
  void forget_all();

 private:
  struct fine_line {
    unsigned log_cell;
    std::vector<record> writes, reads;
    std::vector<std::uint32_t> lanes;

    explicit fine_line(unsigned log_cell)
        : log_cell(log_cell),
          writes(line_bytes >> log_cell),
          reads(line_bytes >> log_cell),
          lanes(line_bytes >> log_cell) {}
    cell at(std::uintptr_t address) {
      const std::size_t i = address % line_bytes >> log_cell;
      return {&writes[i], &reads[i], &lanes[i]};
    }
  };

  // The line of some bytes, with cells no larger than the piece and than the pieces read so far.
  // Null: the arena's own cells are enough.
  fine_line* fine_line_of(std::uintptr_t address, std::size_t bytes, unsigned log_piece) {
    if (is_in_arena(address) && fine_of_arena_[(address - base_) / line_bytes] == 0 &&
        log_piece == log_granule && !is_read_in_pieces(address, bytes)) {
      return nullptr;
    }
    return find_or_make_line(address, log_piece);
  }
  bool is_read_in_pieces(std::uintptr_t address, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += granule) {
      if (arena_cell(address + i).read->is_in_pieces()) return true;
    }
    return false;
  }
  fine_line* find_or_make_line(std::uintptr_t address, unsigned log_piece);
  std::uint32_t refined(const fine_line& line, unsigned log_cell);
  std::uint32_t refined_arena(std::uintptr_t line_address, unsigned log_cell);
  unsigned log_of_pieces(std::uintptr_t line_address);
  void copy(const cell& from, const cell& to);
  void copy_reader_set(const cell& from, const cell& to);
  std::uint32_t take_line(unsigned log_cell);
  void leave_line(std::uint32_t number);
  void clear_cells(fine_line& line, std::size_t first_byte, std::size_t bytes);

  std::uintptr_t base_;
  std::size_t bytes_;
  reserved_array<record> writes_;
  reserved_array<record> reads_;
  reserved_array<std::uint32_t> lanes_;
  reserved_array<std::uint32_t> fine_of_arena_;                  // numbers of lines; 0: none
  std::unordered_map<std::uintptr_t, std::uint32_t> elsewhere_;  // by the line's first address
  std::vector<std::unique_ptr<fine_line>> lines_;                // by number, from 1
  std::vector<std::uint32_t> free_numbers_;
  reader_set_pool reader_sets_;
};

}  // namespace heddle_checker
