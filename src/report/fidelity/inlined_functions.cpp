// Walks over the functions in the debug information, and over what is inlined into them.
#include "report/fidelity/inlined_functions.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "report/check/debug_information.hpp"
#include "report/kernel_name.hpp"

namespace heddle_report {
namespace {

// `cooperative_groups::reduce`, without template arguments and parameters.
std::string name_of(Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  const char* const linkage =
      dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute));
  std::string name;
  if (linkage != nullptr) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> whole(
        abi::__cxa_demangle(linkage, nullptr, nullptr, &status), &std::free);
    if (whole != nullptr) name = kernel_name(whole.get());
  }
  if (name.empty()) {
    const char* const plain = dwarf_diename(&function);
    name = plain == nullptr ? "" : plain;
  }
  return name.substr(0, name.find('<'));
}

// Whether a stand-in header declares CUDA's interface; the other ones implement it.
bool is_of_interface(const std::string& file) {
  return file.find("/cuda_on_host/") != file.npos && file.find("/detail/ptx_") == file.npos;
}

class reader {
 public:
  reader(inlined_functions& to, std::uint64_t first) : to_(to), first_(first) {}

  void read(Dwarf_Die unit) {
    Dwarf_Attribute attribute;
    folder_ = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
    const char* const name = dwarf_diename(&unit);
    // The runtime and the checker make up most of a program.
    if (name != nullptr && owner_of(whole_path(name, folder_)) == file_owner::machine) return;
    if (dwarf_getsrcfiles(&unit, &files_, &count_) != 0) return;
    paths_.clear();
    functions_.clear();
    walk(unit, {file_owner::user, {}});
  }

 private:
  struct around {
    file_owner owner;
    line_of_file place;
  };
  struct source_path {
    std::string path;
    file_owner owner;
  };
  struct function_facts {
    std::string name;
    source_path file;
  };

  const source_path& path_of(const char* name) {
    const auto [place, is_new] = paths_.try_emplace(name);
    if (is_new) {
      place->second.path = whole_path(name, folder_);
      place->second.owner = owner_of(place->second.path);
    }
    return place->second;
  }

  // With clang++ a function may have no declaration file. Then its inlined calls or lines show it.
  source_path file_of(Dwarf_Die& function) {
    if (const char* const declared = dwarf_decl_file(&function)) return path_of(declared);
    Dwarf_Die child;
    if (dwarf_child(&function, &child) == 0) {
      do {
        if (dwarf_tag(&child) != DW_TAG_inlined_subroutine) continue;
        if (const char* const file = call_file(child)) return path_of(file);
      } while (dwarf_siblingof(&child, &child) == 0);
    }
    Dwarf_Addr base = 0, begin = 0, end = 0;
    Dwarf_Die unit;
    if (dwarf_ranges(&function, 0, &base, &begin, &end) > 0 &&
        dwarf_diecu(&function, &unit, nullptr, nullptr) != nullptr) {
      if (Dwarf_Line* const row = dwarf_getsrc_die(&unit, begin)) {
        if (const char* const file = dwarf_linesrc(row, nullptr, nullptr)) return path_of(file);
      }
    }
    return {"", file_owner::library};
  }

  const char* call_file(Dwarf_Die& inlined) const {
    const Dwarf_Word file = number_in(inlined, DW_AT_call_file);
    return file < count_ ? dwarf_filesrc(files_, file, nullptr, nullptr) : nullptr;
  }

  // Facts of the function itself, which all of its inlined copies share.
  const function_facts& facts_of(Dwarf_Die& code) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin = code;
    if (dwarf_attr(&code, DW_AT_abstract_origin, &attribute) != nullptr) {
      dwarf_formref_die(&attribute, &origin);
    }
    const auto [place, is_new] = functions_.try_emplace(dwarf_dieoffset(&origin));
    if (!is_new) return place->second;
    place->second.file = file_of(code);
    if (is_of_interface(place->second.file.path)) place->second.name = name_of(code);
    return place->second;
  }

  void add(Dwarf_Die& code, const std::string& name, const line_of_file& place) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&code, at, &base, &begin, &end)) > 0;) {
      if (begin >= first_ && begin != end) to_.calls.push_back({begin, end, name, place});
    }
  }

  void walk(Dwarf_Die parent, const around& outside) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (!may_hold_code(tag)) continue;
      around inside = outside;
      if (tag == DW_TAG_inlined_subroutine) {
        const function_facts& what = facts_of(child);
        const char* const file = call_file(child);
        if (file != nullptr && path_of(file).owner == file_owner::user) {
          inside.place = {path_of(file).path, static_cast<int>(number_in(child, DW_AT_call_line))};
        }
        inside.owner = what.file.owner;
        const bool enters_machine =
            inside.owner == file_owner::machine && outside.owner != file_owner::machine;
        if (enters_machine && is_of_interface(what.file.path)) add(child, what.name, inside.place);
      } else if (tag == DW_TAG_subprogram) {
        Dwarf_Addr begin = 0;
        const bool has_code =
            dwarf_hasattr(&child, DW_AT_low_pc) != 0 || dwarf_hasattr(&child, DW_AT_ranges) != 0;
        if (has_code) {
          const function_facts& what = facts_of(child);
          inside = {what.file.owner, {}};
          const bool is_interface =
              what.file.owner == file_owner::machine && is_of_interface(what.file.path);
          if (is_interface && dwarf_lowpc(&child, &begin) == 0 && begin >= first_) {
            to_.entries.try_emplace(begin, what.name);
          }
        }
      }
      walk(child, inside);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  inlined_functions& to_;
  std::uint64_t first_;
  const char* folder_ = nullptr;
  Dwarf_Files* files_ = nullptr;
  std::size_t count_ = 0;
  std::map<std::string, source_path> paths_;
  std::map<Dwarf_Off, function_facts> functions_;
};

}  // namespace

inlined_functions read_inlined_functions(const std::filesystem::path& program,
                                         std::uint64_t first) {
  inlined_functions all;
  const debug_information from(program);
  if (from.get() == nullptr) return all;
  reader walk(all, first);
  Dwarf_CU* unit = nullptr;
  Dwarf_Die entry;
  while (dwarf_get_units(from.get(), unit, &unit, nullptr, nullptr, &entry, nullptr) == 0) {
    walk.read(entry);
  }
  std::sort(
      all.calls.begin(), all.calls.end(),
      [](const inlined_call& one, const inlined_call& other) { return one.begin < other.begin; });
  return all;
}

}  // namespace heddle_report
