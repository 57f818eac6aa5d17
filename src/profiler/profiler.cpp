// Follows grids, blocks and lanes, and starts and stops the profiler.
#include "profiler.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <heddle_host/progress.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "profiler/profile_reporter.hpp"

namespace heddle_profiler {
namespace {

// The number of steps, over all lanes, between two turns.
constexpr unsigned steps_per_turn = 256;

}  // namespace

void profiler::take_turns(const void* code) {
  if (--until_turn_ != 0) return;
  until_turn_ = steps_per_turn;
  heddle_host::end_turn(code);
}

void profiler::grid_begins(const heddle_host::launch_request& request) {
  const std::string signature = request.kernel->signature;
  const auto [place, is_new] = kernels_.emplace(signature, counted_.kernels.size());
  if (is_new) {
    counted_.kernels.emplace_back();
    counted_.kernels.back().signature = signature;
    counted_.kernels.back().grid = request.grid;
    counted_.kernels.back().block = request.block;
  }
  kernel_ = &counted_.kernels[place->second];
  kernel_->launches += 1;
  const std::uint64_t blocks = std::uint64_t{request.grid.x} * request.grid.y * request.grid.z;
  const std::uint64_t threads = std::uint64_t{request.block.x} * request.block.y * request.block.z;
  kernel_->blocks += blocks;
  kernel_->threads += blocks * threads;
  kernel_->warps += blocks * ((threads + lanes_per_warp - 1) / lanes_per_warp);
  kernel_->shared_bytes = std::max<std::uint64_t>(
      kernel_->shared_bytes,
      heddle_host::static_shared_bytes_of(*request.kernel) + request.dynamic_shared_bytes);
  words_.clear();
}

void profiler::grid_ends(const heddle_host::launch_request&, cudaError_t how) {
  kernel_->failures += how != cudaSuccess;
  kernel_->blocks_share = kernel_->blocks_share || words_.are_shared();
  kernel_->is_shared_known = kernel_->is_shared_known && words_.is_complete();
  if (how == cudaSuccess) return;
  for (block_record& one : blocks_) {  // of a failed grid, block_ends is not called
    if (one.is_running) idle_blocks_.push_back(&one);
    one.is_running = false;
    one.warps.clear();
  }
}

void* profiler::block_has_memory(const heddle_host::block_memory& memory) {
  if (idle_blocks_.empty()) idle_blocks_.push_back(&blocks_.emplace_back());
  block_record* const mine = idle_blocks_.back();
  idle_blocks_.pop_back();
  mine->memory = memory;
  mine->is_running = true;
  mine->warps.resize((memory.threads + lanes_per_warp - 1) / lanes_per_warp);
  for (std::size_t warp = 0; warp < mine->warps.size(); ++warp) {
    const std::size_t threads =
        std::min<std::size_t>(memory.threads - warp * lanes_per_warp, lanes_per_warp);
    mine->warps[warp].live = static_cast<std::uint32_t>((std::uint64_t{1} << threads) - 1);
    mine->warps[warp].lanes = {};
  }
  return mine;
}

void profiler::block_ends(uint3) {
  block_record& mine = running_block();
  for (warp_record& warp : mine.warps) forget_times(warp, warp.live);
  mine.is_running = false;
  idle_blocks_.push_back(&mine);
}

// The first source block begins before the lane's code does, so no hook reports it.
void profiler::lane_begins(const heddle_host::lane_identity&) {
  const auto [place, is_new] =
      block_numbers_.emplace(nullptr, static_cast<unsigned>(counted_.source_blocks.size()));
  if (is_new) counted_.source_blocks.push_back(nullptr);
  join_block(place->second);
}

void profiler::lane_ends(const heddle_host::lane_identity& who) {
  const unsigned lane = who.linear_thread % lanes_per_warp;
  warp_record& warp = running_block().warps[who.linear_thread / lanes_per_warp];
  count_meeting(warp.lanes[lane], nullptr);
  leave_block(warp.lanes[lane], lane, nullptr);
  warp.live &= ~(1u << lane);
}

void profiler::memory_begins(const void* base, std::size_t bytes, heddle_host::memory_kind) {
  const auto begin = reinterpret_cast<std::uintptr_t>(base);
  if (!arena_.contains(begin)) registered_.push_back({begin, bytes});
}

void profiler::memory_ends(const void* base, std::size_t, heddle_host::memory_kind) {
  const auto begin = reinterpret_cast<std::uintptr_t>(base);
  std::erase_if(registered_, [=](const auto& one) { return one.begin == begin; });
}

profiler* profiler_in_force = nullptr;

namespace {

// Runs before the program's static constructors, since the runtime must know before its first grid.
// Never destroyed, since accesses may still occur while the program exits.
[[gnu::constructor(200)]] void begin_profiling() {
  profiler_in_force = new profiler;
  heddle_host::set_policy(heddle_host::checked_policy);
  heddle_host::observe(profiler_in_force);
  std::atexit([] {
    const char* const file = std::getenv("HEDDLE_PROFILE");
    profile_reporter::instance().report(profiler_in_force->counted(), file == nullptr ? "" : file);
  });
}

}  // namespace

}  // namespace heddle_profiler
