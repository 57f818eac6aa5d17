// The counters of a profile: for each kernel, by code address.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <vector_types.h>

namespace heddle_profiler {

enum class memory_space : unsigned char { global, shared };
// `exchange`: atomics that compute nothing, such as a swap or a compare-and-swap.
enum class operation : unsigned char { load, store, atomic, copy, exchange };

// A code address that accesses memory, or several that are counted as one.
struct access_counters {
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;       // that took part, over all requests
  std::uint64_t bytes = 0;       // that they accessed
  std::uint64_t used_bytes = 0;  // distinct ones within each request
  std::uint64_t sectors = 0;     // global memory; for atomics, counted once per visit
  std::uint64_t fewest_sectors = 0;
  std::uint64_t wavefronts = 0;  // shared memory
  std::uint64_t fewest_wavefronts = 0;
  std::uint64_t addresses = 0;        // distinct ones within each request
  std::uint64_t most_ways = 0;        // of a bank, in the worst request
  std::uint64_t most_on_address = 0;  // lanes, in the worst request
  std::uint64_t bytes_per_lane = 0;   // the largest
  // Requests with a constant distance between lanes, which is the same for all and in `stride`.
  std::uint64_t strided_requests = 0;
  std::int64_t stride = 0;
  bool has_other_strides = false;
  std::uint64_t misaligned_requests = 0;  // dense, but not aligned to a sector
};

// A source block: code that always runs from its beginning to its end.
struct block_counters {
  std::uint64_t runs = 0;    // by warps
  std::uint64_t lanes = 0;   // that took part, over all runs
  std::uint64_t parted = 0;  // runs after which the lanes diverged
  std::uint64_t fewer = 0;   // lanes that took the minority path, over those runs
  const void* way = nullptr;
  bool has_several_ways = false;
  const void* branch = nullptr;  // the last comparison in it
};

struct meeting_counters {
  std::uint64_t times = 0;  // by warps
  std::uint64_t lanes = 0;
};

enum class fence_reach : unsigned char { block, cluster, device, system };

struct access_site {
  const void* code;
  memory_space space;
  operation what;
};

struct kernel_profile {
  std::string signature;
  std::uint64_t launches = 0;
  std::uint64_t failures = 0;
  std::uint64_t blocks = 0;
  std::uint64_t warps = 0;
  std::uint64_t threads = 0;
  dim3 grid{}, block{};  // of the first launch
  std::uint64_t shared_bytes = 0;
  std::vector<access_counters> accesses;  // indexed by site
  std::vector<block_counters> source_blocks;
  std::map<std::pair<const void*, const char*>, meeting_counters> meetings;  // by code and kind
  std::map<std::pair<const void*, fence_reach>, std::uint64_t> fences;       // counts of lanes
  bool blocks_share = false;    // one block has touched what another wrote
  bool is_shared_known = true;  // whether `blocks_share` is reliable
};

struct profile {
  std::vector<access_site> sites;
  std::vector<const void*> source_blocks;  // addresses; null: the start of the kernel
  std::vector<kernel_profile> kernels;
};

}  // namespace heddle_profiler
