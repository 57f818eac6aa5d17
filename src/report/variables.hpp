// From an address to the variable in static storage that lies there.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <heddle_host/finding.hpp>

#include "report/source_lines.hpp"

namespace heddle_report {

struct variable {
  std::string name;
  source_line declared;  // without the text of the line
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::vector<std::size_t> extents;  // of an array, outermost first; else empty
};

// Whether an access at `address` leaves the array, or an array in it, by this index: the type is
// the same, and the element is the one that the index names.
bool is_left_by(const variable& array, const heddle_host::array_index& how, std::uintptr_t address);

// Those of this process.
std::optional<variable> find_variable(std::uintptr_t address);
std::optional<variable> find_left_array(const heddle_host::array_index& how,
                                        std::uintptr_t address);

}  // namespace heddle_report
