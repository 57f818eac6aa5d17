// Runs blocks one after another, or in turns where they wait for each other.
#include "machine/worker.hpp"

#include <thread>
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/options.hpp>
#include <heddle_host/schedule.hpp>

#include "diagnosis/deadlock.hpp"
#include "machine/faults.hpp"
#include "machine/grid_state.hpp"
#include "machine/watchdog.hpp"

namespace heddle_host {
namespace {

[[noreturn]] void run_fiber() {
  arrive_on_new_stack();
  const launch_request& request = lane_now.block->grid().request();
  request.kernel->run_lanes(request.closure.get());
  __builtin_unreachable();
}

}  // namespace

worker& worker::of_this_thread() {
  // A checked program runs pending kernels at exit, after the main thread's thread-local objects
  // are destroyed. A plain pointer remains usable; the worker that it gets then is never freed.
  thread_local worker* mine = nullptr;
  struct owner {
    ~owner() { delete std::exchange(mine, nullptr); }
  };
  if (mine == nullptr) {
    thread_local const owner of_this_thread;
    mine = new worker;
  }
  return *mine;
}

worker::worker() { prepare_thread_for_faults(); }

worker::~worker() { release_thread_from_faults(); }

void worker::refresh_stacks() {
  if (stacks_ && stack_bytes_ == stack_bytes()) return;
  free_.clear();
  fibers_.clear();
  stack_bytes_ = stack_bytes();
  stacks_ = std::make_unique<stack_pool>(stack_bytes_);
}

void worker::make_fiber() {
  fiber& made = fibers_.emplace_back();
  made.memory = stacks_->take();
  made.color = static_cast<unsigned>(fibers_.size());
  free_.push_back(&made);
}

// The fiber is suspended in another kernel's code, or has never run.
void worker::take_into_service(fiber& taken) {
  forget_frames(taken);
  prepare(taken, run_fiber);
  taken.serves = grid_;
  lane_now.starting_on = &taken;
}

void worker::abandon_fibers() {
  free_.clear();
  for (fiber& each : fibers_) {
    each.serves = 0;
    free_.push_back(&each);
  }
}

void worker::leave_fiber(fiber& mine, context next) {
  mine.serves = 0;  // it cannot be resumed: its next lane starts with an empty stack
  if (next == nullptr) {
    next = take_fiber().idle;
    put_back(mine);
  }
  context nowhere;
  switch_fiber(nowhere, next);
  __builtin_unreachable();
}

void worker::run(grid_state& grid) {
  refresh_stacks();
  grid_ = grid.number();
  clusters_begun_ = 0;
  watched_worker watched(grid);
  if (schedule* const order = current_schedule()) return run_by_schedule(grid, *order);
  unsigned fruitless_turns = 0;
  grid_state::range claimed;
  for (;;) {
    if (grid.has_failed()) {
      abandon_all();
      return;
    }
    bool is_stuck = true;
    bool has_ended = false;
    for (std::size_t i = 0; i < resident_.size();) {
      const turn how = give_turn(resident_[i]);
      if (grid.has_failed()) break;
      if (how == turn::ended) {
        has_ended = true;
        end(i);
        continue;
      }
      if (how == turn::spinning) is_stuck = false;
      ++i;
    }
    if (grid.has_failed()) continue;
    if (has_ended) fruitless_turns = 0;
    const bool wants_another =
        resident_.empty() || is_stuck || ++fruitless_turns % turns_before_another_block == 0;
    if (wants_another) {
      if (claimed.begin == claimed.end) claimed = grid.claim_clusters();
      if (claimed.begin != claimed.end) {
        fruitless_turns = 0;
        start(grid, claimed.begin++);
        continue;
      }
      if (resident_.empty()) return;
    }
    if (has_ended) continue;
    if (!is_stuck) {
      std::this_thread::yield();
      continue;
    }
    // All wait for the grid's barrier: anything else is a deadlock, which give_turn has reported.
    const block_state& first = *resident_.front().front();
    if (!grid.sleep_until_passed(first.at_grid().generation())) fail_with_deadlock(first);
  }
}

void worker::start(grid_state& grid, std::uint64_t cluster_index) {
  const unsigned blocks = grid.blocks_per_cluster();
  ++clusters_begun_;
  cluster members;
  if (!spare_clusters_.empty()) {
    members = std::move(spare_clusters_.back());
    spare_clusters_.pop_back();
    members.clear();
  }
  for (unsigned rank = 0; rank < blocks; ++rank) {
    if (idle_blocks_.empty()) {
      blocks_.push_back(std::make_unique<block_state>(*this));
      idle_blocks_.push_back(blocks_.back().get());
    }
    members.push_back(idle_blocks_.back());
    idle_blocks_.pop_back();
  }
  for (unsigned rank = 0; rank < blocks; ++rank) {
    members[rank]->begin(grid, grid.block_of_cluster(cluster_index, rank), members.data(), rank);
  }
  if (blocks > 1) members.front()->in_cluster().report_begin();
  resident_.push_back(std::move(members));
}

worker::turn worker::give_turn(cluster& blocks) {
  bool all_ended = true;
  bool is_spinning = false;
  bool any_ran = false;
  for (block_state* block : blocks) {
    if (block->outcome() == block_outcome::finished) continue;
    if (block->outcome() == block_outcome::waiting && !block->try_release()) {
      all_ended = false;
      continue;
    }
    any_ran = true;
    switch (block->enter()) {
      case block_outcome::finished:
        continue;
      case block_outcome::failed:
        return turn::stuck;
      case block_outcome::spinning:
        is_spinning = true;
        break;
      default:
        break;
    }
    all_ended = false;
  }
  if (all_ended) return turn::ended;
  if (is_spinning) return turn::spinning;
  if (blocks.size() > 1 && any_ran) return turn::spinning;  // a cluster barrier may open now
  for (block_state* block : blocks) {
    if (block->outcome() == block_outcome::waiting && !block->at_grid().are_any()) {
      fail_with_deadlock(*block);
      break;
    }
  }
  return turn::stuck;
}

void worker::fail_with_deadlock(const block_state& block) {
  block.grid().fail(
      classify_deadlock(block.describe_waiting(finding_kind::deadlock, cudaErrorLaunchTimeout)));
}

std::optional<finding> worker::describe_all_lanes(const block_state& running,
                                                  const void* code) const {
  const grid_state& grid = running.grid();
  if (clusters_begun_ != grid.clusters()) return std::nullopt;
  finding what{finding_kind::deadlock,
               cudaErrorLaunchTimeout,
               grid.request().kernel->signature,
               finding_cause::none,
               {place_of_running_lane(code, true)}};
  for (const cluster& blocks : resident_) {
    for (const block_state* block : blocks) {
      if (block->outcome() == block_outcome::finished) continue;
      if (!block->have_all_begun()) return std::nullopt;
      const finding waiting = block->describe_waiting(finding_kind::livelock, cudaSuccess);
      what.places.insert(what.places.end(), waiting.places.begin(), waiting.places.end());
    }
  }
  return what;
}

fiber* worker::find_fiber(const void* address) {
  const auto* const byte = static_cast<const std::byte*>(address);
  for (fiber& each : fibers_) {
    if (byte >= each.memory.lowest && byte < each.memory.lowest + each.memory.bytes) return &each;
  }
  return nullptr;
}

void worker::end(std::size_t resident) {
  for (block_state* block : resident_[resident]) idle_blocks_.push_back(block);
  spare_clusters_.push_back(std::move(resident_[resident]));
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(resident));
}

void worker::abandon_all() {
  for (cluster& blocks : resident_) {
    for (block_state* block : blocks) {
      block->abandon();
      idle_blocks_.push_back(block);
    }
  }
  resident_.clear();
  abandon_fibers();
}

}  // namespace heddle_host
