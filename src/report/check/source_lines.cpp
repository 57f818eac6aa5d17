// Looks up source lines in the running program's debug information, using elfutils' libdw.
#include "report/check/source_lines.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "report/check/source_roots.hpp"
#include "report/kernel_name.hpp"

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

Dwarf_Word number_in(Dwarf_Die& entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  if (dwarf_attr(&entry, name, &attribute) == nullptr) return 0;
  return dwarf_formudata(&attribute, &number) == 0 ? number : 0;
}

const char* folder_of(Dwarf_Die& unit) {
  Dwarf_Attribute attribute;
  return dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
}

// The call site that the inlined body replaces.
std::optional<source_line> call_site(Dwarf_Die& unit, Dwarf_Die& inlined) {
  const Dwarf_Word file = number_in(inlined, DW_AT_call_file);
  const Dwarf_Word line = number_in(inlined, DW_AT_call_line);
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (line == 0 || dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count) {
    return std::nullopt;
  }
  const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
  if (name == nullptr) return std::nullopt;
  return source_line{whole_path(name, folder_of(unit)), static_cast<int>(line),
                     static_cast<int>(number_in(inlined, DW_AT_call_column))};
}

// `heddle::block::reduce`: without its return type, its template arguments and its parameters.
std::string function_name(Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  const char* linkage =
      dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute));
  if (linkage != nullptr) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> whole(
        abi::__cxa_demangle(linkage, nullptr, nullptr, &status), &std::free);
    if (whole != nullptr) {
      const std::string name = kernel_name(whole.get());
      return name.substr(0, name.find('<'));
    }
  }
  const char* name = dwarf_diename(&function);
  const std::string text = name == nullptr ? "" : name;
  return text.substr(0, text.find('<'));
}

// The line of the instruction, and the call sites of the inlined functions around it.
std::vector<source_line> lines_of(Dwfl& process, Dwarf_Addr address) {
  Dwfl_Module* module = dwfl_addrmodule(&process, address);
  if (module == nullptr) return {};
  Dwfl_Line* row = dwfl_module_getsrc(module, address);
  if (row == nullptr) return {};
  int number = 0;
  int column = 0;
  const char* file = dwfl_lineinfo(row, nullptr, &number, &column, nullptr, nullptr);
  if (file == nullptr) return {};
  std::vector<source_line> lines{{whole_path(file, dwfl_line_comp_dir(row)), number, column}};

  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) return lines;
  // Walks the enclosing entries from the innermost scope outwards, which follows the calls.
  // dwarf_getscopes alone would continue with the scopes of the inlined function's definition.
  Dwarf_Die* innermost = nullptr;
  if (dwarf_getscopes(unit, address - bias, &innermost) <= 0) return lines;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&innermost[0], &scopes);
  std::free(innermost);
  for (int i = 0; i < count; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    lines.back().function = function_name(scopes[i]);
    if (tag == DW_TAG_subprogram) break;
    if (auto outer = call_site(*unit, scopes[i])) lines.push_back(std::move(*outer));
  }
  std::free(scopes);
  return lines;
}

// Adds the text of the line and makes the column relative to it.
void add_text(source_line& where) {
  std::ifstream file(where.file);
  std::string text;
  for (int line = 0; line < where.line; ++line) {
    if (!std::getline(file, text)) return;
  }
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return;
  where.text = text.substr(first);
  where.column = std::max(0, where.column - static_cast<int>(first));
}

}  // namespace

source_line with_text(source_line where) {
  std::error_code failure;
  const auto whole = std::filesystem::absolute(where.file, failure);
  if (!failure) where.file = whole.lexically_normal().string();
  add_text(where);
  return where;
}

bool is_of_program(const source_line& line) {
  // A path relative to a missing folder belongs to the C library's startup code.
  return !line.file.starts_with("../") && owner_of(line.file) != file_owner::machine;
}

bool is_of_user(const source_line& line) {
  return is_of_program(line) && owner_of(line.file) == file_owner::user;
}

call_chain find_call_chain(const void* code, bool is_return_address) {
  // Never closed: a checked program still needs it while it exits.
  static const session& process = *new session(open_this_process());
  if (!process) return {};
  const auto address = reinterpret_cast<Dwarf_Addr>(code) - (is_return_address ? 1 : 0);
  call_chain chain = lines_of(*process, address);
  const auto first = std::find_if(chain.begin(), chain.end(), [](const source_line& line) {
    return owner_of(line.file) != file_owner::machine;
  });
  if (first != chain.end()) {
    chain.erase(chain.begin(), first);
    const auto user = std::find_if(chain.begin(), chain.end(), is_of_user);
    if (user != chain.end()) chain.erase(user + 1, chain.end());
  } else if (!chain.empty()) {
    chain.erase(chain.begin(), chain.end() - 1);
  }
  for (source_line& line : chain) add_text(line);
  return chain;
}

std::optional<source_line> find_source_line(const void* code, bool is_return_address) {
  const call_chain chain = find_call_chain(code, is_return_address);
  if (chain.empty()) return std::nullopt;
  return chain.front();
}

}  // namespace heddle_report
