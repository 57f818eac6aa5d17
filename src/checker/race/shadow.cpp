// Lines with cells smaller than a word, and forgetting.
#include "checker/race/shadow.hpp"

namespace heddle_checker {

shadow::shadow(std::uintptr_t arena_base, std::size_t arena_bytes)
    : base_(arena_base),
      bytes_(arena_bytes),
      writes_((arena_bytes + line_bytes) / granule),
      reads_((arena_bytes + line_bytes) / granule),
      lanes_((arena_bytes + line_bytes) / granule),
      fine_of_arena_(arena_bytes / line_bytes + 1) {}

std::uint32_t shadow::take_line(unsigned log_cell) {
  std::uint32_t number = static_cast<std::uint32_t>(lines_.size() + 1);
  if (free_numbers_.empty()) {
    lines_.emplace_back();
  } else {
    number = free_numbers_.back();
    free_numbers_.pop_back();
  }
  lines_[number - 1] = std::make_unique<fine_line>(log_cell);
  return number;
}

void shadow::leave_line(std::uint32_t number) {
  fine_line& line = *lines_[number - 1];
  clear_cells(line, 0, line_bytes);
  lines_[number - 1].reset();
  free_numbers_.push_back(number);
}

// The line's records are about to be freed, so its reader sets cannot wait for a sweep.
void shadow::clear_cells(fine_line& line, std::size_t first_byte, std::size_t bytes) {
  const std::size_t first = first_byte >> line.log_cell;
  const std::size_t end =
      std::min(line.reads.size(), ((first_byte + bytes - 1) >> line.log_cell) + 1);
  for (std::size_t i = first; i < end; ++i) {
    if (line.reads[i].is_elsewhere()) reader_sets_.leave(line.reads[i].index());
    line.reads[i] = line.writes[i] = {};
  }
}

inline void shadow::copy(const cell& from, const cell& to) {
  *to.write = *from.write;
  *to.read = *from.read;
  *to.lanes = *from.lanes;
  if (from.read->is_elsewhere()) copy_reader_set(from, to);
}

void shadow::copy_reader_set(const cell& from, const cell& to) {
  const std::uint32_t fresh = reader_sets_.take(to.read);
  reader_sets_[fresh] = reader_sets_[from.read->index()];
  reader_sets_[fresh].owner = to.read;
  *to.read = record::elsewhere(fresh);
}

std::uint32_t shadow::refined(const fine_line& line, unsigned log_cell) {
  const std::uint32_t number = take_line(log_cell);
  fine_line& fine = *lines_[number - 1];
  for (std::size_t i = 0; i < fine.reads.size(); ++i) {
    cell from = const_cast<fine_line&>(line).at(i << log_cell);
    copy(from, fine.at(i << log_cell));
  }
  return number;
}

// The largest cells that keep bytes apart that were read in pieces.
unsigned shadow::log_of_pieces(std::uintptr_t line_address) {
  unsigned log_cell = log_granule;
  for (std::size_t i = 0; i < line_bytes; i += granule) {
    const cell word = arena_cell(line_address + i);
    if (!word.read->is_in_pieces()) continue;
    if (!are_readers_of_pairs(*word.lanes)) return 0;
    log_cell = 1;
  }
  return log_cell;
}

std::uint32_t shadow::refined_arena(std::uintptr_t line_address, unsigned log_cell) {
  log_cell = std::min(log_cell, log_of_pieces(line_address));
  const std::uint32_t number = take_line(log_cell);
  fine_line& fine = *lines_[number - 1];
  for (std::size_t i = 0; i < line_bytes; i += std::size_t{1} << log_cell) {
    const cell from = arena_cell(line_address + i / granule * granule), to = fine.at(i);
    if (!from.read->is_in_pieces()) {
      copy(from, to);
      continue;
    }
    *to.write = *from.write;
    const unsigned reader = reader_of_byte(*from.lanes, i % granule);
    if (reader != 0) *to.read = from.read->of_one_lane(reader - 1);
  }
  // From now on, accesses to whole words must not use the arena's cells.
  for (std::size_t i = 0; i < line_bytes; i += granule) {
    const cell old = arena_cell(line_address + i);
    if (old.read->is_elsewhere()) reader_sets_.leave(old.read->index());
    *old.write = *old.read = record::elsewhere(~0u);
  }
  return number;
}

shadow::fine_line* shadow::find_or_make_line(std::uintptr_t address, unsigned log_piece) {
  const std::uintptr_t start = address / line_bytes * line_bytes;
  std::uint32_t* number = nullptr;
  if (is_in_arena(address)) {
    number = &fine_of_arena_[(address - base_) / line_bytes];
    if (*number == 0) *number = refined_arena(start, log_piece);
  } else {
    number = &elsewhere_[start];
    if (*number == 0) *number = take_line(log_piece);
  }
  if (lines_[*number - 1]->log_cell > log_piece) {
    const std::uint32_t coarse = *number;
    *number = refined(*lines_[coarse - 1], log_piece);
    leave_line(coarse);
  }
  return lines_[*number - 1].get();
}

void shadow::forget(std::uintptr_t address, std::size_t bytes) {
  if (bytes == 0) return;
  if (is_in_arena(address)) {
    const std::size_t first = (address - base_) / line_bytes;
    const std::size_t last = (address - base_ + bytes - 1) / line_bytes;
    for (std::size_t line = first; line <= last; ++line) {
      std::uint32_t& number = fine_of_arena_[line];
      if (number == 0) continue;
      const std::uintptr_t start = base_ + line * line_bytes;
      if (address <= start && start + line_bytes <= address + bytes) {
        leave_line(number);
        number = 0;
      } else {
        const std::uintptr_t begin = std::max(address, start);
        clear_cells(*lines_[number - 1], begin - start,
                    std::min(address + bytes, start + line_bytes) - begin);
      }
    }
    const std::size_t first_cell = (address - base_) / granule;
    const std::size_t cells = (address - base_ + bytes - 1) / granule - first_cell + 1;
    writes_.clear(first_cell, cells);
    reads_.clear(first_cell, cells);
    // Lines that still have small cells go on hiding the arena's.
    for (const std::size_t line : {first, last}) {
      if (fine_of_arena_[line] == 0) continue;
      for (std::size_t i = 0; i < line_bytes; i += granule) {
        const cell hidden = arena_cell(base_ + line * line_bytes + i);
        *hidden.write = *hidden.read = record::elsewhere(~0u);
      }
    }
    return;
  }
  for (std::uintptr_t at = address; at < address + bytes;) {
    const std::size_t part = std::min(address + bytes - at, line_bytes - at % line_bytes);
    const auto found = elsewhere_.find(at / line_bytes * line_bytes);
    if (found != elsewhere_.end()) {
      clear_cells(*lines_[found->second - 1], at % line_bytes, part);
    }
    at += part;
  }
}

void shadow::forget_all() {
  writes_.clear();
  reads_.clear();
  fine_of_arena_.clear();
  elsewhere_.clear();
  lines_.clear();
  free_numbers_.clear();
  reader_sets_.clear();
}

}  // namespace heddle_checker
