// Tells by arithmetic which array an index has left.
#include "report/variables.hpp"

namespace heddle_report {

bool is_left_by(const variable& array, const heddle_host::array_index& how,
                std::uintptr_t address) {
  if (how.extents.empty() || how.extents.size() > array.extents.size()) return false;
  const std::size_t outer = array.extents.size() - how.extents.size();
  std::size_t elements = 1;  // of the whole variable that the indexed array stands in
  for (std::size_t i = 0; i < array.extents.size(); ++i) {
    if (array.extents[i] == 0) return false;
    if (i >= outer && array.extents[i] != how.extents[i - outer]) return false;
    if (i <= outer) elements *= array.extents[i];
  }
  const auto stride = static_cast<std::ptrdiff_t>(array.bytes / elements);
  const auto first = static_cast<std::ptrdiff_t>(address - array.begin) - how.index * stride;
  if (first < 0 || first >= static_cast<std::ptrdiff_t>(array.bytes)) return false;
  return first % (stride * static_cast<std::ptrdiff_t>(how.extents[0])) < stride;
}

}  // namespace heddle_report
