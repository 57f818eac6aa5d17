// The debug information of a program file, opened through elfutils' libdw.
#pragma once
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "report/check/source_roots.hpp"

namespace heddle_report {

class debug_information {
 public:
  explicit debug_information(const std::filesystem::path& program)
      : file_(open(program.c_str(), O_RDONLY | O_CLOEXEC)),
        dwarf_(file_ < 0 ? nullptr : dwarf_begin(file_, DWARF_C_READ)) {}
  ~debug_information() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    if (file_ >= 0) close(file_);
  }
  debug_information(const debug_information&) = delete;
  debug_information& operator=(const debug_information&) = delete;

  [[nodiscard]] Dwarf* get() const { return dwarf_; }

 private:
  int file_;
  Dwarf* dwarf_;
};

inline Dwarf_Word number_in(Dwarf_Die& entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  if (dwarf_attr(&entry, name, &attribute) == nullptr) return 0;
  return dwarf_formudata(&attribute, &number) == 0 ? number : 0;
}

inline bool may_hold_code(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_lexical_block || tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
         tag == DW_TAG_class_type;
}

}  // namespace heddle_report
