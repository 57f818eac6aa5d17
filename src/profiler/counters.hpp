// What a profile counts, as values: for each kernel, by places of the code.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <vector_types.h>

namespace heddle_profiler {

enum class memory_space : unsigned char { global, shared };
// `exchange`: atomic ones that do not compute: a swap, a compare-and-swap.
enum class operation : unsigned char { load, store, atomic, copy, exchange };

// One place of the code that asks for memory, or several that count as one.
struct access_counters {
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;       // that took part, over all requests
  std::uint64_t bytes = 0;       // that they asked for
  std::uint64_t used_bytes = 0;  // different ones within each request
  std::uint64_t sectors = 0;     // global memory; by atomics, as often as they are visited
  std::uint64_t fewest_sectors = 0;
  std::uint64_t wavefronts = 0;  // shared memory
  std::uint64_t fewest_wavefronts = 0;
  std::uint64_t addresses = 0;        // different ones within each request
  std::uint64_t most_ways = 0;        // of a bank, in the worst request
  std::uint64_t most_on_address = 0;  // lanes, in the worst request
  std::uint64_t bytes_per_lane = 0;   // the most
  // Requests whose lanes lie at one distance from each other, all the same in `stride`.
  std::uint64_t strided_requests = 0;
  std::int64_t stride = 0;
  bool has_other_strides = false;
  std::uint64_t misaligned_requests = 0;  // dense, but not from the begin of a sector
};

// A block of the source: code that is run from its begin to its end.
struct block_counters {
  std::uint64_t runs = 0;    // by warps
  std::uint64_t lanes = 0;   // that took part, over all runs
  std::uint64_t parted = 0;  // runs behind which lanes went different ways
  std::uint64_t fewer = 0;   // lanes of those that went the way of fewer, over these runs
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
  std::vector<access_counters> accesses;  // by the number of the site
  std::vector<block_counters> source_blocks;
  std::map<std::pair<const void*, const char*>, meeting_counters> meetings;  // by code and kind
  std::map<std::pair<const void*, fence_reach>, std::uint64_t> fences;       // by lanes
  bool blocks_share = false;    // one has touched what another one has written
  bool is_shared_known = true;  // whether they do
};

struct profile {
  std::vector<access_site> sites;
  std::vector<const void*> source_blocks;  // where each begins; null: at the kernel's begin
  std::vector<kernel_profile> kernels;
};

}  // namespace heddle_profiler
