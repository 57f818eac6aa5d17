// The results of a profiled run: counters of each kernel, by source line.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/check/run_record.hpp"

namespace heddle_report {

// All accesses of one line to one memory space with one operation.
struct profiled_access {
  source_place at;
  std::string space;      // global, shared
  std::string operation;  // load, store, atomic, exchange, copy
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t used_bytes = 0;
  std::uint64_t sectors = 0;
  std::uint64_t fewest_sectors = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t fewest_wavefronts = 0;
  std::uint64_t addresses = 0;
  std::uint64_t most_ways = 0;
  std::uint64_t most_on_address = 0;
  std::uint64_t bytes_per_lane = 0;
  std::uint64_t misaligned_requests = 0;
  std::optional<std::int64_t> stride;  // bytes from lane to lane, if constant

  // A sector and a wavefront each occupy their unit for about the same time.
  [[nodiscard]] std::uint64_t work() const { return sectors + wavefronts; }
};

struct profiled_block {
  source_place at;
  std::uint64_t runs = 0;
  std::uint64_t lanes = 0;
  std::uint64_t branches = 0;  // runs of blocks with several successors
  std::uint64_t parted = 0;    // those after which the lanes diverged
  std::uint64_t fewer = 0;     // lanes that took the minority path, summed over those
};

struct profiled_meeting {
  source_place at;
  std::string kind;
  std::uint64_t times = 0;
  std::uint64_t lanes = 0;
};

struct profiled_fence {
  source_place at;
  std::string reach;  // block, cluster, device, system
  std::uint64_t lanes = 0;
};

struct profiled_kernel {
  std::string name;
  std::uint64_t launches = 0;
  std::uint64_t failures = 0;
  std::uint64_t blocks = 0;
  std::uint64_t warps = 0;
  std::uint64_t threads = 0;
  std::array<unsigned, 3> grid{}, block{};
  std::uint64_t shared_bytes = 0;
  bool blocks_share = true;  // one block touches what another wrote; also true if unknown
  std::vector<profiled_access> accesses;
  std::vector<profiled_block> source_blocks;
  std::vector<profiled_meeting> meetings;
  std::vector<profiled_fence> fences;

  // The sum over all accesses to `space` with `operation`.
  [[nodiscard]] profiled_access sum(const std::string& space, const std::string& operation) const;
  [[nodiscard]] profiled_block sum_of_blocks() const;
};

struct profile_record {
  std::vector<profiled_kernel> kernels;
  bool is_complete = false;  // the program finished and reported so
};

void to_json(nlohmann::json& into, const profiled_kernel& from);
void from_json(const nlohmann::json& from, profiled_kernel& into);

profile_record read_profile_record(const std::filesystem::path& file);

// Counters under the names that Nsight Compute uses for them.
std::vector<std::pair<std::string, std::uint64_t>> metrics_of(const profiled_kernel& what);

}  // namespace heddle_report
