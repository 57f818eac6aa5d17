// Asks the debug information of the running program, through elfutils' libdw.
#include "report/source_lines.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

namespace heddle_report {
namespace {

struct session_end {
  void operator()(Dwfl* session) const { dwfl_end(session); }
};
using session = std::unique_ptr<Dwfl, session_end>;

session open_this_process() {
  static char* no_separate_files = nullptr;
  static const Dwfl_Callbacks callbacks{dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo,
                                        nullptr, &no_separate_files};
  session opened(dwfl_begin(&callbacks));
  if (!opened) return nullptr;
  dwfl_report_begin(opened.get());
  if (dwfl_linux_proc_report(opened.get(), getpid()) != 0) return nullptr;
  dwfl_report_end(opened.get(), nullptr, nullptr);
  return opened;
}

bool is_stand_in(std::string_view file) {
  return file.find("/cuda_on_host/") != file.npos || file.find("/heddle_host/") != file.npos;
}

// Where the call stands that was replaced by the inlined body.
std::optional<source_line> call_site(Dwarf_Die& unit, Dwarf_Die& inlined) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  if (dwarf_attr(&inlined, DW_AT_call_file, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &file) != 0 ||
      dwarf_attr(&inlined, DW_AT_call_line, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &line) != 0) {
    return std::nullopt;
  }
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count) return std::nullopt;
  const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
  if (name == nullptr) return std::nullopt;
  return source_line{name, static_cast<int>(line), {}};
}

std::optional<source_line> line_of(Dwfl& process, Dwarf_Addr address) {
  Dwfl_Module* module = dwfl_addrmodule(&process, address);
  if (module == nullptr) return std::nullopt;
  Dwfl_Line* row = dwfl_module_getsrc(module, address);
  if (row == nullptr) return std::nullopt;
  int number = 0;
  const char* file = dwfl_lineinfo(row, nullptr, &number, nullptr, nullptr, nullptr);
  if (file == nullptr) return std::nullopt;
  source_line found{file, number, {}};

  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) return found;
  // From the innermost scope outwards as the entries contain each other: that is the way of the
  // calls, where the scopes of an address would go on with those of the inlined function's text.
  Dwarf_Die* innermost = nullptr;
  if (dwarf_getscopes(unit, address - bias, &innermost) <= 0) return found;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&innermost[0], &scopes);
  std::free(innermost);
  for (int i = 0; i < count && is_stand_in(found.file); ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
    if (const auto outer = call_site(*unit, scopes[i])) found = *outer;
  }
  std::free(scopes);
  return found;
}

std::string text_of(const source_line& where) {
  std::ifstream file(where.file);
  std::string text;
  for (int line = 0; line < where.line; ++line) {
    if (!std::getline(file, text)) return {};
  }
  const auto first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string() : text.substr(first);
}

}  // namespace

source_line with_text(source_line where) {
  std::error_code failure;
  const auto whole = std::filesystem::absolute(where.file, failure);
  if (!failure) where.file = whole.lexically_normal().string();
  where.text = text_of(where);
  return where;
}

bool is_of_user(const source_line& line) {
  const std::string_view file = line.file;
  return !is_stand_in(file) && !file.starts_with(HEDDLE_OWN_SOURCES) &&
         !file.starts_with("/usr/") && !file.starts_with("../");
}

std::optional<source_line> find_source_line(const void* code, bool is_return_address) {
  // Never closed: a checked program is asked once more while it ends.
  static const session& process = *new session(open_this_process());
  if (!process) return std::nullopt;
  const auto address = reinterpret_cast<Dwarf_Addr>(code) - (is_return_address ? 1 : 0);
  auto found = line_of(*process, address);
  if (found) found->text = text_of(*found);
  return found;
}

}  // namespace heddle_report
