// Reads line tables and inlined calls, through elfutils' libdw.
#include "report/check/code_lines.hpp"

#include <algorithm>

#include "report/check/debug_information.hpp"

namespace heddle_report {
// Reads the debug information of one compilation unit.
struct code_lines::unit_reader {
  code_lines& to;
  Dwarf_Die entry;
  const char* folder;
  std::map<std::string, std::size_t>& known_files;

  std::size_t number_of(const char* name) const {
    const std::string path = name == nullptr ? "" : whole_path(name, folder);
    const auto [place, is_new] = known_files.try_emplace(path, to.files_.size());
    if (is_new) {
      const bool is_known = !path.empty() && !path.starts_with("../");
      to.files_.push_back({path, is_known ? owner_of(path) : file_owner::library});
    }
    return place->second;
  }

  void read_rows() {
    Dwarf_Lines* table = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&entry, &table, &count) != 0) return;
    const char* last_name = nullptr;
    std::size_t file = number_of(nullptr);
    bool is_open = false;  // the last row extends to the address of the next one
    for (std::size_t i = 0; i < count; ++i) {
      Dwarf_Line* const row = dwarf_onesrcline(table, i);
      Dwarf_Addr address = 0;
      int line = 0;
      bool ends = false;
      if (dwarf_lineaddr(row, &address) != 0 || dwarf_lineno(row, &line) != 0) continue;
      dwarf_lineendsequence(row, &ends);
      if (is_open) to.rows_.back().end = address;
      is_open = !ends;
      if (ends) continue;
      const char* const name = dwarf_linesrc(row, nullptr, nullptr);
      if (name != last_name) file = number_of(name);
      last_name = name;
      to.rows_.push_back({address, address, file, line});
    }
  }

  void read_inlined_calls() {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrcfiles(&entry, &files, &count) == 0) add_inlined_calls(entry, files, count);
  }

  void add_inlined_calls(Dwarf_Die parent, Dwarf_Files* files, std::size_t count) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (!may_hold_code(tag)) continue;
      const Dwarf_Word file = number_in(child, DW_AT_call_file);
      const Dwarf_Word line = number_in(child, DW_AT_call_line);
      if (tag == DW_TAG_inlined_subroutine && line != 0 && file < count) {
        const std::size_t number = number_of(dwarf_filesrc(files, file, nullptr, nullptr));
        Dwarf_Addr base = 0;
        Dwarf_Addr begin = 0;
        Dwarf_Addr end = 0;
        for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&child, at, &base, &begin, &end)) > 0;) {
          to.inlined_.push_back({begin, end, number, static_cast<int>(line)});
        }
      }
      add_inlined_calls(child, files, count);
    } while (dwarf_siblingof(&child, &child) == 0);
  }
};

code_lines::code_lines(const std::filesystem::path& program, std::uint64_t first) {
  const debug_information from(program);
  if (from.get() == nullptr) return;
  std::map<std::string, std::size_t> known_files;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die entry;
  while (dwarf_get_units(from.get(), unit, &unit, nullptr, nullptr, &entry, nullptr) == 0) {
    Dwarf_Attribute attribute;
    const char* const folder = dwarf_formstring(dwarf_attr(&entry, DW_AT_comp_dir, &attribute));
    const char* const name = dwarf_diename(&entry);
    // The runtime and the checker make up most of a program.
    if (name != nullptr && owner_of(whole_path(name, folder)) == file_owner::machine) continue;
    unit_reader reader{*this, entry, folder, known_files};
    reader.read_rows();
    reader.read_inlined_calls();
  }
  std::erase_if(rows_, [=](const stretch& one) {
    return one.begin == one.end || one.line == 0 || one.begin < first;
  });
  std::erase_if(inlined_, [=](const stretch& one) { return one.begin < first; });
  const auto by_begin = [](const stretch& one, const stretch& other) {
    return one.begin < other.begin;
  };
  std::sort(rows_.begin(), rows_.end(), by_begin);
  std::sort(inlined_.begin(), inlined_.end(), by_begin);
  for (const stretch& one : inlined_) {
    longest_inlined_ = std::max(longest_inlined_, one.end - one.begin);
  }
}

std::vector<code_lines::stretch>::const_iterator code_lines::row_at(std::uint64_t address) const {
  return std::partition_point(rows_.begin(), rows_.end(),
                              [=](const stretch& one) { return one.end <= address; });
}

void code_lines::add_lines(const stretch& row, std::uint64_t address,
                           std::set<line_of_file>& lines) const {
  if (is_users(row)) lines.insert(name_of(row));
  auto call = std::partition_point(inlined_.begin(), inlined_.end(), [&](const stretch& each) {
    return each.begin + longest_inlined_ <= address;
  });
  for (; call != inlined_.end() && call->begin <= address; ++call) {
    if (address < call->end && is_users(*call)) lines.insert(name_of(*call));
  }
}

std::set<line_of_file> code_lines::lines_of(std::uint64_t begin, std::uint64_t end,
                                            bool only_new) const {
  std::set<line_of_file> lines;
  for (auto row = row_at(begin); row != rows_.end() && row->begin < end; ++row) {
    if (only_new && row->begin < begin) continue;
    add_lines(*row, std::max(begin, row->begin), lines);
  }
  return lines;
}

std::set<line_of_file> code_lines::all_lines_of(std::uint64_t begin, std::uint64_t end) const {
  std::set<line_of_file> lines;
  for (auto row = row_at(begin); row != rows_.end() && row->begin < end; ++row) {
    lines.insert(name_of(*row));
  }
  auto call = std::partition_point(inlined_.begin(), inlined_.end(), [&](const stretch& each) {
    return each.begin + longest_inlined_ <= begin;
  });
  for (; call != inlined_.end() && call->begin < end; ++call) {
    if (begin < call->end) lines.insert(name_of(*call));
  }
  return lines;
}

std::optional<line_of_file> code_lines::users_line(std::uint64_t address) const {
  const auto row = row_at(address);
  if (row == rows_.end() || row->begin > address) return std::nullopt;
  if (is_users(*row)) return name_of(*row);
  const stretch* innermost = nullptr;
  auto call = std::partition_point(inlined_.begin(), inlined_.end(), [&](const stretch& each) {
    return each.begin + longest_inlined_ <= address;
  });
  for (; call != inlined_.end() && call->begin <= address; ++call) {
    if (address >= call->end || !is_users(*call)) continue;
    const bool is_inside =
        innermost == nullptr || call->end - call->begin <= innermost->end - innermost->begin;
    if (is_inside) innermost = &*call;
  }
  return innermost == nullptr ? std::nullopt : std::optional(name_of(*innermost));
}

std::optional<line_of_file> code_lines::own_line(std::uint64_t address) const {
  const auto row = row_at(address);
  const bool is_known =
      row != rows_.end() && row->begin <= address && files_[row->file].owner != file_owner::machine;
  return is_known ? std::optional(name_of(*row)) : std::nullopt;
}

bool code_lines::is_of_user(std::uint64_t address) const {
  const auto row = row_at(address);
  return row != rows_.end() && row->begin <= address && is_users(*row);
}

std::set<line_of_file> code_lines::with_code() const {
  std::set<line_of_file> lines;
  for (const stretch& row : rows_) {
    if (is_users(row)) lines.insert(name_of(row));
  }
  return lines;
}

}  // namespace heddle_report
