// Combines the accesses of single lanes to requests of warps, and computes their cost.
#include <algorithm>

#include "addresses.hpp"
#include "banks.hpp"
#include "profiler.hpp"
#include "sectors.hpp"

namespace heddle_profiler {
namespace {

constexpr memory_space global = memory_space::global;
constexpr memory_space shared = memory_space::shared;

// The piece size for a range: as wide as its address and length allow, as a compiler would split
// it.
std::size_t piece_of(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t both = address | bytes | 16;
  return both & (~both + 1);
}

void note_stride(const request& done, access_counters& into) {
  const lane_stride stride = stride_of(done);
  if (!stride.is_constant) return;
  if (into.strided_requests == 0) into.stride = stride.bytes;
  into.has_other_strides = into.has_other_strides || into.stride != stride.bytes;
  ++into.strided_requests;
}

}  // namespace

const memory_space* profiler::space_of(std::uintptr_t address) const {
  const auto is_in = [address](const unsigned char* base, std::size_t bytes) {
    return address - reinterpret_cast<std::uintptr_t>(base) < bytes;
  };
  if (arena_.contains(address)) {
    const heddle_host::block_memory& mine = running_block().memory;
    if (is_in(mine.shared, mine.shared_bytes) ||
        is_in(mine.dynamic_shared, mine.dynamic_shared_bytes)) {
      return &shared;
    }
    for (const block_record& one : blocks_) {  // distributed shared memory
      if (one.is_running && (is_in(one.memory.shared, one.memory.shared_bytes) ||
                             is_in(one.memory.dynamic_shared, one.memory.dynamic_shared_bytes))) {
        return nullptr;
      }
    }
    return &global;
  }
  for (const auto* ranges : {&variables_, &registered_}) {
    for (const heddle_host::address_range& one : *ranges) {
      if (one.contains(address)) return &global;
    }
  }
  return nullptr;
}

unsigned profiler::number_of_site(const void* code, memory_space space, operation what) {
  const std::uint64_t key = reinterpret_cast<std::uint64_t>(code) << 4 |
                            static_cast<std::uint64_t>(what) << 1 |
                            static_cast<std::uint64_t>(space);
  const auto [place, is_new] =
      site_numbers_.emplace(key, static_cast<unsigned>(counted_.sites.size()));
  if (is_new) counted_.sites.push_back({code, space, what});
  return place->second;
}

void profiler::lane_touches(std::uintptr_t address, std::size_t bytes, operation what,
                            const void* code) {
  const memory_space* const space = space_of(address);
  if (space == nullptr) return;
  const unsigned site = number_of_site(code, *space, what);
  warp_record& warp = running_warp();
  lined_up<request>& line = warp.requests.at(site);
  const unsigned lane = running_lane_number();
  const auto done = [&](const request& one) { count(site, one); };
  request& mine = line.join(lane, done);
  mine.bytes = std::max(mine.bytes, static_cast<std::uint32_t>(bytes));
  mine.address[lane] = address;
  line.tidy(mine, warp.live, done);
}

void profiler::lane_touches_range(std::uintptr_t address, std::size_t bytes, operation what,
                                  const void* code) {
  if (bytes == 0 || space_of(address) == nullptr) return;
  const std::size_t piece = piece_of(address, bytes);
  for (std::size_t done = 0; done < bytes; done += piece) {
    lane_touches(address + done, piece, what, code);
  }
}

void profiler::count(unsigned site, const request& done) {
  if (site >= kernel_->accesses.size()) kernel_->accesses.resize(counted_.sites.size());
  access_counters& into = kernel_->accesses[site];
  const access_site& where = counted_.sites[site];
  const bool is_atomic = where.what == operation::atomic || where.what == operation::exchange;
  into.requests += 1;
  into.lanes += done.lanes();
  into.bytes += std::uint64_t{done.lanes()} * done.bytes;
  into.bytes_per_lane = std::max<std::uint64_t>(into.bytes_per_lane, done.bytes);
  const address_sharing sharing = sharing_of(done);
  into.addresses += sharing.addresses;
  into.most_on_address = std::max<std::uint64_t>(into.most_on_address, sharing.most_on_one);
  note_stride(done, into);
  const sector_cost sectors = sectors_of(done);
  into.used_bytes += sectors.used_bytes;
  if (where.space == memory_space::global) {
    into.sectors += is_atomic ? sectors_of_atomics(done) : sectors.sectors;
    into.fewest_sectors += sectors.fewest;
    const bool is_dense =
        sectors.used_bytes == done.lanes() * done.bytes && span_of(done) == sectors.used_bytes;
    into.misaligned_requests += is_dense && sectors.sectors > sectors.fewest;
    words_.touch(done, running_block().memory.linear_block,
                 where.what != operation::load && where.what != operation::copy);
  } else {
    const bank_cost cost = is_atomic ? banks_of_atomics(done) : banks_of(done);
    into.wavefronts += cost.wavefronts;
    into.fewest_wavefronts += cost.fewest;
    into.most_ways = std::max<std::uint64_t>(into.most_ways, cost.ways);
  }
}

void profiler::begin_update(std::uintptr_t address, std::size_t bytes, const void* code) {
  lane_touches(address, bytes, operation::atomic, code);
  running_lane().is_updating = true;
}

// An asynchronous copy: counts what it reads. A copy of more than 16 bytes is done by the bulk-copy
// unit, not by the lanes.
void profiler::lane_copies(const heddle_host::lane_copy& what) {
  if (what.from == nullptr || what.bytes > 16) return;
  lane_touches(reinterpret_cast<std::uintptr_t>(what.from), what.bytes, operation::copy, what.code);
}

}  // namespace heddle_profiler
