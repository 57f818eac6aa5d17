// Writes the fidelity report as JSON.
#include <nlohmann/json.hpp>

#include "report/fidelity/fidelity_report.hpp"

namespace heddle_report {

using nlohmann::json;

namespace {

json places_of(const std::set<line_of_file>& lines) {
  json all = json::array();
  for (const auto& [file, line] : lines) all.push_back({{"file", file}, {"line", line}});
  return all;
}

const char* name_of(exactness how) {
  return how == exactness::exact         ? "exact"
         : how == exactness::approximate ? "approximate"
                                         : "differs";
}

}  // namespace

json to_json(const fidelity_report& what) {
  json all{{"known", what.is_known},
           {"exact", what.is_exact()},
           {"kernels", what.kernels},
           {"ignored_options", what.options}};
  json& operations = all["operations"] = json::array();
  for (const ran_operation& one : what.operations) {
    const exactness how = one.fact == nullptr ? exactness::exact : one.fact->how_exact;
    json entry{{"name", one.name},
               {"kind", one.is_ptx        ? "ptx"
                        : one.ran_on_host ? "host"
                                          : "device"},
               {"result", name_of(how)},
               {"kernels", one.kernels},
               {"places", places_of(one.lines)}};
    if (how == exactness::approximate) entry["bound"] = one.fact->how;
    if (how == exactness::differs) entry["difference"] = one.fact->how;
    operations.push_back(std::move(entry));
  }
  json& unsupported = all["unsupported"] = json::array();
  for (const unsupported_operation& one : what.unsupported) {
    unsupported.push_back(
        {{"what", one.what}, {"stopped", one.stopped}, {"places", places_of(one.lines)}});
  }
  add_json(all, what.missed);
  return all;
}

}  // namespace heddle_report
