// Runs at the end of a profiled program: writes its counters by source line.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "profiler/counters.hpp"
#include "profiler/profile_reporter.hpp"
#include "report/check/source_lines.hpp"
#include "report/kernel_name.hpp"
#include "report/profile/profile_record.hpp"
#include "report/profile/profile_text.hpp"

namespace heddle_report {
namespace {

using heddle_profiler::access_counters;
using heddle_profiler::access_site;
using heddle_profiler::block_counters;
using heddle_profiler::kernel_profile;
using heddle_profiler::profile;

source_place place_of(const void* code) {
  static std::map<const void*, source_place> known;
  if (code == nullptr) return {};
  const auto [found, is_new] = known.try_emplace(code);
  if (is_new) {
    if (const auto line = find_source_line(code, true)) {
      const source_line whole = with_text(*line);
      std::error_code failure;
      const auto file = std::filesystem::canonical(whole.file, failure);
      found->second = {failure ? whole.file : file.string(), whole.line, whole.text};
    }
  }
  return found->second;
}

using line_key = std::pair<std::string, int>;
line_key key_of(const source_place& at) { return {at.file, at.line}; }

const char* name_of(heddle_profiler::operation what) {
  constexpr std::array names{"load", "store", "atomic", "copy", "exchange"};
  return names[static_cast<std::size_t>(what)];
}

const char* name_of(heddle_profiler::fence_reach reach) {
  constexpr std::array names{"block", "cluster", "device", "system"};
  return names[static_cast<std::size_t>(reach)];
}

void add(profiled_access& to, const access_counters& from) {
  const bool is_first = to.requests == 0;
  const bool is_strided =
      !from.has_other_strides && from.strided_requests == from.requests && from.requests > 0;
  if (is_first && is_strided) to.stride = from.stride;
  if (!is_strided || to.stride != from.stride) to.stride.reset();
  to.requests += from.requests;
  to.lanes += from.lanes;
  to.bytes += from.bytes;
  to.used_bytes += from.used_bytes;
  to.sectors += from.sectors;
  to.fewest_sectors += from.fewest_sectors;
  to.wavefronts += from.wavefronts;
  to.fewest_wavefronts += from.fewest_wavefronts;
  to.addresses += from.addresses;
  to.most_ways = std::max(to.most_ways, from.most_ways);
  to.most_on_address = std::max(to.most_on_address, from.most_on_address);
  to.bytes_per_lane = std::max(to.bytes_per_lane, from.bytes_per_lane);
  to.misaligned_requests += from.misaligned_requests;
}

template <typename Map>
auto values_of(Map& from) {
  std::vector<typename Map::mapped_type> all;
  for (auto& [key, value] : from) all.push_back(std::move(value));
  return all;
}

std::vector<profiled_access> accesses_of(const profile& all, const kernel_profile& kernel) {
  std::map<std::tuple<line_key, std::string, std::string>, profiled_access> by_line;
  for (std::size_t i = 0; i < kernel.accesses.size(); ++i) {
    if (kernel.accesses[i].requests == 0) continue;
    const access_site& site = all.sites[i];
    const source_place at = place_of(site.code);
    const bool is_global = site.space == heddle_profiler::memory_space::global;
    const std::string space = is_global ? "global" : "shared";
    profiled_access& line = by_line[{key_of(at), space, name_of(site.what)}];
    line.at = at;
    line.space = space;
    line.operation = name_of(site.what);
    add(line, kernel.accesses[i]);
  }
  return values_of(by_line);
}

std::vector<profiled_block> blocks_of(const profile& all, const kernel_profile& kernel) {
  std::map<line_key, profiled_block> by_line;
  for (std::size_t i = 0; i < kernel.source_blocks.size(); ++i) {
    const block_counters& from = kernel.source_blocks[i];
    if (from.runs == 0) continue;
    const source_place begin = place_of(all.source_blocks[i]);
    profiled_block& line = by_line[key_of(begin)];
    line.at = begin;
    line.runs += from.runs;
    line.lanes += from.lanes;
    if (!from.has_several_ways) continue;
    const source_place branch = from.branch != nullptr ? place_of(from.branch) : begin;
    profiled_block& leaving = by_line[key_of(branch)];
    leaving.at = branch;
    leaving.branches += from.runs;
    leaving.parted += from.parted;
    leaving.fewer += from.fewer;
  }
  return values_of(by_line);
}

std::vector<profiled_meeting> meetings_of(const kernel_profile& kernel) {
  std::map<std::pair<line_key, std::string>, profiled_meeting> by_line;
  for (const auto& [where, counters] : kernel.meetings) {
    const source_place at = place_of(where.first);
    profiled_meeting& line = by_line[{key_of(at), where.second}];
    line.at = at;
    line.kind = where.second;
    line.times += counters.times;
    line.lanes += counters.lanes;
  }
  return values_of(by_line);
}

std::vector<profiled_fence> fences_of(const kernel_profile& kernel) {
  std::map<std::pair<line_key, std::string>, profiled_fence> by_line;
  for (const auto& [where, lanes] : kernel.fences) {
    const source_place at = place_of(where.first);
    profiled_fence& line = by_line[{key_of(at), name_of(where.second)}];
    line.at = at;
    line.reach = name_of(where.second);
    line.lanes += lanes;
  }
  return values_of(by_line);
}

profiled_kernel kernel_of(const profile& all, const kernel_profile& from) {
  profiled_kernel kernel;
  kernel.name = kernel_name(from.signature);
  kernel.launches = from.launches;
  kernel.failures = from.failures;
  kernel.blocks = from.blocks;
  kernel.warps = from.warps;
  kernel.threads = from.threads;
  kernel.grid = {from.grid.x, from.grid.y, from.grid.z};
  kernel.block = {from.block.x, from.block.y, from.block.z};
  kernel.shared_bytes = from.shared_bytes;
  kernel.blocks_share = from.blocks_share || !from.is_shared_known;
  kernel.accesses = accesses_of(all, from);
  kernel.source_blocks = blocks_of(all, from);
  kernel.meetings = meetings_of(from);
  kernel.fences = fences_of(from);
  return kernel;
}

class report_of_profile final : public heddle_profiler::profile_reporter {
 public:
  // A program may start others of its kind: each adds its lines.
  void report(const heddle_profiler::profile& counted, const std::string& file) override {
    profile_report made;
    for (const heddle_profiler::kernel_profile& one : counted.kernels) {
      made.kernels.push_back(kernel_of(counted, one));
    }
    if (file.empty()) {
      std::fflush(nullptr);
      std::fputs(text_of(made, 10, false).c_str(), stderr);
      return;
    }
    std::ofstream lines(file, std::ios::app);
    for (const profiled_kernel& kernel : made.kernels) {
      lines << nlohmann::json(kernel).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
            << '\n';
    }
    lines << nlohmann::json{{"end", true}}.dump() << '\n';
  }
};

}  // namespace
}  // namespace heddle_report

heddle_profiler::profile_reporter& heddle_profiler::profile_reporter::instance() {
  static heddle_report::report_of_profile only;
  return only;
}
