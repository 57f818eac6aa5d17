// Reads and writes profiles as JSON, and sums their counters.
#include "report/profile/profile_record.hpp"

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

namespace heddle_report {
namespace {

using nlohmann::json;

void put_place(json& into, const source_place& at) {
  if (at.file.empty()) return;
  into["file"] = at.file;
  into["line"] = at.line;
  into["source"] = at.source;
}

source_place place_from(const json& from) {
  return {from.value("file", ""), from.value("line", 0), from.value("source", "")};
}

// The counters of an access, by name.
constexpr std::array<std::pair<const char*, std::uint64_t profiled_access::*>, 13> access_fields{
    {{"requests", &profiled_access::requests},
     {"lanes", &profiled_access::lanes},
     {"bytes", &profiled_access::bytes},
     {"used_bytes", &profiled_access::used_bytes},
     {"sectors", &profiled_access::sectors},
     {"fewest_sectors", &profiled_access::fewest_sectors},
     {"wavefronts", &profiled_access::wavefronts},
     {"fewest_wavefronts", &profiled_access::fewest_wavefronts},
     {"addresses", &profiled_access::addresses},
     {"most_ways", &profiled_access::most_ways},
     {"most_lanes_on_address", &profiled_access::most_on_address},
     {"bytes_per_lane", &profiled_access::bytes_per_lane},
     {"misaligned_requests", &profiled_access::misaligned_requests}}};

json json_of(const profiled_access& from) {
  json one{{"space", from.space}, {"operation", from.operation}};
  put_place(one, from.at);
  for (const auto& [name, field] : access_fields) one[name] = from.*field;
  if (from.stride) one["stride"] = *from.stride;
  return one;
}

profiled_access access_from(const json& from) {
  profiled_access one;
  one.at = place_from(from);
  one.space = from.value("space", "");
  one.operation = from.value("operation", "");
  for (const auto& [name, field] : access_fields) one.*field = from.value(name, std::uint64_t{0});
  if (from.contains("stride")) one.stride = from["stride"].get<std::int64_t>();
  return one;
}

std::string name_in_ncu(const char* before, const char* operation) {
  return std::string(before) + operation + ".sum";
}

}  // namespace

void to_json(json& into, const profiled_kernel& from) {
  into = {{"kernel", from.name},
          {"launches", from.launches},
          {"failures", from.failures},
          {"blocks", from.blocks},
          {"warps", from.warps},
          {"threads", from.threads},
          {"grid", from.grid},
          {"block", from.block},
          {"shared_bytes", from.shared_bytes},
          {"blocks_share", from.blocks_share}};
  for (const char* list : {"accesses", "source_blocks", "meetings", "fences"}) {
    into[list] = json::array();
  }
  for (const profiled_access& one : from.accesses) into["accesses"].push_back(json_of(one));
  for (const profiled_block& one : from.source_blocks) {
    into["source_blocks"].push_back({{"runs", one.runs},
                                     {"lanes", one.lanes},
                                     {"branches", one.branches},
                                     {"parted", one.parted},
                                     {"fewer", one.fewer}});
    put_place(into["source_blocks"].back(), one.at);
  }
  for (const profiled_meeting& one : from.meetings) {
    into["meetings"].push_back({{"kind", one.kind}, {"times", one.times}, {"lanes", one.lanes}});
    put_place(into["meetings"].back(), one.at);
  }
  for (const profiled_fence& one : from.fences) {
    into["fences"].push_back({{"reach", one.reach}, {"lanes", one.lanes}});
    put_place(into["fences"].back(), one.at);
  }
}

void from_json(const json& from, profiled_kernel& into) {
  into.name = from.value("kernel", "");
  into.launches = from.value("launches", std::uint64_t{0});
  into.failures = from.value("failures", std::uint64_t{0});
  into.blocks = from.value("blocks", std::uint64_t{0});
  into.warps = from.value("warps", std::uint64_t{0});
  into.threads = from.value("threads", std::uint64_t{0});
  into.grid = from.value("grid", into.grid);
  into.block = from.value("block", into.block);
  into.shared_bytes = from.value("shared_bytes", std::uint64_t{0});
  into.blocks_share = from.value("blocks_share", true);
  const auto each = [&](const char* list, auto take) {
    for (const json& one : from.value(list, json::array())) take(one, place_from(one));
  };
  constexpr std::uint64_t none = 0;
  each("accesses",
       [&](const json& one, const source_place&) { into.accesses.push_back(access_from(one)); });
  each("source_blocks", [&](const json& one, const source_place& at) {
    into.source_blocks.push_back({at, one.value("runs", none), one.value("lanes", none),
                                  one.value("branches", none), one.value("parted", none),
                                  one.value("fewer", none)});
  });
  each("meetings", [&](const json& one, const source_place& at) {
    into.meetings.push_back(
        {at, one.value("kind", ""), one.value("times", none), one.value("lanes", none)});
  });
  each("fences", [&](const json& one, const source_place& at) {
    into.fences.push_back({at, one.value("reach", ""), one.value("lanes", none)});
  });
}

profile_record read_profile_record(const std::filesystem::path& file) {
  profile_record record;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const json one = json::parse(line, nullptr, false);
    if (!one.is_object()) continue;
    if (one.contains("kernel")) record.kernels.push_back(one.get<profiled_kernel>());
    record.is_complete = record.is_complete || one.contains("end");
  }
  return record;
}

profiled_access profiled_kernel::sum(const std::string& space, const std::string& operation) const {
  profiled_access all;
  all.space = space;
  all.operation = operation;
  for (const profiled_access& one : accesses) {
    if (one.space != space || one.operation != operation) continue;
    for (const auto& [name, field] : access_fields) {
      const bool is_maximum = field == &profiled_access::most_ways ||
                              field == &profiled_access::most_on_address ||
                              field == &profiled_access::bytes_per_lane;
      all.*field = is_maximum ? std::max(all.*field, one.*field) : all.*field + one.*field;
    }
  }
  return all;
}

profiled_block profiled_kernel::sum_of_blocks() const {
  profiled_block all;
  for (const profiled_block& one : source_blocks) {
    all.runs += one.runs;
    all.lanes += one.lanes;
    all.branches += one.branches;
    all.parted += one.parted;
    all.fewer += one.fewer;
  }
  return all;
}

std::vector<std::pair<std::string, std::uint64_t>> metrics_of(const profiled_kernel& what) {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  constexpr std::array<std::pair<const char*, const char*>, 2> plain{
      {{"load", "ld"}, {"store", "st"}}};
  constexpr const char* requests = "l1tex__t_requests_pipe_lsu_mem_global_op_";
  constexpr const char* sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_";
  for (const auto& [ours, theirs] : plain) {
    const profiled_access sum = what.sum("global", ours);
    all.emplace_back(name_in_ncu(requests, theirs), sum.requests);
    all.emplace_back(name_in_ncu(sectors, theirs), sum.sectors);
  }
  // ncu counts `red` if the old value is unused and `atom` otherwise. We cannot tell which.
  profiled_access atomics = what.sum("global", "atomic");
  const profiled_access exchanges = what.sum("global", "exchange");
  atomics.requests += exchanges.requests;
  atomics.sectors += exchanges.sectors;
  const auto both = [](const char* before) {
    return name_in_ncu(before, "atom") + " + " + name_in_ncu(before, "red");
  };
  all.emplace_back(both(requests), atomics.requests);
  all.emplace_back(both(sectors), atomics.sectors);
  for (const auto& [ours, theirs] : plain) {
    const profiled_access sum = what.sum("shared", ours);
    all.emplace_back(name_in_ncu("smsp__inst_executed_op_shared_", theirs), sum.requests);
    all.emplace_back(name_in_ncu("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_", theirs),
                     sum.wavefronts);
  }
  all.emplace_back("smsp__inst_executed_op_shared_atom.sum",
                   what.sum("shared", "atomic").requests + what.sum("shared", "exchange").requests);
  return all;
}

}  // namespace heddle_report
