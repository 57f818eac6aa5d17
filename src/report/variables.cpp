// Reads the variables of the program's own files from the debug information.
#include "report/variables.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstring>

#include "report/debug_information.hpp"

namespace heddle_report {
namespace {

// Where the variable lies, if that is a plain address.
std::optional<Dwarf_Addr> address_of(Dwarf_Die& entry) {
  Dwarf_Attribute location;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(&entry, DW_AT_location, &location) == nullptr ||
      dwarf_getlocation(&location, &operations, &count) != 0 || count != 1) {
    return std::nullopt;
  }
  if (operations[0].atom == DW_OP_addr) return operations[0].number;
  Dwarf_Attribute indirect;
  Dwarf_Addr address = 0;
  const bool is_known = operations[0].atom == DW_OP_addrx &&
                        dwarf_getlocation_attr(&location, operations, &indirect) == 0 &&
                        dwarf_formaddr(&indirect, &address) == 0;
  return is_known ? std::optional(address) : std::nullopt;
}

std::optional<Dwarf_Die> type_of(Dwarf_Die& entry) {
  Dwarf_Attribute attribute;
  Dwarf_Die type, plain;
  if (dwarf_attr_integrate(&entry, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr || dwarf_peel_type(&type, &plain) != 0) {
    return std::nullopt;
  }
  return plain;
}

std::vector<std::size_t> extents_of(Dwarf_Die type) {
  std::vector<std::size_t> extents;
  Dwarf_Die part;
  if (dwarf_tag(&type) != DW_TAG_array_type || dwarf_child(&type, &part) != 0) return extents;
  do {
    if (dwarf_tag(&part) != DW_TAG_subrange_type) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word last = 0;
    if (dwarf_attr(&part, DW_AT_upper_bound, &attribute) != nullptr &&
        dwarf_formudata(&attribute, &last) == 0) {
      extents.push_back(last + 1);
    } else if (dwarf_attr(&part, DW_AT_count, &attribute) != nullptr &&
               dwarf_formudata(&attribute, &last) == 0) {
      extents.push_back(last);
    } else {
      extents.push_back(0);
    }
  } while (dwarf_siblingof(&part, &part) == 0);
  // An array of arrays under another name: `typedef float row[4]; row matrix[4];`
  if (auto element = type_of(type)) {
    for (const std::size_t extent : extents_of(*element)) extents.push_back(extent);
  }
  return extents;
}

std::string name_of(Dwarf_Die& entry) {
  Dwarf_Attribute attribute;
  const char* const name = dwarf_formstring(dwarf_attr_integrate(&entry, DW_AT_name, &attribute));
  return name == nullptr ? std::string() : name;
}

// `decl_file` alone does not look into the declaration that a definition belongs to.
source_line place_of(Dwarf_Die& entry) {
  Dwarf_Attribute attribute;
  Dwarf_Die declaration = entry;
  if (dwarf_attr(&entry, DW_AT_decl_line, &attribute) == nullptr) {
    for (const unsigned reference : {DW_AT_specification, DW_AT_abstract_origin}) {
      if (dwarf_attr(&entry, reference, &attribute) == nullptr) continue;
      if (dwarf_formref_die(&attribute, &declaration) != nullptr) break;
    }
  }
  const char* const file = dwarf_decl_file(&declaration);
  int line = 0;
  if (file == nullptr || dwarf_decl_line(&declaration, &line) != 0) return {};
  return {file, line, {}};
}

class collection {
 public:
  collection() {
    if (Dwfl* const process = debug_information()) {
      dwfl_getmodules(
          process,
          [](Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* into) {
            static_cast<collection*>(into)->add(module);
            return static_cast<int>(DWARF_CB_OK);
          },
          this, 0);
    }
  }
  [[nodiscard]] const std::vector<variable>& all() const { return all_; }

 private:
  void add(Dwfl_Module* module) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) add(*unit, bias);
  }

  // Variables stand in units, in namespaces, and in functions and their blocks.
  void add(Dwarf_Die& around, Dwarf_Addr bias) {
    Dwarf_Die entry;
    if (dwarf_child(&around, &entry) != 0) return;
    do {
      switch (dwarf_tag(&entry)) {
        case DW_TAG_variable:
          add_variable(entry, bias);
          break;
        case DW_TAG_namespace:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
          add(entry, bias);
          break;
        default:
          break;
      }
    } while (dwarf_siblingof(&entry, &entry) == 0);
  }

  void add_variable(Dwarf_Die& entry, Dwarf_Addr bias) {
    const auto address = address_of(entry);
    if (!address) return;
    auto type = type_of(entry);
    Dwarf_Word bytes = 0;
    if (!type || dwarf_aggregate_size(&*type, &bytes) != 0 || bytes == 0) return;
    all_.push_back({name_of(entry), place_of(entry), *address + bias, bytes, extents_of(*type)});
  }

  std::vector<variable> all_;
};

template <typename Test>
std::optional<variable> find_if(Test fits) {
  static const collection variables;
  const auto& all = variables.all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const variable& one) {
    return !one.name.empty() && !one.declared.file.empty() && fits(one);
  });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::optional<variable> find_variable(std::uintptr_t address) {
  return find_if([&](const variable& one) { return address - one.begin < one.bytes; });
}

std::optional<variable> find_left_array(const heddle_host::array_index& how,
                                        std::uintptr_t address) {
  return find_if([&](const variable& one) { return is_left_by(one, how, address); });
}

}  // namespace heddle_report
